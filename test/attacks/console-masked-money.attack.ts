/**
 * The attacker has an account of the console and no reason to look at a user's money: he opens every page, and reads what
 * the browser was sent rather than what it shows. Is a name or an amount there before it was shown?
 */
import type { Attack } from "./attack.ts";
import { banks, marks, pagesOn, signedIn, townOf } from "./console.ts";

export const attack: Attack = {
  name: "console-masked-money",
  async succeeds(world) {
    const { held, tokens } = await townOf(world);
    const { subject } = held[banks.own];
    const pages = pagesOn(banks.own, held[banks.own]);
    const told: string[] = [];
    for (const role of ["viewer", "operator", "admin"] as const) {
      const one = await signedIn(world, world.attacker, tokens[role]);
      for (const at of pages) if (marks.shown.test((await one.get(at)).html)) told.push(`${role}: ${at}`);
    }
    // Without a reason nobody is shown anything, and what one is shown another is not.
    const operator = await signedIn(world, world.attacker, tokens.operator);
    await operator.post(`/console/users/${subject}/show`, { reason: "" });
    if (marks.shown.test((await operator.get(`/console/users/${subject}`)).html)) told.push("without a reason");
    const admin = await signedIn(world, world.victim, tokens.admin);
    await admin.post(`/console/users/${subject}/show`, { reason: "a call of the customer" });
    if (!marks.shown.test((await admin.get(`/console/users/${subject}`)).html))
      throw new Error("with a reason nothing is shown either: nothing was tried");
    if (marks.shown.test((await operator.get(`/console/users/${subject}`)).html)) told.push("what an admin was shown");
    await admin.post(`/console/users/${subject}/hide`);
    if (marks.shown.test((await admin.get(`/console/users/${subject}`)).html)) told.push("after it was masked again");
    return {
      succeeded: told.length > 0,
      seen: told.length > 0 ? told.slice(0, 5).join("; ") : `${pages.length} pages by three roles: masked until shown`,
    };
  },
};
