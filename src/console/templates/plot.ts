/** Lines over time, drawn without a script: the picture stretches with the page, its words do not. */
import type { Line, Plot, Unit } from "../../observation/flow/flow.ts";
import { bytes } from "./figures.ts";
import { html, type Html } from "./html.ts";
import { clockIn, duration, utcDay } from "./times.ts";

const [width, height] = [1000, 200];
/** What one pointed-at column tells together: a title a bucket would swell the page of a month. */
const columnsMax = 62;

type Span = { since: Date; stepSeconds: number };

export function plot({ id, title, unit, lines }: Plot, span: Span): Html {
  const points = lines.flatMap((line) => line.points.filter((point) => point !== null));
  const top = niceTop(Math.max(0, ...points), unit);
  const buckets = lines[0]?.points.length ?? 0;
  const words = lines.map(({ name, latest }) => `${name} ${amount(latest, unit)}`).join(", ");
  const picture = html`<div class="plot">
      <span class="upper">${amount(top, unit)}</span>
      <svg
        viewBox="0 0 ${width} ${height}"
        preserveAspectRatio="none"
        role="img"
        aria-label="${title}, ${unit}; latest: ${words}"
      >
        ${[0.25, 0.5, 0.75].map((share) => html`<line class="grid" x1="0" x2="${width}" y1="${share * height}" y2="${share * height}" />`)}
        <line class="ground" x1="0" x2="${width}" y1="${height}" y2="${height}" />
        ${lines.map((line, at) => html`<path class="line l${at}" d="${pathOf(line, top)}" />`)}
        ${columns(lines, unit, { ...span, buckets })}
      </svg>
    </div>
    ${timeLine({ ...span, buckets })}`;
  const rows = lines.map(
    (line, at) =>
      html`<tr>
        <th scope="row"><span class="key l${at}"></span>${line.name}</th>
        <td class="number">${amount(line.latest, unit)}</td>
        <td class="number">${amount(line.mean, unit)}</td>
        <td class="number">${amount(line.highest, unit)}</td>
      </tr>`,
  );
  return html`<section class="plotted" aria-labelledby="${id}">
    <h2 id="${id}">${title} <span class="quiet">${unit === "bytes" || unit === "seconds" ? "" : unit}</span></h2>
    ${
      points.length === 0
        ? html`<p class="quiet">Nothing of it in this time.</p>`
        : html`${picture}
            <table class="lines">
              <thead>
                <tr>
                  <th scope="col"><span class="unseen">Line</span></th>
                  <th scope="col" class="number">Latest</th>
                  <th scope="col" class="number">Mean</th>
                  <th scope="col" class="number">Highest</th>
                </tr>
              </thead>
              <tbody>
                ${rows}
              </tbody>
            </table>`
    }
  </section>`;
}

/** Broken where nothing is known; a point that stands alone is a dot. */
function pathOf({ points }: Line, top: number): string {
  const x = (at: number) => Math.round(((at + 0.5) / points.length) * width);
  const y = (value: number) => Math.round(height - (value / top) * (height - 2) - 1);
  return points
    .map((point, at) => {
      if (point === null) return "";
      const isFirst = (points[at - 1] ?? null) === null;
      const isAlone = isFirst && (points[at + 1] ?? null) === null;
      return `${isFirst ? "M" : "L"}${x(at)} ${y(point)}${isAlone ? "h1" : ""}`;
    })
    .join("");
}

function columns(
  lines: readonly Line[],
  unit: Unit,
  { since, stepSeconds, buckets }: Span & { buckets: number },
): Html[] {
  const size = Math.ceil(buckets / columnsMax);
  return Array.from({ length: Math.ceil(buckets / size) }, (_, column) => {
    const [from, to] = [column * size, Math.min((column + 1) * size, buckets)];
    const values = lines.flatMap(({ name, points }) => {
      const there = points.slice(from, to).filter((point) => point !== null);
      return there.length === 0 ? [] : [`${name} ${amount(Math.max(...there), unit)}`];
    });
    if (values.length === 0) return html``;
    const at = new Date(since.getTime() + from * stepSeconds * 1000);
    const day = stepSeconds * buckets > 86_400 ? `${utcDay(at)} ` : "";
    return html`<rect
      class="column"
      x="${Math.round((from / buckets) * width)}"
      y="0"
      width="${Math.ceil(((to - from) / buckets) * width)}"
      height="${height}"
      ><title>${day}${clockIn("UTC", at)} UTC: ${values.join(", ")}</title></rect
    >`;
  });
}

function timeLine({ since, stepSeconds, buckets }: Span & { buckets: number }): Html {
  const isLong = stepSeconds * buckets > 86_400;
  const marks = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const at = new Date(since.getTime() + share * buckets * stepSeconds * 1000);
    return html`<span>${isLong ? utcDay(at) : clockIn("UTC", at)}</span>`;
  });
  return html`<div class="times" aria-hidden="true">${marks}</div>`;
}

/** Round where a clock and a calendar are. */
const roundSeconds = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21_600, 43_200, 86_400];

/** The next of 1, 2 and 5 with noughts, of durations the next that has one unit: what stands at the upper edge is read at a glance. */
export function niceTop(highest: number, unit: Unit): number {
  if (!(highest > 0)) return unit === "bytes" ? 1e6 : 1;
  if (unit === "seconds" && highest > 1) {
    const round = roundSeconds.find((one) => one >= highest);
    return round ?? niceTop(highest / 86_400, "a second") * 86_400;
  }
  const size = 10 ** Math.floor(Math.log10(highest));
  return ([1, 2, 5, 10].find((one) => one * size >= highest) ?? 10) * size;
}

/** With its unit where the heading does not say it. */
function amount(value: number | null, unit: Unit): string {
  if (value === null) return "–";
  if (unit === "bytes" || unit === "bytes a second") return bytes(value);
  if (unit === "seconds") return duration(value * 1000);
  const digits = Number.isInteger(value) || value >= 100 ? 0 : value >= 1 ? 1 : 3;
  return value.toLocaleString("en-GB", { maximumFractionDigits: digits });
}
