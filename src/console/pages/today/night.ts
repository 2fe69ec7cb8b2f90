/** Everything that *Today* tells of a scope, read at once; nothing of it is of one session. */
import type { Delivery } from "../../../deliveries/deliveries.ts";
import { type Backlog, type CameOfPartner, countCameBySlot, readBacklog } from "../../../deliveries/night.ts";
import { countBehind } from "../../../deliveries/overview.ts";
import { everyDelivery, searchDeliveries } from "../../../deliveries/search.ts";
import type { WatchedDisk } from "../../../landing/disk-guard.ts";
import { type ExpectedAround, readExpectedAround } from "../../../landing/expected/around.ts";
import { listUnguarded } from "../../../partners/exposure.ts";
import type { ConsoleContext } from "../../context.ts";
import { slotMinutes, slots } from "../../templates/night-line.ts";
import { readZones, type Zones } from "../zones.ts";

const minuteMs = 60_000;
const nightMs = slots * slotMinutes * minuteMs;
/** How far ahead expected files are told. */
const aheadMs = 12 * 60 * minuteMs;
export const heldShownMax = 12;

export type Night = {
  came: readonly CameOfPartner[];
  backlog: readonly Backlog[];
  expected: readonly ExpectedAround[];
  /** One more than is shown, where there are more. */
  held: readonly Delivery[];
  /** Users to be recognised anew. */
  usersBehind: number;
  /** Partners whose callers nothing holds back. */
  unguarded: readonly string[];
  /** Those with too little room; for those who may see all partners alone. */
  low: readonly WatchedDisk[];
  now: Date;
  /** A whole minute: until the next one a partner's line is the same while nothing came. */
  since: Date;
  zones: Zones;
};

/** @param partnerIds whose night; null: everybody's */
export async function readNight(
  { reading, clock, disks }: Pick<ConsoleContext, "reading" | "clock" | "disks">,
  partnerIds: readonly string[] | null,
): Promise<Night> {
  const now = clock.now();
  const since = new Date(Math.ceil((now.getTime() - nightMs) / minuteMs) * minuteMs);
  const [came, backlog, expected, held, usersBehind, unguarded, zones] = await Promise.all([
    countCameBySlot(reading, partnerIds, since, slotMinutes),
    readBacklog(reading, partnerIds),
    readExpectedAround(reading, partnerIds, { since, now, until: new Date(now.getTime() + aheadMs) }),
    searchDeliveries(reading, { ...everyDelivery, partnerIds, result: "held" }, heldShownMax + 1),
    countUsersBehind(reading, partnerIds),
    listUnguarded(reading),
    readZones(reading, partnerIds),
  ]);
  return {
    came,
    backlog,
    expected,
    held,
    usersBehind,
    unguarded: unguarded.filter((id) => partnerIds === null || partnerIds.includes(id)),
    low: partnerIds === null ? disks().filter(({ isLow }) => isLow) : [],
    now,
    since,
    zones,
  };
}

async function countUsersBehind(
  reading: ConsoleContext["reading"],
  partnerIds: readonly string[] | null,
): Promise<number> {
  const counts = await Promise.all((partnerIds ?? [null]).map((id) => countBehind(reading, id)));
  return counts.reduce((total, { usersChanged }) => total + usersChanged, 0);
}

export function sum<Name extends string>(rows: readonly Readonly<Record<Name, number>>[], name: Name): number {
  return rows.reduce((total, row) => total + row[name], 0);
}

/** What came of one partner, as a row tells it. */
export type PartnerNight = {
  partnerId: string;
  timeZone: string;
  /** Expected files that were due, those of earlier nights that never came among them. */
  due: number;
  arrived: number;
  late: number;
  loaded: number;
  partly: number;
  refused: number;
  waiting: number;
  /** Null: nothing waits. */
  oldestWaitingAt: Date | null;
};

/** Those that need somebody first, else by id. */
export function partnersOfNight({ came, backlog, expected, since, zones }: Night): PartnerNight[] {
  const cameOf = new Map(came.map((one) => [one.partnerId, one]));
  const backlogOf = new Map(backlog.map((one) => [one.partnerId, one]));
  const dueOf = Map.groupBy(expected.filter(isDue), ({ partnerId }) => partnerId);
  const ids = [...new Set([...came, ...backlog, ...expected].map(({ partnerId }) => partnerId))].toSorted();
  const lines = ids.map((partnerId) => {
    const own = cameOf.get(partnerId);
    const due = dueOf.get(partnerId) ?? [];
    const waits = backlogOf.get(partnerId);
    const [loaded, partly, refused] = [own?.loaded ?? 0, own?.partly ?? 0, own?.refused ?? 0];
    const late = due.filter(({ state }) => state === "late").length;
    const isMissing = due.some(({ state, dueAt }) => state === "missing" && dueAt >= since);
    const line: PartnerNight = {
      partnerId,
      timeZone: zones.of(partnerId),
      due: due.length,
      arrived: due.filter(({ state }) => state !== "missing").length,
      late,
      loaded,
      partly,
      refused,
      waiting: waits?.deliveries ?? 0,
      oldestWaitingAt: waits?.oldestAt ?? null,
    };
    return { line, isInOrder: partly + refused + late === 0 && !isMissing };
  });
  return lines.toSorted((a, b) => Number(a.isInOrder) - Number(b.isInOrder)).map(({ line }) => line);
}

/** Its time is over, whether it came or not. */
export function isDue({ state }: ExpectedAround): boolean {
  return state === "arrived" || state === "late" || state === "missing";
}
