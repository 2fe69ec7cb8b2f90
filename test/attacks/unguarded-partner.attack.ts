/**
 * The service listens beyond its machine, and a partner has neither networks nor certificates nor signatures. Can
 * somebody with no key at all find out who its users are, create some, and push a forged salary?
 */
import type { Attack } from "./attack.ts";
import { payments, push } from "./bank.ts";

export const attack: Attack = {
  name: "unguarded-partner",
  service: { flags: ["--host", "0.0.0.0"] },
  async succeeds(world) {
    const partner = await world.partner("unguarded");
    const users = `/partner/${partner.id}/2.0.0/users`;
    const create = { body: { bankUserId: "anna", brand: partner.brand.id, locale: "en-GB" } };
    const created = (await world.call(world.attacker, "POST", users, create)).status;
    const enumerated = (await world.call(world.attacker, "POST", users, create)).status;
    const day = new Date().toISOString().slice(0, "2026-06-15".length);
    const salary = [{ txid: "forged", day, amount: 90_000, description: "SALARY", type: "SALARY" }];
    const pushed = await push(world, world.attacker, partner, payments("anna", salary)).then(
      ({ status }) => String(status),
      () => "no key to encrypt to",
    );
    const seen = `a user created: ${created}, asked for: ${enumerated}; a salary pushed: ${pushed}`;
    return { succeeded: created === 201 || enumerated === 409 || pushed === "201", seen };
  },
};
