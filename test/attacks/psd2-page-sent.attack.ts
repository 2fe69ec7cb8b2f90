/**
 * The attacker begins a login of his own and sends his victim the page itself. The victim says yes to everything, and
 * comes back to the partner's app, signed in there as himself. The partner asks for confirmations where it can: does
 * the victim's bank count for the attacker?
 */
import type { Attack } from "./attack.ts";
import { agreeAtBank, initiate, listConsents, newUser, sandboxPartner, toBankChoice } from "./psd2.ts";

export const attack: Attack = {
  name: "psd2-page-sent",
  async succeeds(world) {
    const partner = await sandboxPartner(world, "confirming");
    await world.set(partner.id, "psd2.redirectPrefixes=https://bank.example/app");
    await world.set(partner.id, "psd2RequiresConfirmation=true");
    const [attackers, victims] = [await newUser(partner, "mallory"), await newUser(partner, "anna")];
    const url = await initiate(partner, attackers, { redirectUrl: "https://bank.example/app/done" });
    const loginId = new URL(url).pathname.split("/")[2] ?? "";

    const browser = world.browser(world.victim);
    const authorize = await browser.whereto(await toBankChoice(browser, url), "/bank", { bank: "sandbox" });
    if (authorize === null) throw new Error("the victim was not sent to the bank");
    const back = new URL((await agreeAtBank(browser, authorize)).url);

    // The victim's app is the partner's own: it confirms for whom it has signed in. The attacker knows the login alone.
    const code = back.searchParams.get("psd2Code");
    const confirm = (token: string, given: string) =>
      partner.call("POST", "/psd2/confirmations", { token, body: { loginId, code: given } });
    const own = code === null ? null : await confirm(victims, code);
    await confirm(attackers, "x".repeat(43));

    const active = (await listConsents(world, partner)).filter(
      ({ bankUserId, state }) => bankUserId === "mallory" && state === "active",
    );
    const status = back.searchParams.get("psd2Status");
    return active.length > 0
      ? { succeeded: true, seen: `the victim's bank counts for the attacker; the end was ${status}` }
      : { succeeded: false, seen: `no consent in effect; the app's confirmation was answered ${own?.status}` };
  },
};
