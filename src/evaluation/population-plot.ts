/**
 * What an evaluation said of a population, as one drawing: the score, how often what is found by frequency is right and
 * whole, how reliable confidence is, and what was found by each property of the known series. Pure.
 */
import { readFile } from "node:fs/promises";
import { Fault } from "../errors.ts";
import { bodyFrom, colourOf, drawing, edge, escape, round, shortened, width } from "../recognition/plots/drawing.ts";
import { frequencyWords } from "../recognition/plots/words.ts";
import { type Extent, extentLine } from "./extent.ts";
import { type Slice, slices } from "./labelled.ts";
import { drawReliability } from "./reliability-drawing.ts";
import type { ReadTenth } from "./reliability.ts";
import { percent } from "./score-rows.ts";
import type { Score, SliceScore, Tally } from "./score.ts";

/** As `evaluate --json` prints it. */
export type Evaluated = {
  source: string;
  extent: Extent;
  score: Score;
  visible: Score;
  baseline: Score;
  reliability: ReadTenth[];
  counts: Pick<Tally, "alarms">;
  slices: Tally["slices"];
};

/** @throws Fault SOURCE_INVALID */
export async function readEvaluated(file: string): Promise<Evaluated> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new Fault("SOURCE_INVALID", `${file} cannot be read.`, { cause });
  });
  const read = asEvaluated(text);
  if (read === null) throw new Fault("SOURCE_INVALID", `${file} is not what this version's evaluate --json prints.`);
  return read;
}

function asEvaluated(text: string): Evaluated | null {
  try {
    const read = JSON.parse(text) as Partial<Evaluated>;
    const scores = [read.score, read.visible, read.baseline];
    const isWhole =
      typeof read.source === "string" &&
      read.extent !== undefined &&
      scores.every((one) => Number.isFinite(one?.f1)) &&
      Array.isArray(read.reliability) &&
      typeof read.counts?.alarms === "object" &&
      slices.every((slice) => typeof read.slices?.[slice] === "object");
    return isWhole ? (read as Evaluated) : null;
  } catch {
    return null;
  }
}

type Bar = { name: string; share: number; says: string };

const columnGap = 40;
const columnWidth = (width - 2 * edge - columnGap) / 2;
const barHeight = 22;
const labelWidth = 146;
const saysWidth = 118;
const blockGap = 54;
const reliabilitySide = 360;
/** More values of one property are not looked at one by one. */
const barsMost = 12;

const sliceNames: Readonly<Record<Slice, string>> = {
  frequency: "frequency",
  amountModel: "amount",
  timing: "timing",
  names: "names",
  kind: "kind",
  through: "way of paying",
  life: "course",
};

export function plotPopulation(evaluated: Evaluated): string {
  const { source, extent, score, visible, baseline } = evaluated;
  const says = [
    `${extentLine(extent)}.`,
    "F1 takes what is found wrongly and what is missed together: 100 % where neither is. Found: of the known series that must be found.",
  ];
  const top = bodyFrom(says) + 16;
  const right = edge + columnWidth + columnGap;
  const scores = block("F1", [
    bar("recognised", score),
    bar("shown without asking", visible),
    bar("simple rule", baseline),
  ]);
  const byFrequency = block("F1 by frequency", frequencyBars(evaluated));
  const falls = slices.flatMap((slice) => {
    const bars = slice === "frequency" ? [] : sliceBars(evaluated.slices[slice]);
    return bars.length < 2 ? [] : [block(`Found, by ${sliceNames[slice]}`, bars)];
  });
  const columns = [
    [scores, byFrequency, ...falls.filter((_, at) => at % 2 === 1)],
    [reliabilityBlock(evaluated.reliability), ...falls.filter((_, at) => at % 2 === 0)],
  ];
  const heights = columns.map((blocks) => blocks.reduce((sum, one) => sum + one.height + blockGap, 0));
  const body = columns.map((blocks, column) => {
    let y = top;
    return blocks
      .map(({ draw, height }) => {
        const drawn = draw(column === 0 ? edge : right, y);
        y += height + blockGap;
        return drawn;
      })
      .join("\n");
  });
  return drawing({
    title: `Recognition of ${shortened(source, 70)}`,
    says,
    height: top + Math.max(...heights),
    body: `<style>${reliabilityStyle}</style>${body.join("\n")}`,
  });
}

type Block = { height: number; draw(x: number, y: number): string };

function block(name: string, bars: readonly Bar[]): Block {
  const room = columnWidth - labelWidth - saysWidth;
  return {
    height: bars.length * barHeight,
    draw: (x, y) =>
      `<text class="part" x="${x}" y="${y}">${escape(name)}</text>` +
      bars
        .map(({ name: of, share, says }, at) => {
          const middle = y + 14 + at * barHeight;
          const long = round(Math.max(0, Math.min(1, share)) * room);
          return `<g><title>${escape(`${of}: ${says}`)}</title><text x="${x}" y="${middle + 9}">${escape(shortened(of, 20))}</text><rect x="${x + labelWidth}" y="${middle - 3}" width="${room}" height="16" fill="#eef1f4"/><rect x="${x + labelWidth}" y="${middle - 3}" width="${long}" height="16" fill="${colourOf(0)}"/><text class="said" x="${round(x + labelWidth + room + 8)}" y="${middle + 9}">${escape(says)}</text></g>`;
        })
        .join(""),
  };
}

function bar(name: string, { f1 }: Score): Bar {
  return { name, share: f1, says: percent(f1) };
}

/** Wrong ones count to the frequency that they state, missed ones to the one that is known. */
export function frequencyBars({
  slices: { frequency },
  counts: { alarms },
}: Pick<Evaluated, "slices" | "counts">): Bar[] {
  const named = Object.keys(frequencyWords) as (keyof typeof frequencyWords)[];
  return named.flatMap((one) => {
    const { due, found } = frequency[one] ?? { due: 0, found: 0 };
    const wrong = alarms[one] ?? 0;
    if (due + wrong === 0) return [];
    const f1 = (2 * found) / (due + found + wrong);
    return [{ name: frequencyWords[one], share: f1, says: `${percent(f1)} of ${due}` }];
  });
}

function sliceBars(scores: Readonly<Record<string, SliceScore>>): Bar[] {
  return Object.entries(scores)
    .toSorted(([, a], [, b]) => b.due - a.due)
    .slice(0, barsMost)
    .map(([name, { due, found }]) => ({ name, share: found / due, says: `${percent(found / due)} of ${due}` }));
}

function reliabilityBlock(reliability: readonly ReadTenth[]): Block {
  return {
    height: reliabilitySide + 22,
    draw: (x, y) =>
      `<text class="part" x="${x}" y="${y}">Reliability of confidence</text><svg x="${x}" y="${y + 8}" width="${reliabilitySide}" height="${reliabilitySide}">${drawReliability(reliability)}</svg>` +
      `<text class="said" x="${x}" y="${y + reliabilitySide + 22}">On the diagonal what is said is true; the band is five hundredths wide.</text>`,
  };
}

const reliabilityStyle = `.reliability text{font-size:9px;fill:#526070;text-anchor:middle}.reliability .tick{stroke:#dfe5eb}.near{fill:#e6eef8}.asof{stroke:#1b2430;stroke-dasharray:3 3}
.shared circle{fill:#1d7f4e}.missed circle{fill:#fff;stroke:#b3261e;stroke-width:2}`;
