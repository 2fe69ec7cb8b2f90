/** Figures against a size, as a drawing: sizes logarithmic to the right, figures from nothing upwards. */

export type Series = { name: string; points: readonly { size: number; value: number }[] };

export type Plot = {
  title: string;
  /** Of the figures, as their axis says it. */ unit: string;
  series: readonly Series[];
};

const width = 720;
const height = 360;
const margin = { left: 70, right: 160, top: 40, bottom: 50 };
/** Told apart in print as well: from dark to light. */
const colours = ["#0b6e99", "#8a8f98", "#b3541e", "#4f7f3f", "#7a4b9c"];

type Point = { x: number; y: number };

export function drawPlot({ title, unit, series }: Plot): string {
  const points = series.flatMap((one) => one.points);
  const step = niceStep(Math.max(...points.map(({ value }) => value)) / 5);
  const steps = Math.ceil(Math.max(...points.map(({ value }) => value)) / step);
  const yOf = (value: number) =>
    height - margin.bottom - (value / (steps * step)) * (height - margin.top - margin.bottom);
  const sizes = [...new Set(points.map(({ size }) => size))].toSorted((a, b) => a - b);
  const xOf = horizontal(sizes);
  const names = besides(series.map((one) => yOf(one.points.at(-1)?.value ?? 0)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="white"/>`,
    `<text x="${margin.left}" y="22" font-size="14">${escaped(title)}</text>`,
    ...Array.from({ length: steps + 1 }, (_, n) =>
      horizontalRule(yOf(n * step), `${Number((n * step).toPrecision(6))}${n === steps ? ` ${unit}` : ""}`),
    ),
    ...sizes.map(
      (size) =>
        `<text x="${xOf(size)}" y="${height - margin.bottom + 20}" text-anchor="middle">${inWords(size)}</text>`,
    ),
    ...series.map((one, n) =>
      drawLine(
        one.points.map(({ size, value }) => ({ x: xOf(size), y: yOf(value) })),
        colours[n % colours.length] ?? "black",
        one.name,
        names[n] ?? 0,
      ),
    ),
    "</svg>",
  ].join("\n");
}

/** Nothing stands where a tenth of the smallest would. */
function horizontal(sizes: readonly number[]): (size: number) => number {
  const some = sizes.filter((size) => size > 0);
  const low = Math.log10(Math.min(...some)) - (sizes.includes(0) ? 1 : 0);
  const high = Math.log10(Math.max(...some));
  const inside = width - margin.left - margin.right - 60;
  return (size) =>
    Math.round(margin.left + 40 + (((size === 0 ? low : Math.log10(size)) - low) / Math.max(high - low, 0.1)) * inside);
}

/** Where the names stand that would stand at these heights, so that none lies over another. */
function besides(heights: readonly number[]): number[] {
  const placed: number[] = heights.map(() => 0);
  let free = margin.top;
  for (const [n, y] of [...heights.entries()].toSorted(([, a], [, b]) => a - b)) {
    placed[n] = Math.max(y, free);
    free = (placed[n] ?? 0) + 16;
  }
  return placed;
}

function horizontalRule(y: number, label: string): string {
  return `<line x1="${margin.left}" x2="${width - margin.right}" y1="${y}" y2="${y}" stroke="#dddddd"/><text x="${margin.left - 8}" y="${y + 4}" text-anchor="end">${escaped(label)}</text>`;
}

function drawLine(points: readonly Point[], colour: string, name: string, nameY: number): string {
  return [
    `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points.map(({ x, y }) => `${x},${y.toFixed(1)}`).join(" ")}"/>`,
    ...points.map(({ x, y }) => `<circle cx="${x}" cy="${y.toFixed(1)}" r="3" fill="${colour}"/>`),
    `<text x="${width - margin.right + 8}" y="${(nameY + 4).toFixed(1)}" fill="${colour}">${escaped(name)}</text>`,
  ].join("");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/** 1, 2 or 5 times a power of ten, at least so large. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10) * power;
}

function inWords(size: number): string {
  if (size === 0) return "empty";
  if (size >= 1e6) return `${size / 1e6} million`;
  return size >= 1000 ? `${size / 1000} thousand` : String(size);
}
