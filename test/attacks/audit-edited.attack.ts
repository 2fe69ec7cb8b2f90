/**
 * Somebody who owns the database has done something that the audit trail tells: a key was added to a partner. He changes,
 * removes and exchanges events until it does not. Does the operator find out?
 */
import { setTimeout as wait } from "node:timers/promises";
import type { Attack, World } from "./attack.ts";
import { asSuperuser } from "./superuser.ts";

/** By then what was written is chained. */
const chainedWithinMs = 12_000;

const deeds = {
  changed:
    "update audit_events set actor = 'cli:somebody-else' where id = (select max(id) from audit_events where event like 'partner.%')",
  removed: "delete from audit_events where id = (select max(id) from audit_events where event like 'partner.%')",
  "exchanged with another": `
    create temporary table two as select * from audit_events where event like 'partner.%' order by id limit 2;
    delete from audit_events where id in (select id from two);
    insert into audit_events (id, at, partner_id, actor, event, details) overriding system value
      select (select sum(id) from two) - id, at, partner_id, actor, event, details from two;
    drop table two`,
} as const;

export const attack: Attack = {
  name: "audit-edited",
  service: { alone: true },
  async succeeds(world) {
    await world.partner("north");
    await wait(chainedWithinMs);
    if (!(await isTold(world))) return { succeeded: true, seen: "there is no audit verify" };
    const owner = await asSuperuser(world);
    const unseen: string[] = [];
    try {
      for (const [name, statement] of Object.entries(deeds)) {
        // Each deed alone: as it was before, after it.
        await owner.query("create table trail_before as select * from audit_events");
        await owner.query("alter table audit_events disable trigger all");
        await owner.query(statement);
        if (await isTold(world)) unseen.push(name);
        await owner.query("delete from audit_events where id in (select id from trail_before)");
        await owner.query("insert into audit_events overriding system value select * from trail_before");
        await owner.query("drop table trail_before");
      }
    } finally {
      await owner.end();
    }
    const restored = await isTold(world);
    if (!restored) throw new Error("the trail is not as before: what was told above proves nothing");
    return {
      succeeded: unseen.length > 0,
      seen:
        unseen.length > 0 ? `not found: events ${unseen.join(", ")}` : `found: events ${Object.keys(deeds).join("; ")}`,
    };
  },
};

/** Whether the operator is told that the trail is as it was written. */
async function isTold(world: World): Promise<boolean> {
  return await world.service.tideline("audit", "verify").then(
    () => true,
    () => false,
  );
}
