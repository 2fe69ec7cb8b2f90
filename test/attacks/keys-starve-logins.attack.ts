/** Somebody without any key reads a partner's public keys over and over. Can the bank still log its users in? */
import type { Attack } from "./attack.ts";
import { newUser } from "./psd2.ts";

/** Small, so that the attack is quick: with the default it takes 12,000 reads in a minute. */
const [perMinute, reads, atOnce] = [200, 300, 20];

export const attack: Attack = {
  name: "keys-starve-logins",
  async succeeds(world) {
    const partner = await world.partner("starved");
    await world.set(partner.id, `https.requestsPerMinute=${perMinute}`);
    await newUser(partner, "anna");
    const read = () => world.call(world.attacker, "GET", `/partner/${partner.id}/2.0.0/.well-known/jwks.json`);
    const statuses: number[] = [];
    for (let at = 0; at < reads; at += atOnce)
      statuses.push(...(await Promise.all(Array.from({ length: atOnce }, read))).map(({ status }) => status));
    const login = await partner.login("anna").then(
      () => "answered",
      (error: Error) => error.message.slice(0, "login was answered with 429".length),
    );
    const refused = statuses.filter((status) => status === 429).length;
    return {
      succeeded: login !== "answered",
      seen: `${refused} of ${reads} reads refused; the bank's login: ${login}`,
    };
  },
};
