/** The filter of deliveries as an address has it, so that a link can be sent. Pure. */
import { deliveryStates } from "../../deliveries/deliveries.ts";
import { type DeliveryFilter, deliveryResults, doors } from "../../deliveries/search.ts";
import { addDays } from "../../time/calendar.ts";
import { cutoffOf } from "../../landing/expected/occurrences.ts";

export type FilterTexts = Readonly<
  Record<"partner" | "door" | "state" | "result" | "since" | "until" | "name" | "correlation", string>
>;

export const filterNames = ["partner", "name", "state", "result", "door", "since", "until", "correlation"] as const;

export function textsOf(given: Readonly<Record<string, string>>): FilterTexts {
  return Object.fromEntries(filterNames.map((name) => [name, given[name] ?? ""])) as FilterTexts;
}

/** What is not understood is not looked for, and told. Days are those of the zone. */
export function readFilter(
  texts: FilterTexts,
  partnerIds: readonly string[] | null,
  zone: string,
): { filter: DeliveryFilter; problems: string[] } {
  const problems: string[] = [];
  const oneOf = <Choice extends string>(text: string, choices: readonly Choice[], what: string): Choice | null => {
    const found = choices.find((choice) => choice === text) ?? null;
    if (text !== "" && found === null) problems.push(`There is no ${what} “${text}”.`);
    return found;
  };
  const instant = (text: string, isEnd: boolean): Date | null => {
    const found = readInstant(text, zone, isEnd);
    if (text !== "" && found === null)
      problems.push(`“${text}” is no day such as 2026-11-23, and no instant such as 2026-11-23T02:00Z.`);
    return found;
  };
  const filter: DeliveryFilter = {
    partnerIds,
    partnerId: texts.partner === "" ? null : texts.partner,
    door: oneOf(texts.door, doors, "door"),
    state: oneOf(texts.state, [...deliveryStates, "open"] as const, "state"),
    result: oneOf(texts.result, deliveryResults, "result"),
    since: instant(texts.since, false),
    until: instant(texts.until, true),
    name: texts.name === "" ? null : texts.name,
    correlationId: texts.correlation === "" ? null : texts.correlation,
  };
  return { filter, problems };
}

/** A day is meant whole: as an end, the beginning of the next one. */
export function readInstant(text: string, timeZone: string, isEnd: boolean): Date | null {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)))
    return cutoffOf({ cutoff: "00:00", timeZone }, isEnd ? addDays(text, 1) : text);
  const at = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(text) ? new Date(text) : null;
  return at === null || Number.isNaN(at.getTime()) ? null : at;
}

/** The same filter as an address, with some fields changed. */
export function addressOf(texts: FilterTexts, changes: Readonly<Record<string, string>> = {}): string {
  const all = { ...texts, ...changes };
  const query = new URLSearchParams(Object.entries(all).filter(([, text]) => text !== ""));
  return `/console/deliveries${query.size === 0 ? "" : `?${query.toString()}`}`;
}
