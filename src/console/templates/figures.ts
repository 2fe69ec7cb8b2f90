/** Counts, sizes and states as pages show them. */
import type { Delivery } from "../../deliveries/deliveries.ts";
import { html, type Html } from "./html.ts";

const numbers = new Intl.NumberFormat("en-GB");

/** Most are small: a page of two hundred partners has two thousand of them. */
export function count(value: number): string {
  return value < 1000 && Number.isInteger(value) ? String(value) : numbers.format(value);
}

export function countOf(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** "landing, vault and database" */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

const units = ["B", "kB", "MB", "GB", "TB"] as const;

export function bytes(value: number): string {
  let [left, at] = [value, 0];
  for (; left >= 999.5 && at < units.length - 1; at += 1) left /= 1000;
  return `${at === 0 || left >= 100 ? Math.round(left) : left.toFixed(1)} ${units[at]}`;
}

export type Tone = "good" | "warn" | "bad" | "calm";

/** A word with a shape before it: no state is told by colour alone. */
export function badge(tone: Tone, text: string): Html {
  return html`<span class="badge ${tone}">${text}</span>`;
}

/** Loaded whole, in part, or what else it is. */
export function outcomeOf(delivery: Delivery): { tone: Tone; text: string } {
  const { state, revisitRequestedAt, recordsRefused, batchesRefused, recordsWaiting, refusalCode } = delivery;
  if (revisitRequestedAt !== null) return { tone: "calm", text: "reading again" };
  if (state === "accepted") return { tone: "calm", text: "waiting its turn" };
  if (state === "loading") return { tone: "calm", text: "loading" };
  if (state === "withdrawn") return { tone: "calm", text: "withdrawn" };
  if (state === "refused") return { tone: "bad", text: refusalWords[refusalCode ?? ""] ?? "refused" };
  if (recordsRefused > 0 || batchesRefused > 0) return { tone: "warn", text: "loaded in part" };
  return recordsWaiting > 0 ? { tone: "warn", text: "records wait" } : { tone: "good", text: "loaded" };
}

const refusalWords: Readonly<Record<string, string>> = {
  LOAD_ABANDONED: "given up",
  LOAD_CANCELLED: "called off",
  FILE_DUPLICATE: "repeat",
};

export function stateBadge(delivery: Delivery): Html {
  const { tone, text } = outcomeOf(delivery);
  return badge(tone, text);
}
