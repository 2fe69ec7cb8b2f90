/** The user of an address, as far as the account may see it. */
import { readUserOverview, type UserOverview } from "../../recognition/overview.ts";
import { isAtLeast } from "../access/accounts.ts";
import { shownUntil } from "../access/disclosure.ts";
import { notFound } from "../access/guard.ts";
import { actorOf, type ConsoleContext, partnersOf, type Visit } from "../context.ts";

/** until: null while amounts and names are masked. */
export type Shown = { user: UserOverview; subject: string; until: Date | null };

/** Of the address, and the account's to see. @throws Turned */
export async function ownUser({ reading }: ConsoleContext, visit: Visit): Promise<Shown> {
  const { subject = "" } = visit.request.params as { subject?: string };
  const user = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(subject)
    ? await readUserOverview(reading, subject, partnersOf(visit))
    : null;
  if (user === null || user.deletedAt !== null) notFound("user");
  // An account whose role has become less since sees no more than its role.
  const until = isAtLeast(visit.account.role, "operator") ? await shownUntil(reading, actorOf(visit), user) : null;
  return { user, subject, until };
}
