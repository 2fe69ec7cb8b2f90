/**
 * How ids stay from one version of the algorithm to another: what became of each service that the earlier one had found.
 * Pure.
 */

export type IdentifiedService = { id: string; txids: readonly string[] };

export type IdTally = {
  /** Found again under its own id. */
  same: number;
  /** The same payee's service has another id now. */
  changed: number;
  /** It went into another one that was known, too, and has that one's id. */
  merged: number;
  gone: number;
  /** Services now that nothing of before became. */
  fresh: number;
};

export const noIds: IdTally = { same: 0, changed: 0, merged: 0, gone: 0, fresh: 0 };

/** A service whose id changed, by its ids before and now. */
export type ChangedId = { from: string; into: string };

/**
 * @param series txids of each recurring payment of the user as it is known: services of one are one payee's, even where
 *   they have no payment in common.
 */
export function compareIds(
  before: readonly IdentifiedService[],
  after: readonly IdentifiedService[],
  series: readonly (readonly string[])[],
): { tally: IdTally; changed: ChangedId[] } {
  const seriesOf = new Map(series.flatMap((txids, at) => txids.map((txid) => [txid, at] as const)));
  const heirs = new Map(before.map((service) => [service, heirOf(service, after, seriesOf)]));
  const byId = new Map(before.map((service) => [service.id, service]));
  const tally = { ...noIds };
  const changed: ChangedId[] = [];
  for (const [service, heir] of heirs) {
    if (heir === null) tally.gone += 1;
    else if (heir.id === service.id) tally.same += 1;
    else if (isMerged(heir, byId, heirs)) tally.merged += 1;
    else {
      tally.changed += 1;
      changed.push({ from: service.id, into: heir.id });
    }
  }
  const inherited = new Set(heirs.values());
  tally.fresh = after.filter((service) => !inherited.has(service)).length;
  return { tally, changed };
}

export function addIds(a: IdTally, b: IdTally): IdTally {
  return {
    same: a.same + b.same,
    changed: a.changed + b.changed,
    merged: a.merged + b.merged,
    gone: a.gone + b.gone,
    fresh: a.fresh + b.fresh,
  };
}

/** Of the services that are found again; 1 where there are none. */
export function shareKept({ same, changed }: IdTally): number {
  return same + changed === 0 ? 1 : same / (same + changed);
}

/**
 * The service that has most of its payments, its own id first among equals; where none has any, one of the same known
 * payee. Null: there is none.
 */
function heirOf(
  { id, txids }: IdentifiedService,
  after: readonly IdentifiedService[],
  seriesOf: ReadonlyMap<string, number>,
): IdentifiedService | null {
  const own = new Set(txids);
  const ofPayee = usualSeries(txids, seriesOf);
  const candidates = after
    .map((service) => ({
      service,
      shared: service.txids.filter((txid) => own.has(txid)).length,
      isPayee: ofPayee !== null && usualSeries(service.txids, seriesOf) === ofPayee,
    }))
    .filter(({ shared, isPayee }) => shared > 0 || isPayee)
    .sort((a, b) => b.shared - a.shared || Number(b.service.id === id) - Number(a.service.id === id));
  return candidates[0]?.service ?? null;
}

/** The known series that more than half of the payments are of. */
function usualSeries(txids: readonly string[], seriesOf: ReadonlyMap<string, number>): number | null {
  const counts = new Map<number, number>();
  for (const txid of txids) {
    const at = seriesOf.get(txid);
    if (at !== undefined) counts.set(at, (counts.get(at) ?? 0) + 1);
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  return most !== undefined && most[1] * 2 > txids.length ? most[0] : null;
}

/** Its id is another earlier service's that went into it as well: not where two have changed places. */
function isMerged(
  heir: IdentifiedService,
  byId: ReadonlyMap<string, IdentifiedService>,
  heirs: ReadonlyMap<IdentifiedService, IdentifiedService | null>,
): boolean {
  const owner = byId.get(heir.id);
  return owner !== undefined && heirs.get(owner) === heir;
}
