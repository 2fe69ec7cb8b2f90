/** Times as pages show them: in the bank's zone, with UTC beside it. */
import { html, type Html } from "./html.ts";

const formatters = new Map<string, Intl.DateTimeFormat>();

function partsIn(zone: string, instant: Date): Record<string, string> {
  let formatter = formatters.get(zone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      day: "numeric",
      month: "short",
      year: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      hourCycle: "h23",
      timeZoneName: "short",
    });
    formatters.set(zone, formatter);
  }
  return Object.fromEntries(formatter.formatToParts(instant).map(({ type, value }) => [type, value]));
}

/** "23 Nov 2026 02:14:07" */
export function utcSecond(instant: Date): string {
  const { day, month, year, hour, minute, second } = partsIn("UTC", instant);
  return `${day} ${month} ${year} ${hour}:${minute}:${second}`;
}

export function utcMinute(instant: Date): string {
  return utcSecond(instant).slice(0, -3);
}

/** In the bank's zone, then what it is in UTC, with the year where it is not this one; in UTC alone where no bank is meant. Null: a dash. */
export function when(instant: Date | null, zone: string | undefined): Html {
  if (instant === null) return html`<span class="quiet">–</span>`;
  if (zone === undefined || zone === "UTC")
    return html`<time datetime="${instant.toISOString()}">${utcSecond(instant)} <span class="quiet">UTC</span></time>`;
  const own = partsIn(zone, instant);
  const utc = partsIn("UTC", instant);
  const isOfThisYear = instant.getUTCFullYear() === new Date().getUTCFullYear();
  return html`<time datetime="${instant.toISOString()}" title="${zone}"
    >${own.day} ${own.month} ${!isOfThisYear && `${own.year} `}${own.hour}:${own.minute}:${own.second}
    <span class="quiet utc"
      >${utc.day === own.day ? "" : `${utc.day} ${utc.month} `}${utc.hour}:${utc.minute} UTC</span
    ></time
  >`;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** "02:14", in a zone. */
export function clockIn(zone: string, instant: Date): string {
  let formatter = clocks.get(zone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
    clocks.set(zone, formatter);
  }
  return formatter.format(instant);
}

const steps: readonly (readonly [seconds: number, unit: string])[] = [
  [86_400, "d"],
  [3600, "h"],
  [60, "min"],
  [1, "s"],
];

/** "3 h 12 min": the two largest units. */
export function duration(ms: number): string {
  let seconds = Math.max(0, Math.round(ms / 1000));
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  const parts: string[] = [];
  for (const [size, unit] of steps) {
    const count = Math.floor(seconds / size);
    if (count > 0 || parts.length > 0) parts.push(`${count} ${unit}`);
    seconds -= count * size;
    if (parts.length === 2) break;
  }
  return parts.filter((part, at) => at === 0 || !part.startsWith("0 ")).join(" ");
}

/** "23 Nov" */
export function utcDay(instant: Date): string {
  const { day, month } = partsIn("UTC", instant);
  return `${day} ${month}`;
}
