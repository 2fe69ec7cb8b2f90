/** `tideline status --night`: what the console's page *Today* tells. */
import { slotsOf } from "../../deliveries/night.ts";
import { isDue, type PartnerNight, partnersOfNight, readNight } from "../../console/pages/today/night.ts";
import { createClock } from "../../time/clock.ts";
import type { Session } from "../service/session.ts";
import { alignColumns, countOf, formatCount, printResult } from "../terminal/result.ts";

/** @param partnerId null: of all */
export async function showNight(
  { database, config }: Session,
  partnerId: string | null,
  asJson: boolean,
): Promise<void> {
  const clock = createClock(config.asOf);
  // Only the running service watches its folders; `status --fleet` looks at this machine's.
  const night = await readNight({ reading: database, clock, disks: () => [] }, partnerId === null ? null : [partnerId]);
  const partners = partnersOfNight(night);
  const came = new Map(night.came.map((one) => [one.partnerId, one]));
  const missing = night.expected.filter(({ state }) => state === "missing");
  printResult(
    asJson,
    {
      since: night.since,
      until: night.now,
      partners: partners.map((one) => {
        const own = came.get(one.partnerId);
        const halfHours = own ? slotsOf(own) : [];
        return { ...one, halfHours };
      }),
      expectedFiles: night.expected,
      held: night.held.map(({ id, partnerId: of, name, state, refusalCode, recordsRefused, recordsWaiting }) => ({
        deliveryId: id,
        partnerId: of,
        file: name,
        state,
        refusalCode,
        recordsRefused,
        recordsWaiting,
      })),
      usersBehind: night.usersBehind,
      unguardedPartners: night.unguarded,
    },
    [
      `The 24 hours until ${night.now.toISOString().slice(0, 16)}Z: ${countOf(partners.length, "partner")}, ${formatCount(missing.length)} of ${countOf(night.expected.filter(isDue).length, "due file")} missing, ${countOf(night.usersBehind, "user")} to recognise`,
      ...(partners.length === 0 ? [] : ["", ...alignColumns([head, ...partners.map((one) => lineOf(one, night.now))])]),
    ],
  );
}

const head = ["PARTNER", "ARRIVED", "LATE", "LOADED", "IN PART", "REFUSED", "WAITING", "OLDEST"];

function lineOf(one: PartnerNight, now: Date): string[] {
  const minutes = one.oldestWaitingAt && Math.floor((now.getTime() - one.oldestWaitingAt.getTime()) / 60_000);
  return [
    one.partnerId,
    one.due === 0 ? "-" : `${formatCount(one.arrived)} of ${formatCount(one.due)}`,
    ...[one.late, one.loaded, one.partly, one.refused, one.waiting].map(formatCount),
    minutes === null ? "-" : `${formatCount(minutes)} min`,
  ];
}
