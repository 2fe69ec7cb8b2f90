/** What a run changed in services that users see. Pure. */
import type { StoredService } from "../remembered.ts";

/** Counts of services. */
export type Changes = {
  servicesNew: number;
  servicesGone: number;
  frequenciesChanged: number;
  statusesChanged: number;
};

export const noChanges: Changes = { servicesNew: 0, servicesGone: 0, frequenciesChanged: 0, statusesChanged: 0 };

type Seen = Pick<StoredService, "id" | "status" | "paymentFrequency">;

/** A status of null: known, and not found; a service that went into another one is not among the later ones. */
export function changesBetween(before: readonly Seen[], after: readonly Seen[]): Changes {
  const earlier = new Map(before.filter(({ status }) => status !== null).map((service) => [service.id, service]));
  const later = after.filter(({ status }) => status !== null);
  const known = later.flatMap((service) => {
    const was = earlier.get(service.id);
    return was === undefined ? [] : [{ was, service }];
  });
  return {
    servicesNew: later.length - known.length,
    servicesGone: earlier.size - known.length,
    frequenciesChanged: known.filter(({ was, service }) => was.paymentFrequency !== service.paymentFrequency).length,
    statusesChanged: known.filter(({ was, service }) => was.status !== service.status).length,
  };
}

export function addChanges(a: Changes, b: Changes): Changes {
  return {
    servicesNew: a.servicesNew + b.servicesNew,
    servicesGone: a.servicesGone + b.servicesGone,
    frequenciesChanged: a.frequenciesChanged + b.frequenciesChanged,
    statusesChanged: a.statusesChanged + b.statusesChanged,
  };
}
