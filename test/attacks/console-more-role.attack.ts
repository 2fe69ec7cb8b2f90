/**
 * The attacker has an account of the console, and sends the requests of those who may do more: every action, with the
 * token of his own forms, and every page that is theirs. Is any of it done or shown?
 */
import type { Attack } from "./attack.ts";
import { actionsOn, banks, type Role, signedIn, townOf } from "./console.ts";

const roles: readonly Role[] = ["viewer", "operator", "admin"];

export const attack: Attack = {
  name: "console-more-role",
  async succeeds(world) {
    const { held, tokens } = await townOf(world);
    const got: string[] = [];
    let refused = 0;
    const actions = actionsOn(banks.own, held[banks.own]);
    for (const role of ["viewer", "operator"] as const) {
      const one = await signedIn(world, world.attacker, tokens[role]);
      for (const { at, needs, fields } of actions) {
        if (roles.indexOf(needs) <= roles.indexOf(role)) continue;
        const { status } = await one.post(at, fields);
        if (status === 403) refused += 1;
        else got.push(`${role}: ${at} (${status})`);
      }
      for (const at of pagesOf(role, held[banks.own])) {
        const { status } = await one.get(at);
        if (status === 403) refused += 1;
        else got.push(`${role}: ${at} (${status})`);
      }
    }
    if (got.length > 0) return { succeeded: true, seen: got.slice(0, 5).join("; ") };
    // His own actions are heard: he is not refused for another reason.
    const operator = await signedIn(world, world.attacker, tokens.operator);
    const { status } = await operator.post(`/console/users/${held[banks.own].subject}/hide`);
    if (status !== 303) throw new Error(`an operator's own action was answered with ${status}`);
    return { succeeded: false, seen: `${refused} requests refused` };
  },
};

function pagesOf(
  role: "viewer" | "operator",
  { subject, refused, loaded }: { subject: string; refused: string; loaded: string },
) {
  const admins = [
    `/console/deliveries/${refused}/drop`,
    `/console/deliveries/${loaded}/withdraw`,
    `/console/users/${subject}/export`,
    `/console/users/${subject}/erase`,
    "/console/partners/new",
    "/console/catalogue/new",
  ];
  return role === "operator" ? admins : [...admins, "/console/audit", "/console/approvals"];
}
