/** Services as lines through time: a mark for each payment, an open one where the next is expected. */
import type { Service } from "../../interface/services.ts";
import { addDays } from "../../time/calendar.ts";
import { html, type Html } from "./html.ts";

const [rowHeight, headHeight] = [22, 24];

type Drawing = {
  width: number;
  labelWidth: number;
  nameLengthMax: number;
  /** Shown before the day of the figures, and after it. */
  daysBack: number;
  daysAhead: number;
  time: string;
};

/** For wide screens and for narrow ones, on which two years would be scrolled to the oldest payments. */
const drawings = {
  broad: { width: 900, labelWidth: 190, nameLengthMax: 26, daysBack: 730, daysAhead: 60, time: "two years" },
  slim: { width: 350, labelWidth: 116, nameLengthMax: 15, daysBack: 200, daysAhead: 40, time: "half a year" },
} as const satisfies Record<string, Drawing>;

type Line = { name: string; service: Service };

export function paymentLines(lines: readonly Line[], until: string): Html {
  return html`${(["broad", "slim"] as const).map((kind) => drawn(kind, lines, until))}
    <p class="legend">
      <span class="swatch loaded"></span>paid <span class="swatch next"></span>expected next; the upright line is
      ${until}
    </p>`;
}

function drawn(kind: keyof typeof drawings, lines: readonly Line[], until: string): Html {
  const { width, labelWidth, nameLengthMax, daysBack, daysAhead, time } = drawings[kind];
  const from = addDays(until, -daysBack);
  const dayMs = 86_400_000;
  const at = (day: string) =>
    labelWidth + ((Date.parse(day) - Date.parse(from)) / dayMs / (daysBack + daysAhead)) * (width - labelWidth - 8);
  const height = headHeight + lines.length * rowHeight + 4;
  const quarters = quartersBetween(from, until);
  const heads = quarters.map(
    (day) =>
      html`<line
          class="midnight"
          x1="${at(day).toFixed(1)}"
          x2="${at(day).toFixed(1)}"
          y1="${headHeight - 4}"
          y2="${height}"
        /><text class="head" x="${(at(day) + 3).toFixed(1)}" y="14">${day.slice(0, 7)}</text>`,
  );
  const rows = lines.map(({ name, service }, place) => {
    const y = headHeight + place * rowHeight + rowHeight / 2;
    const marks = service.payments
      .filter(({ date }) => date >= from)
      .map(
        ({ date }) =>
          html`<circle class="paid" cx="${at(date).toFixed(1)}" cy="${y}" r="3.6"><title>${date}</title></circle>`,
      );
    const next = service.nextExpectedTransactionDate;
    const isAhead = service.status === "ACTIVE" && next <= addDays(until, daysAhead) && next >= from;
    return html`<g>
      <text class="name" x="0" y="${y + 4}"
        >${name.length > nameLengthMax ? `${name.slice(0, nameLengthMax - 1)}…` : name}</text
      >
      <line
        class="ground"
        x1="${labelWidth}"
        x2="${width}"
        y1="${y}"
        y2="${y}"
      />${marks}${isAhead && html`<circle class="next" cx="${at(next).toFixed(1)}" cy="${y}" r="4.2"><title>next: ${next}</title></circle>`}
    </g>`;
  });
  const today = at(until).toFixed(1);
  return html`<div class="scroll ${kind}" role="region" aria-label="Picture: payments through ${time}" tabindex="0">
    <svg
      class="payments"
      viewBox="0 0 ${width} ${height}"
      role="img"
      aria-label="${lines.length} services with their payments of ${time} until ${until}; the table below tells the same"
    >
      ${heads}${rows}
      <line class="today" x1="${today}" x2="${today}" y1="${headHeight - 4}" y2="${height}" />
    </svg>
  </div>`;
}

function quartersBetween(from: string, to: string): string[] {
  const found: string[] = [];
  for (let [year, month] = from.slice(0, 7).split("-").map(Number) as [number, number]; ;) {
    month += 1;
    if (month > 12) [year, month] = [year + 1, 1];
    const day = `${year}-${String(month).padStart(2, "0")}-01`;
    if (day > to) return found;
    if (month % 3 === 1) found.push(day);
  }
}
