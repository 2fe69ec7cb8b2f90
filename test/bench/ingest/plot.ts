/** Rows a second against the table's size, as a drawing: logarithmic to the right, from nothing upwards. */

export type Rate = { rowsBefore: number; loadedPerSecond: number; floorPerSecond: number };

const width = 720;
const height = 360;
const margin = { left: 70, right: 20, top: 40, bottom: 50 };

type Point = { x: number; y: number };

export function drawRates(rates: readonly Rate[]): string {
  const most = Math.max(...rates.flatMap((one) => [one.loadedPerSecond, one.floorPerSecond]));
  const step = niceStep(most / 5);
  const top = Math.ceil(most / step) * step;
  const xOf = horizontal(rates);
  const yOf = (perSecond: number) => height - margin.bottom - (perSecond / top) * (height - margin.top - margin.bottom);
  const line = (pick: (rate: Rate) => number) => rates.map((one) => ({ x: xOf(one.rowsBefore), y: yOf(pick(one)) }));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="white"/>`,
    `<text x="${margin.left}" y="22" font-size="14">Rows a second into a table that holds so many rows already</text>`,
    ...Array.from({ length: Math.round(top / step) + 1 }, (_, n) =>
      horizontalRule(yOf(n * step), `${(n * step) / 1000} k`),
    ),
    ...rates.map(
      (one) =>
        `<text x="${xOf(one.rowsBefore)}" y="${height - margin.bottom + 20}" text-anchor="middle">${inWords(one.rowsBefore)}</text>`,
    ),
    drawLine(
      line((one) => one.floorPerSecond),
      "#8a8f98",
      "COPY of plain text",
    ),
    drawLine(
      line((one) => one.loadedPerSecond),
      "#0b6e99",
      "encrypted file, .jwe",
    ),
    "</svg>",
  ].join("\n");
}

/** An empty table stands where a tenth of the smallest would. */
function horizontal(rates: readonly Rate[]): (rows: number) => number {
  const sizes = rates.map((one) => one.rowsBefore).filter((rows) => rows > 0);
  const low = Math.log10(Math.min(...sizes)) - 1;
  const high = Math.log10(Math.max(...sizes));
  return (rows) =>
    margin.left +
    40 +
    (((rows === 0 ? low : Math.log10(rows)) - low) / Math.max(high - low, 1)) *
      (width - margin.left - margin.right - 80);
}

function horizontalRule(y: number, label: string): string {
  return `<line x1="${margin.left}" x2="${width - margin.right}" y1="${y}" y2="${y}" stroke="#dddddd"/><text x="${margin.left - 8}" y="${y + 4}" text-anchor="end">${label}</text>`;
}

function drawLine(points: readonly Point[], colour: string, name: string): string {
  const last = points.at(-1);
  return [
    `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ")}"/>`,
    ...points.map(({ x, y }) => `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="3" fill="${colour}"/>`),
    // Rates fall to the right: below the last point, the line itself is out of the way.
    last
      ? `<text x="${last.x.toFixed(1)}" y="${(last.y + 20).toFixed(1)}" text-anchor="end" fill="${colour}" stroke="white" stroke-width="4" paint-order="stroke">${name}</text>`
      : "",
  ].join("");
}

/** 1, 2 or 5 times a power of ten, at least so large. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10) * power;
}

function inWords(rows: number): string {
  if (rows === 0) return "empty";
  return rows >= 1e6 ? `${rows / 1e6} million` : `${rows / 1000} thousand`;
}
