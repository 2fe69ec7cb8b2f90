/**
 * The attacker is an admin of the console for one bank. He asks every page for what another one has, by its ids, and does
 * every action to it. Does he see or change anything?
 */
import type { Attack } from "./attack.ts";
import { actionsOn, banks, pagesOn, signedIn, townOf } from "./console.ts";
import { asSuperuser } from "./superuser.ts";

export const attack: Attack = {
  name: "console-other-bank",
  async succeeds(world) {
    const { held, tokens } = await townOf(world);
    const limited = await signedIn(world, world.attacker, tokens.limited);
    const all = await signedIn(world, world.victim, tokens.admin);
    const others = held[banks.other];
    // Ids that he asks with come back in addresses of forms; what only the database knows does not.
    const theirs = new RegExp(
      [`anna-of-${banks.other}`, `${banks.other}-(?:refused|accepted|loaded)`, `sftp:${banks.other}`].join("|"),
    );
    const got: string[] = [];
    let asked = 0;
    for (const at of pagesOn(banks.other, others)) {
      const { status, html } = await limited.get(at);
      asked += 1;
      const isFound = status === 200 && Object.values(others).some((id) => at.includes(id));
      const shown = at.includes("anna-of") ? html.replaceAll(/value="[^"]*"/g, "") : html;
      if (isFound || theirs.test(shown)) got.push(`${at} (${status})`);
    }
    // What somebody who sees everything has open is made once for all of one scope, just before he asks for his.
    for (const at of pagesOn(banks.other, others).filter((at) => !at.includes("/users"))) {
      const told = { "x-console-live": "none" };
      const [, { status, html }] = await Promise.all([all.get(at, told), limited.get(at, told)]);
      asked += 1;
      const isFound = status === 200 && Object.values(others).some((id) => at.includes(id));
      if (isFound || theirs.test(html)) got.push(`${at}, told (${status})`);
    }
    const before = await stateOf(world);
    await limited.get("/console/account");
    for (const { at, about, fields } of actionsOn(banks.other, others)) {
      if (about === "session") continue;
      const { status } = await limited.post(at, fields);
      asked += 1;
      if (status < 400) got.push(`${at} (${status})`);
    }
    if ((await stateOf(world)) !== before) got.push("something of the other bank has changed");
    const exported = await limited.post("/console/audit/export");
    if (theirs.test(exported.html)) got.push("the trail's export");
    if (got.length > 0) return { succeeded: true, seen: got.slice(0, 5).join("; ") };
    // What is his he sees: he is not refused for another reason.
    const own = await limited.get(`/console/deliveries/${held[banks.own].loaded}`);
    if (own.status !== 200) throw new Error(`an own delivery was answered with ${own.status}`);
    return { succeeded: false, seen: `${asked} requests: nothing` };
  },
};

async function stateOf(world: Parameters<typeof asSuperuser>[0]): Promise<string> {
  const owner = await asSuperuser(world);
  try {
    const { rows } = await owner.query<{ state: string }>(
      `select concat((select string_agg(id || state || coalesce(quarantine_closed_at::text, ''), ',' order by id) from deliveries where partner_id = $1),
                     (select count(*) from users where partner_id = $1),
                     (select string_agg(state || needs_more_information, ',') from cancellation_cases where user_id in (select id from users where partner_id = $1)),
                     (select count(*) from product_edits), (select count(*) from partners), (select count(*) from guarded_actions),
                     (select count(*) from approvals)) as state`,
      [banks.other],
    );
    return rows[0]?.state ?? "";
  } finally {
    await owner.end();
  }
}
