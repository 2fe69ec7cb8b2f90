/** The hours of a night as bars: how many deliveries came when, and what became of them. */
import type { CameInSlot } from "../../deliveries/night.ts";
import { countOf } from "./figures.ts";
import { html, type Html } from "./html.ts";
import { clockIn } from "./times.ts";

export const slotMinutes = 30;
export const slots = 48;

const [barWidth, height] = [5, 28];
const outcomes = ["refused", "partly", "open", "loaded"] as const;

/** A picture with its own words: who cannot see it hears the counts of each outcome. */
export function nightLine(name: string, came: readonly CameInSlot[], since: Date, zone: string): Html {
  const most = Math.max(1, ...came.map(({ deliveries }) => deliveries));
  const bars = came.map((slot) => barsOf(slot, most, since, zone));
  const totals = outcomes.map(
    (outcome) => `${came.reduce((sum, slot) => sum + slot[outcome], 0)} ${outcome === "partly" ? "in part" : outcome}`,
  );
  const midnights = Array.from({ length: slots }, (_, at) => at).filter((at) => isMidnight(zone, at, since));
  return html`<svg
    class="night"
    viewBox="0 0 ${slots * barWidth} ${height}"
    preserveAspectRatio="xMinYMid meet"
    role="img"
    aria-label="${name}: ${totals.join(", ")}"
  >
    <line class="ground" x1="0" x2="${slots * barWidth}" y1="${height - 0.5}" y2="${height - 0.5}" />
    ${midnights.map((at) => html`<line class="midnight" x1="${at * barWidth}" x2="${at * barWidth}" y1="0" y2="${height}" />`)}${bars}
  </svg>`;
}

function barsOf(slot: CameInSlot, most: number, since: Date, zone: string): Html {
  const full = height - 2;
  // A single delivery beside thousands is still seen.
  const tall = Math.max(3, (slot.deliveries / most) * full);
  let top = height - 1 - tall;
  const pieces = outcomes.map((outcome) => {
    const size = slot.deliveries === 0 ? 0 : (slot[outcome] / slot.deliveries) * tall;
    const piece =
      size > 0 &&
      html`<rect
        class="${outcome}"
        x="${slot.slot * barWidth + 0.5}"
        y="${top.toFixed(1)}"
        width="${barWidth - 1}"
        height="${size.toFixed(1)}"
      />`;
    top += size;
    return piece;
  });
  const from = new Date(since.getTime() + slot.slot * slotMinutes * 60_000);
  return html`<g
    ><title>${clockIn(zone, from)}: ${countOf(slot.deliveries, "delivery", "deliveries")}</title>${pieces}</g
  >`;
}

function isMidnight(zone: string, at: number, since: Date): boolean {
  const from = since.getTime() + at * slotMinutes * 60_000;
  return at > 0 && clockIn(zone, new Date(from)) < clockIn(zone, new Date(from - slotMinutes * 60_000));
}
