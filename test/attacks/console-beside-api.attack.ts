/**
 * The console is on the API's listener, whose port is open to every bank. Each attack on the console is made there, and what
 * that listener adds: connections that starve the other side, a bank connection's cookie beside the operator's, an answer of
 * one side given by the other.
 */
import type { Attack, World } from "./attack.ts";
import { banks, signedIn, townOf } from "./console.ts";
import { attack as fixedSession } from "./console-fixed-session.attack.ts";
import { attack as forgedForms } from "./console-forged-forms.attack.ts";
import { attack as maskedMoney } from "./console-masked-money.attack.ts";
import { attack as moreRole } from "./console-more-role.attack.ts";
import { attack as otherBank } from "./console-other-bank.attack.ts";
import { attack as storedScript } from "./console-stored-script.attack.ts";

const floodedTimes = 300;
const floodedAtOnce = 40;
const answersWithinMs = 2_000;

export const attack: Attack = {
  name: "console-beside-api",
  service: { environment: { TIDELINE_CONSOLE_PORT: "api" } },
  async succeeds(world) {
    if (world.service.consolePort !== world.service.httpsPort) throw new Error("the console has a listener of its own");
    const all = [fixedSession, maskedMoney, moreRole, otherBank, storedScript, forgedForms];
    const seen: string[] = [];
    for (const { name, succeeds } of all) {
      const found = await succeeds(world);
      if (found.succeeded) seen.push(`${name}: ${found.seen}`);
    }
    seen.push(...(await answeredByTheOther(world)), ...(await starved(world)));
    return {
      succeeded: seen.length > 0,
      seen:
        seen.length > 0
          ? seen.join("; ")
          : `${all.length} attacks on the console fail there too; neither starves the other`,
    };
  },
};

/** A page where a program expects the interface, or the interface's rights for whoever has a console's cookie. */
async function answeredByTheOther(world: World): Promise<string[]> {
  const { tokens } = await townOf(world);
  const admin = await signedIn(world, world.victim, tokens.admin);
  const asUser = await admin.get(`/partner/${banks.own}/2.0.0/services`, { accept: "application/json" });
  const asToken = await admin.get(`/partner/${banks.own}/2.0.0/services`, {
    accept: "application/json",
    authorization: `Bearer ${tokens.admin}`,
  });
  const planted = `__Host-tideline-console=${"A".repeat(43)}; ${admin.cookie.replace("console", "00000000-0000-4000-8000-000000000000")}`;
  const asPsd2 = await world.call(world.attacker, "GET", "/console", { headers: { cookie: planted } });
  const slips = ["/console/..%2fmetrics", "/console%2f", "//console", "/console;/metrics"].map(async (at) => {
    const { status } = await world.call(world.attacker, "GET", at);
    return status < 300 ? `${at} was answered with ${status}` : null;
  });
  return [
    asUser.status === 401 ? null : `a console's cookie reads services: ${asUser.status}`,
    asToken.status === 401 ? null : `a console's token reads services: ${asToken.status}`,
    asPsd2.status === 303 ? null : `a bank connection's cookie is signed in: ${asPsd2.status}`,
    ...(await Promise.all(slips)),
  ].filter((one) => one !== null);
}

/** From one address: pages of whoever is nobody, tries to sign in, then calls of the interface. */
async function starved(world: World): Promise<string[]> {
  const { tokens } = await townOf(world);
  const admin = await signedIn(world, world.victim, tokens.admin);
  const slow: string[] = [];
  for (const at of ["/console?x", "/console/sign-in", `/partner/${banks.own}/2.0.0/services`]) {
    let left = floodedTimes;
    const flood = Promise.all(
      Array.from({ length: floodedAtOnce }, async () => {
        while (left-- > 0) await world.call(world.attacker, "GET", at).catch(() => undefined);
      }),
    );
    const startedAt = performance.now();
    const [page, call] = await Promise.all([
      admin.get("/console"),
      world.call(world.victim, "GET", "/health/ready").catch(() => ({ status: 0 })),
    ]);
    const ms = performance.now() - startedAt;
    if (page.status !== 200 || call.status !== 200 || ms > answersWithinMs)
      slow.push(`beside ${at}: ${page.status} and ${call.status} after ${ms.toFixed(0)} ms`);
    await flood;
  }
  return slow;
}
