/**
 * The attacker is a bank, or sends through one: files, users, keys, payees and reasons are called as markup with a script.
 * Somebody with every right opens every page of the console. Does any of it become an element?
 */
import type { Attack } from "./attack.ts";
import { banks, marks, pagesOn, signedIn, townOf } from "./console.ts";

export const attack: Attack = {
  name: "console-stored-script",
  async succeeds(world) {
    const { held, tokens } = await townOf(world);
    const admin = await signedIn(world, world.victim, tokens.admin);
    const { subject } = held[banks.own];
    await admin.get(`/console/users/${subject}`);
    await admin.post(`/console/users/${subject}/show`, { reason: `to see it ${marks.markup}` });
    const found: string[] = [];
    let told = 0;
    for (const at of pagesOn(banks.own, held[banks.own])) {
      const { status, html, headers } = await admin.get(at);
      if (status >= 500) throw new Error(`${at} was answered with ${status}`);
      const isPage = String(headers["content-type"]).startsWith("text/html");
      if (isPage && marks.element.test(html)) found.push(`an element on ${at}`);
      if (html.includes("x-attack")) told += 1;
      const policy = String(headers["content-security-policy"]);
      if (!policy.includes("script-src 'self'") || /unsafe|\*/.test(policy)) found.push(`scripts may run on ${at}`);
      if (headers["x-content-type-options"] !== "nosniff") found.push(`the type may be guessed of ${at}`);
    }
    // It is there, as text: else nothing was tried.
    if (told < 10) throw new Error(`only ${told} pages tell what the bank wrote`);
    await admin.post(`/console/users/${subject}/hide`);
    return {
      succeeded: found.length > 0,
      seen: found.length > 0 ? found.slice(0, 5).join("; ") : `${told} pages show it, each as text`,
    };
  },
};
