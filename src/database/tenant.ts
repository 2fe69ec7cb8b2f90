/**
 * For whom the present work runs: what row-level security lets the connections of the API see. It follows a call
 * through every await.
 */
import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Null: not known yet, and then nothing of any partner, or of any user, is seen. partnerId: several joined by commas,
 * where one statement takes in what several partners deliver; it sees nothing but deliveries. subject: users.subject.
 */
export type Tenant = { partnerId: string | null; subject: string | null };

/** One user of one partner. */
export type TenantUser = { partnerId: string; subject: string };

const nobody: Tenant = { partnerId: null, subject: null };
const present = new AsyncLocalStorage<Tenant>();

/** Runs `work` for a tenant. The object may be told more, by `setTenant`, while the work goes on. */
export function runFor<Result>(tenant: Tenant, work: () => Result): Result {
  return present.run(tenant, work);
}

/** Of work that runs for nobody: nobody. */
export function presentTenant(): Tenant {
  return present.getStore() ?? nobody;
}

/** What the present work found out about its caller. Without a `runFor` around it, this is a bug. */
export function setTenant({ partnerId, subject }: Tenant): void {
  const tenant = present.getStore();
  if (tenant === undefined) throw new Error("nobody's work cannot become somebody's");
  tenant.partnerId = partnerId;
  tenant.subject = subject;
}
