/** What drawings are made of: one SVG with its own style, opened from disk, for the eye and for who has it read. Pure. */
import { type Day, dayFromNumber, dayNumber } from "../../time/calendar.ts";

/** In units of the drawing, which a viewer scales. */
export const width = 960;
export const edge = 20;

/** Each has 3 : 1 against white (WCAG 2.2, 1.4.11); neighbours differ in lightness too. */
const colours = ["#1f5fa8", "#b3261e", "#1d7f4e", "#7b3fa0", "#9a5b00", "#00798c", "#c2185b", "#5d4037"] as const;

export function colourOf(at: number): string {
  return colours[at % colours.length] ?? colours[0];
}

export type Drawing = {
  title: string;
  /** Said below the title, a line each. */
  says: readonly string[];
  height: number;
  body: string;
};

const lineLetters = 135;

/** At spaces, to lines that fit. */
export function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > lineLetters) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** Where the body begins, below title and what is said. */
export function bodyFrom(says: readonly string[]): number {
  return 44 + says.length * 18 + 14;
}

export function drawing({ title, says, height, body }: Drawing): string {
  const lines = says.map((line, at) => `<text class="said" x="${edge}" y="${58 + at * 18}">${escape(line)}</text>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${round(height)}" width="${width}" height="${round(height)}" role="img" aria-labelledby="title says" lang="en">
<title id="title">${escape(title)}</title><desc id="says">${escape(says.join(" "))}</desc>
<style>${style}</style>
<rect width="100%" height="100%" fill="#fff"/>
<text class="title" x="${edge}" y="36">${escape(title)}</text>${lines.join("")}
${body}
</svg>
`;
}

export function escape(text: string): string {
  return text.replace(/[<>&"']/g, (character) => `&#${character.codePointAt(0)};`);
}

/** At most so many characters, the last one an ellipsis where some are left out. */
export function shortened(text: string, most: number): string {
  const letters = [...text];
  return letters.length <= most
    ? text
    : `${letters
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`;
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A scale of days from left to right. */
export type Days = { from: number; until: number; x(day: Day): number; holds(day: Day): boolean };

export function daysScale(from: Day, until: Day, left: number, right: number): Days {
  const [first, last] = [dayNumber(from), Math.max(dayNumber(until), dayNumber(from) + 1)];
  return {
    from: first,
    until: last,
    x: (day) => round(left + ((dayNumber(day) - first) / (last - first)) * (right - left)),
    holds: (day) => dayNumber(day) >= first && dayNumber(day) <= last,
  };
}

const ticksMost = 14;

/** Lines at beginnings of months, of as few of them as are still told apart, with their names below. */
export function monthLines(days: Days, top: number, bottom: number): string {
  const months: Day[] = [];
  for (let at = days.from; at <= days.until; at++) {
    const day = dayFromNumber(at);
    if (day.endsWith("-01")) months.push(day);
  }
  const step = [1, 2, 3, 6, 12, 24].find((one) => months.length / one <= ticksMost) ?? 60;
  return months
    .filter((day) => (Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1) % step === 0)
    .map((day) => {
      const x = days.x(day);
      return `<line class="tick" x1="${x}" x2="${x}" y1="${round(top)}" y2="${round(bottom)}"/><text class="mark middle" x="${x}" y="${round(bottom + 15)}">${day.slice(0, 7)}</text>`;
    })
    .join("");
}

export function todayLine(days: Days, today: Day, top: number, bottom: number): string {
  if (!days.holds(today)) return "";
  const x = days.x(today);
  return `<line class="today" x1="${x}" x2="${x}" y1="${round(top)}" y2="${round(bottom)}"><title>${today}</title></line>`;
}

/** A scale of amounts from below to above. */
export type Amounts = { y(amount: number): number; ticks: readonly number[] };

/** Equal factors are equally far apart: rent and coffee on one picture. @param values greater than 0 */
export function logarithmicScale(values: readonly number[], top: number, bottom: number): Amounts {
  const smallest = Math.min(...values.filter((one) => one > 0));
  const least = Number.isFinite(smallest) ? Math.max(1, 10 ** Math.floor(Math.log10(smallest))) : 1;
  const most = 10 ** Math.ceil(Math.log10(Math.max(least * 10, ...values)));
  const [from, until] = [Math.log10(least), Math.log10(most)];
  return {
    y: (amount) => round(bottom - ((Math.log10(Math.max(amount, least)) - from) / (until - from)) * (bottom - top)),
    ticks: Array.from({ length: Math.round(until - from) + 1 }, (_, at) => least * 10 ** at),
  };
}

/** From nought, with round marks. */
export function evenScale(values: readonly number[], top: number, bottom: number): Amounts {
  const highest = Math.max(1, ...values) * 1.1;
  const raw = highest / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 2.5, 5, 10].find((one) => one * power >= raw) ?? 10) * power;
  const most = Math.ceil(highest / step) * step;
  return {
    y: (amount) => round(bottom - (amount / most) * (bottom - top)),
    ticks: Array.from({ length: Math.round(most / step) + 1 }, (_, at) => at * step),
  };
}

export function amountLines({ y, ticks }: Amounts, left: number, right: number): string {
  return ticks
    .map(
      (amount) =>
        `<line class="tick" x1="${left}" x2="${right}" y1="${y(amount)}" y2="${y(amount)}"/><text class="mark end" x="${left - 8}" y="${y(amount) + 4}">${amount.toLocaleString("en-GB")}</text>`,
    )
    .join("");
}

/** A mark with what it tells to whoever points at it. */
export function told(text: string, mark: string): string {
  return `<g><title>${escape(text)}</title>${mark}</g>`;
}

export function dot(x: number, y: number, colour: string, radius = 4): string {
  return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${colour}"/>`;
}

/** What is expected. */
export function diamond(x: number, y: number, colour: string): string {
  return `<path d="M${x} ${round(y - 6)}l6 6l-6 6l-6 -6z" fill="#fff" stroke="${colour}" stroke-width="2"/>`;
}

/** What did not come. */
export function cross(x: number, y: number, colour: string): string {
  return `<path d="M${round(x - 4)} ${round(y - 4)}l8 8m0 -8l-8 8" fill="none" stroke="${colour}" stroke-width="2"/>`;
}

/** Marks and what they mean, side by side. */
export function legend(
  entries: readonly (readonly [mark: (x: number, y: number) => string, text: string])[],
  y: number,
): string {
  let x = edge + 6;
  return entries
    .map(([mark, text]) => {
      const drawn = `${mark(x, y)}<text class="said" x="${x + 12}" y="${y + 4}">${escape(text)}</text>`;
      x += 12 + text.length * 6.6 + 26;
      return drawn;
    })
    .join("");
}

const style = `text{font-family:system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;font-size:12px;fill:#1b2430}
.title{font-size:20px;font-weight:600}.said{fill:#3c4856}.name{font-weight:600}.part{font-size:15px;font-weight:600}.mark{font-size:11px;fill:#526070}
.halo{paint-order:stroke;stroke:#fff;stroke-width:4px}.middle{text-anchor:middle}.end{text-anchor:end}.tick{stroke:#e3e8ed}.lane{stroke:#c3ccd6}.today{stroke:#1b2430;stroke-dasharray:4 3}`;
