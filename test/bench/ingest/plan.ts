/** What a run of the benchmark of loading measures: one of three forms, of which options take a part. */
import { parseArgs } from "node:util";
import { formats, type Format } from "./files.ts";

export type Plan = {
  /** Rows of the files that are loaded into an empty table; none: not asked. */
  sizes: readonly number[];
  rounds: number;
  formats: readonly Format[];
  /** Sizes of the table into which further files are loaded; none: not asked. */
  grownTo: readonly number[];
};

/** The short form takes a minute, the long one an hour and some 15 GB of disk. */
const forms: Record<string, Plan> = {
  short: { sizes: [20_000], rounds: 1, formats, grownTo: [0, 40_000] },
  usual: { sizes: [100_000, 200_000], rounds: 3, formats, grownTo: [0, 200_000, 1_000_000] },
  long: {
    sizes: [100_000, 1_000_000, 10_000_000],
    rounds: 3,
    formats,
    grownTo: [0, 200_000, 1_000_000, 3_000_000, 10_000_000],
  },
};

/** @throws Error for an option that says nothing here */
export function readPlan(args: readonly string[]): Plan {
  const { values } = parseArgs({
    args: [...args],
    options: {
      short: { type: "boolean" },
      long: { type: "boolean" },
      sizes: { type: "string" },
      formats: { type: "string" },
      rounds: { type: "string" },
      grown: { type: "string" },
    },
  });
  const plan = forms[values.short ? "short" : values.long ? "long" : "usual"] as Plan;
  return {
    sizes: values.sizes === undefined ? plan.sizes : list(values.sizes).map(count),
    rounds: values.rounds === undefined ? plan.rounds : count(values.rounds),
    formats: values.formats === undefined ? plan.formats : list(values.formats).map(format),
    grownTo: values.grown === undefined ? plan.grownTo : list(values.grown).map(count),
  };
}

/** Between commas; of an empty text none. */
function list(text: string): string[] {
  return text.split(",").filter((one) => one !== "");
}

function count(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`${text} is no number of rows or rounds`);
  return value;
}

function format(text: string): Format {
  const found = formats.find((one) => one === text);
  if (!found) throw new Error(`${text} is none of ${formats.join(", ")}`);
  return found;
}
