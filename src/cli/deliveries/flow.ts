/** `tideline status --flow RANGE`: what the console's page *Flow* draws, as figures. */
import { type Line, type Plot, readFlow, type Unit } from "../../observation/flow/flow.ts";
import type { RangeName } from "../../observation/flow/steps.ts";
import { alignColumns, printResult } from "../terminal/result.ts";
import type { Session } from "../service/session.ts";

export async function showFlow(session: Session, range: RangeName, asJson: boolean): Promise<void> {
  const flow = await readFlow(session.database, range);
  const head = ["  LINE", "LATEST", "MEAN", "HIGHEST"];
  const told = flow.plots.filter(({ lines }) => lines.some(({ highest }) => highest !== null));
  const lines = told.flatMap((plot) => [
    "",
    `${plot.title} (${plot.unit})`,
    ...alignColumns([head, ...plot.lines.map((line) => rowOf(line, plot))]),
  ]);
  printResult(asJson, flow, [
    `The last ${range} until ${flow.now.toISOString().slice(0, 19)}Z, by ${flow.stepSeconds / 60} min`,
    ...(told.length === 0 ? ["Nothing is kept of it yet: a running service keeps figures by the minute."] : lines),
  ]);
}

function rowOf({ name, latest, mean, highest }: Line, { unit }: Plot): string[] {
  return [`  ${name}`, ...[latest, mean, highest].map((value) => readable(value, unit))];
}

function readable(value: number | null, unit: Unit): string {
  if (value === null) return "-";
  const digits = unit === "seconds" ? 4 : Number.isInteger(value) || value >= 100 ? 0 : 3;
  return value.toLocaleString("en-GB", { maximumFractionDigits: digits });
}
