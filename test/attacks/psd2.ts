/** What attacks on connecting a bank have in common: how anybody gets through its pages. */
import type { Partner } from "../outside/partner.ts";
import type { World } from "./attack.ts";
import type { Browser, Page } from "./browser.ts";

/** A partner whose users may connect the sandbox bank. */
export async function sandboxPartner(world: World, id = "north"): Promise<Partner> {
  const partner = await world.partner(id);
  await world.set(partner.id, "psd2.sandbox=true");
  return partner;
}

export async function initiate(partner: Partner, token: string, body: object = {}): Promise<string> {
  const answer = await partner.call("POST", "/psd2/initiate", { token, body });
  if (answer.status !== 200) throw new Error(`initiate was answered with ${answer.status}: ${answer.text}`);
  // Certificates have both names; sockets bound to an address of 127.0.0.0/8 reach only this one.
  return (JSON.parse(answer.text) as { url: string }).url.replace("//localhost:", "//127.0.0.1:");
}

/** Opens the page and agrees to whatever comes before the choice of a bank. */
export async function toBankChoice(browser: Browser, url: string): Promise<Page> {
  const first = await browser.open(url);
  return first.html.includes("/confirm") ? await browser.send(first, "/confirm") : first;
}

/** At the sandbox bank: signs in and agrees. @returns where it ends, at our callback */
export async function agreeAtBank(browser: Browser, authorize: string): Promise<Page> {
  const signIn = await browser.open(authorize.replace("//localhost:", "//127.0.0.1:"));
  const accounts = await browser.send(signIn, "/accounts");
  const back = await browser.whereto(accounts, "/decision", { decision: "approve" });
  if (back === null) throw new Error("the bank sent nobody back");
  return await browser.open(back.replace("//localhost:", "//127.0.0.1:"));
}

/** A user of the partner, logged in. @returns the bearer token */
export async function newUser(partner: Partner, bankUserId: string): Promise<string> {
  await partner.call("POST", "/users", { body: { bankUserId, brand: partner.brand.id, locale: "en-GB" } });
  return await partner.login(bankUserId);
}

export async function listConsents(
  world: World,
  partner: Partner,
): Promise<readonly { bankUserId: string; state: string }[]> {
  const text = await world.service.tideline("psd2", "consents", "--partner", partner.id, "--json");
  return JSON.parse(text) as { bankUserId: string; state: string }[];
}

export function titleOf({ html }: Page): string {
  return /<title>([^<]*)/.exec(html)?.[1] ?? "";
}
