/**
 * The attacker has read along: a login JWT without a jti, and the token that it brought. The operator does what he can.
 * What still works for the attacker?
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { importPKCS8, SignJWT } from "jose";
import type { Attack } from "./attack.ts";
import { newUser } from "./psd2.ts";

/** Changes are in force within this. */
const inForceMs = 2_000;

export const attack: Attack = {
  name: "login-stolen",
  async succeeds(world) {
    const partner = await world.partner("north");
    await world.set(partner.id, "login.jti=required");
    const prefix = `/partner/${partner.id}/2.0.0`;
    const token = await newUser(partner, "carl");
    const key = await importPKCS8(await readFile(path.join(partner.folder, "login.pem"), "utf8"), "RS256");
    const payload = await new SignJWT({ brand: partner.brand.id })
      .setProtectedHeader({ alg: "RS256" })
      .setSubject("carl")
      .setIssuedAt()
      .setExpirationTime("5m")
      .sign(key);
    const logIn = () => world.call(world.attacker, "POST", `${prefix}/users/logins`, { body: { payload } });
    const replayed = [(await logIn()).status, (await logIn()).status];

    const revoked = await world.service.tideline("tokens", "revoke", "--partner", partner.id, "--user", "carl").then(
      () => "done",
      () => "no such command",
    );
    await wait(inForceMs);
    const read = await world.call(world.attacker, "GET", `${prefix}/transactions`, { token });
    const seen = `the JWT without a jti, twice: ${replayed.join(", ")}; ending tokens: ${revoked}; then the stolen one: ${read.status}`;
    return { succeeded: replayed.includes(200) || read.status !== 401, seen };
  },
};
