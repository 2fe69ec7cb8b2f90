/**
 * The attacker logs in as a user, reads, is refused, deletes the user; an operator exports what is held of another. Who
 * looks into the audit trail afterwards: does it tell of each, with whom, from where and with what result?
 */
import { setTimeout as wait } from "node:timers/promises";
import type { Attack } from "./attack.ts";
import { newUser } from "./psd2.ts";

/** Reads and refusals are written as counts, so late. */
const gatheredWithinMs = 13_000;

type Told = { event: string; actor: string; details: Record<string, unknown> };

export const attack: Attack = {
  name: "untraced-calls",
  async succeeds(world) {
    const partner = await world.partner("north");
    const prefix = `/partner/${partner.id}/2.0.0`;
    const token = await newUser(partner, "dora");
    await newUser(partner, "emil");
    await world.call(world.attacker, "GET", `${prefix}/services`, { token });
    await world.call(world.attacker, "GET", `${prefix}/services`, { token: "stolen" });
    await world.call(world.attacker, "DELETE", `${prefix}/users`, { token });
    await world.service.tideline("export", "--partner", partner.id, "--user", "emil");
    await wait(gatheredWithinMs);
    const events = JSON.parse(await world.service.tideline("audit", "--limit", "1000", "--json")) as Told[];
    const from = (event: string, method: string) =>
      events.some(
        (one) =>
          one.event === event &&
          one.details.method === method &&
          (one.details.address === world.attacker || event === "https.login") &&
          typeof one.details.status === "number",
      );
    const traces = {
      "the login": from("https.login", "POST"),
      "the read": from("https.reads", "GET"),
      "the refusal": from("https.refusals", "GET"),
      "the deletion": from("https.changed", "DELETE"),
      "the operator's export": events.some(
        ({ event, actor, details }) =>
          event === "command.started" &&
          actor.startsWith("cli:") &&
          details.command === "export" &&
          JSON.stringify(details).includes("emil"),
      ),
    };
    const missing = Object.entries(traces).flatMap(([name, isThere]) => (isThere ? [] : [name]));
    return {
      succeeded: missing.length > 0,
      seen:
        missing.length > 0
          ? `the trail does not tell of ${missing.join(", ")}`
          : `told: ${Object.keys(traces).join(", ")}`,
    };
  },
};
