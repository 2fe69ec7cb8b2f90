/** The hours of a night as bars: how many deliveries came when, and what became of them. */
import type { CameInSlot } from "../../deliveries/night.ts";
import { html, type Html } from "./html.ts";
import { clockIn } from "./times.ts";

export const slotMinutes = 30;
export const slots = 48;

const [barWidth, height] = [5, 28];
/** From the top of a bar down. */
const outcomes = ["refused", "partly", "open", "loaded"] as const;

/** When each slot begins, as the clocks of a zone tell it: once for all partners there, since telling it takes long. */
export function slotClocks(since: Date, zone: string): string[] {
  return Array.from({ length: slots }, (_, at) => clockIn(zone, new Date(since.getTime() + at * slotMinutes * 60_000)));
}

/**
 * A picture with its own words: who cannot see it hears the counts of each outcome. All bars of an outcome are one
 * path: with a mark for each the page of two hundred partners was 3.7 MB and took 100 ms to write.
 * @param clocks as slotClocks has them
 */
export function nightLine(name: string, came: readonly CameInSlot[], clocks: readonly string[]): Html {
  const most = Math.max(1, ...came.map(({ deliveries }) => deliveries));
  const drawn = { refused: "", partly: "", open: "", loaded: "" };
  for (const slot of came) addBars(drawn, slot, most);
  const totals = outcomes.map(
    (outcome) => `${came.reduce((sum, slot) => sum + slot[outcome], 0)} ${outcome === "partly" ? "in part" : outcome}`,
  );
  const midnight = clocks.findIndex((clock, at) => at > 0 && clock < (clocks[at - 1] ?? ""));
  const width = slots * barWidth;
  return html`<svg
    class="night"
    viewBox="0 0 ${width} ${height}"
    preserveAspectRatio="xMinYMid meet"
    role="img"
    aria-label="${name}: ${totals.join(", ")}"
  >
    <path class="ground" d="M0 ${height - 0.5}H${width}" />
    ${midnight > 0 && html`<path class="midnight" d="M${midnight * barWidth} 0V${height}" />`}${outcomes.map((outcome) => drawn[outcome] !== "" && html`<path class="${outcome}" d="${drawn[outcome]}" />`)}
  </svg>`;
}

function addBars(drawn: Record<(typeof outcomes)[number], string>, slot: CameInSlot, most: number): void {
  if (slot.deliveries === 0) return;
  // A single delivery beside thousands is still seen.
  const tall = Math.max(3, (slot.deliveries / most) * (height - 2));
  const middle = (slot.slot + 0.5) * barWidth;
  let top = height - 1 - tall;
  for (const outcome of outcomes) {
    const size = (slot[outcome] / slot.deliveries) * tall;
    if (size > 0) drawn[outcome] += `M${middle} ${rounded(top)}v${rounded(size)}`;
    top += size;
  }
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
