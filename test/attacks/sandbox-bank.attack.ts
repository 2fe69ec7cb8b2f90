/**
 * A partner in production beside the embedded database: can its users connect the bank of generated people, so that
 * made-up payments count as theirs, and can anybody else fill that bank with consents?
 */
import type { Attack, World } from "./attack.ts";
import { initiate, newUser, sandboxPartner, toBankChoice } from "./psd2.ts";

/** More than it may hold. */
const [consents, atOnce] = [1_100, 50];

export const attack: Attack = {
  name: "sandbox-bank",
  service: { environment: { TIDELINE_SANDBOX_BANK: "auto" }, alone: true },
  async succeeds(world) {
    const production = await world.partner("production");
    const page = await toBankChoice(
      world.browser(world.attacker),
      await initiate(production, await newUser(production, "malin")),
    ).catch((error: Error) => ({ html: "", status: error.message }));
    const isOffered = /sandbox/i.test(page.html);
    const alone = await makeConsents(world, 1);
    await sandboxPartner(world, "trying");
    const made = await makeConsents(world, consents);
    return {
      succeeded: isOffered || alone > 0 || made >= consents,
      seen: `${isOffered ? "offered" : "not offered"} to a partner in production; consents of nobody known that it took: ${alone} of 1 before a partner tries it, ${made} of ${consents} after`,
    };
  },
};

async function makeConsents(world: World, count: number): Promise<number> {
  const validUntil = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, "2026-06-15".length);
  const make = () =>
    world.call(world.attacker, "POST", "/sandbox-bank/psd2/v1/consents", { body: { validUntil } }).then(
      ({ status }) => status,
      () => 0,
    );
  let made = 0;
  for (let at = 0; at < count; at += atOnce)
    made += (await Promise.all(Array.from({ length: Math.min(atOnce, count - at) }, make))).filter(
      (status) => status === 201,
    ).length;
  return made;
}
