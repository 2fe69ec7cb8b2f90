/** What a page asks another operator's word for, and who may ask and decide. */
import { findSubjectUsers } from "../../data-subjects/export.ts";
import { findDeliveries, findDelivery } from "../../deliveries/deliveries.ts";
import {
  type Approval,
  type ApprovedAction,
  guardableActions,
  keyKinds,
  type Subject,
} from "../../operations/approvals.ts";
import { releaseOf } from "../../operations/deliveries.ts";
import { nameUsers } from "../../partners/users.ts";
import { readUserOverview } from "../../recognition/overview.ts";
import { type ConsoleRole, isAtLeast } from "../access/accounts.ts";
import { notFound, Turned } from "../access/guard.ts";
import { type ConsoleContext, maySee, partnersOf, type Visit } from "../context.ts";
import { html, type Html } from "../templates/html.ts";

export const words: Readonly<Record<ApprovedAction, string>> = {
  withdraw: "Withdraw a delivery",
  release: "Release what is held",
  "rotate-keys": "Rotate keys",
  erase: "Erase a user",
  unguard: "Let one operator do it alone",
};

/** As without a second one. */
const needs: Readonly<Record<ApprovedAction, ConsoleRole>> = {
  withdraw: "admin",
  release: "operator",
  "rotate-keys": "admin",
  erase: "admin",
  unguard: "admin",
};

/** What is about the whole service is for those who see all of it. */
export function mayDecide({ account }: Visit, { action, partnerId }: Pick<Approval, "action" | "partnerId">): boolean {
  if (!isAtLeast(account.role, needs[action])) return false;
  return account.partnerIds === null || (partnerId !== null && account.partnerIds.includes(partnerId));
}

export type Wanted = { action: ApprovedAction; partnerId: string | null; subject: Subject };

/** Of the fields of an address or a form. @throws Turned */
export async function wantedOf({ reading }: ConsoleContext, visit: Visit): Promise<Wanted> {
  const { action: text = "", delivery: id = "", field = "", user: userSubject = "", about = "" } = visit.given;
  const wanted = await (async (): Promise<Wanted> => {
    if (text === "withdraw" || text === "release") {
      const delivery = isId(id) ? await findDelivery(reading, id) : null;
      if (delivery === null || !maySee(visit, delivery.partnerId)) notFound("delivery");
      const subject = text === "withdraw" ? { deliveryId: id } : releaseOf(id, field === "" ? null : field);
      return { action: text, partnerId: delivery.partnerId, subject };
    }
    if (text === "erase") {
      const user = isId(userSubject) ? await readUserOverview(reading, userSubject, partnersOf(visit)) : null;
      if (user === null) notFound("user");
      const userIds = await findSubjectUsers(reading, user.partnerId, user.bankUserId);
      return { action: text, partnerId: user.partnerId, subject: { userIds } };
    }
    const keys = keyKinds.find((one) => one === about);
    if (text === "rotate-keys" && keys !== undefined) return { action: text, partnerId: null, subject: { keys } };
    const action = guardableActions.find((one) => one === about);
    if (text === "unguard" && action !== undefined)
      return { action: text, partnerId: null, subject: { unguard: action } };
    return notFound("request");
  })();
  if (!mayDecide(visit, wanted))
    throw new Turned(403, "Not with your role", `This needs the role ${needs[wanted.action]}.`);
  return wanted;
}

function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** What requests are about, as links, in their order. */
export async function describeSubjects(
  { reading }: Pick<ConsoleContext, "reading">,
  requests: readonly Pick<Approval, "subject">[],
): Promise<Html[]> {
  const subjects = requests.map(({ subject }) => subject);
  const deliveryIds = subjects.flatMap((one) => ("deliveryId" in one ? [one.deliveryId] : []));
  const [deliveries, users] = await Promise.all([
    deliveryIds.length === 0 ? [] : findDeliveries(reading, deliveryIds),
    nameUsers(
      reading,
      subjects.flatMap((one) => ("userIds" in one ? one.userIds : [])),
    ),
  ]);
  return subjects.map((subject) => {
    if ("deliveryId" in subject) {
      const found = deliveries.find(({ id }) => id === subject.deliveryId);
      const problem = subject.field === undefined ? "" : `, refused for ${subject.field}`;
      return html`<a href="/console/deliveries/${subject.deliveryId}"
          >${found?.name ?? found?.requestId ?? subject.deliveryId}</a
        >${problem}`;
    }
    if ("userIds" in subject) {
      const found = users.findLast(({ id }) => subject.userIds.includes(id));
      if (!found) return html`<span class="quiet">a user who is gone</span>`;
      return found.isLive
        ? html`<a href="/console/users/${found.subject}">${found.bankUserId}</a>`
        : html`${found.bankUserId} <span class="quiet">(deleted)</span>`;
    }
    return html`${"keys" in subject ? subject.keys : subject.unguard}`;
  });
}
