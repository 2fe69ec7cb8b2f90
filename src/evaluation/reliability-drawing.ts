/** Stated confidence against the share that is right, as inline SVG: on the diagonal what is said is true. Pure. */
import { type ReadTenth, type Reliability, readReliability } from "./reliability.ts";
import { percent } from "./score-rows.ts";

const side = 300;
const margin = 34;
const span = side - 2 * margin;
const ticks = [0, 0.25, 0.5, 0.75, 1] as const;
/** Stated and right may differ by this much. */
const near = 0.05;

/** Only tenths with enough services are drawn; the table beside the drawing has all. */
export function drawReliability(read: readonly ReadTenth[]): string {
  if (read.length === 0) return "<p>No service counts.</p>";
  const dots = read
    .filter(({ isEnough }) => isEnough)
    .map(({ statedMean, rightShare, services }) => {
      const kind = Math.abs(statedMean - rightShare) <= near ? "shared" : "missed";
      const told = `stated ${percent(statedMean)}, right ${percent(rightShare)} of ${services}`;
      return `<g class="${kind}"><title>${told}</title><circle cx="${x(statedMean)}" cy="${y(rightShare)}" r="5"/></g>`;
    });
  return (
    `<svg class="reliability" viewBox="0 0 ${side} ${side}" role="img" aria-label="Stated confidence and share right">` +
    ticks.map(gridLine).join("") +
    band() +
    `<line class="asof" x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}"/>${dots.join("")}` +
    `<text x="${side / 2}" y="${side - 4}">stated</text><text x="12" y="${margin - 12}">right</text></svg>`
  );
}

export function reliabilityRows(reliability: Reliability): string[][] {
  return readReliability(reliability).map(({ from, services, statedMean, rightShare, isEnough }) => [
    `${Math.round(from * 100)}–${Math.round(from * 100) + 10} %`,
    String(services),
    percent(statedMean),
    percent(rightShare),
    isEnough ? (Math.abs(statedMean - rightShare) <= near ? "near" : "off") : "too few to tell",
  ]);
}

function gridLine(at: number): string {
  const mark = `${at * 100} %`;
  return (
    `<line class="tick" x1="${x(at)}" x2="${x(at)}" y1="${y(0)}" y2="${y(1)}"/>` +
    `<line class="tick" x1="${x(0)}" x2="${x(1)}" y1="${y(at)}" y2="${y(at)}"/>` +
    `<text x="${x(at)}" y="${side - margin + 13}">${mark}</text><text x="${margin - 16}" y="${y(at) + 3}">${mark}</text>`
  );
}

/** Where stated and right differ by no more than may be. */
function band(): string {
  const corners = [
    [0, 0],
    [0, near],
    [1 - near, 1],
    [1, 1],
    [1, 1 - near],
    [near, 0],
  ] as const;
  return `<polygon class="near" points="${corners.map(([stated, right]) => `${x(stated)},${y(right)}`).join(" ")}"/>`;
}

function x(stated: number): number {
  return Math.round((margin + stated * span) * 10) / 10;
}

function y(right: number): number {
  return Math.round((side - margin - right * span) * 10) / 10;
}
