/** End to end: a partner's file does not come, and those who run the service are told; it comes, and they are told that. */
import { setTimeout as wait } from "node:timers/promises";
import test from "ava";
import { addDelivery } from "../../parties.ts";
import type { Database } from "../../../src/database/database.ts";
import { openMachines, partnerId } from "../fleet.ts";
import { openMailServer, openWebhook } from "./receivers.ts";

test("a file that does not come fires an alert by mail and webhook, once, and one that comes late ends it", async (t) => {
  t.timeout(300_000);
  const { url: smtpUrl, mails } = await openMailServer(t);
  const { url, posts } = await openWebhook(t);
  const { open, database } = await openMachines(t, {
    TIDELINE_ALERT_SMTP_URL: smtpUrl,
    TIDELINE_ALERT_MAIL_FROM: "tideline@bank.example",
    TIDELINE_ALERT_MAIL_TO: "desk@bank.example",
    TIDELINE_ALERT_WEBHOOK_URL: url,
    TIDELINE_ALERT_WEBHOOK_PRIVATE_ADDRESS: "allowed",
    TIDELINE_ALERT_EVERY_SECONDS: "1",
  });
  const yesterday = await expectYesterday(database);
  await Promise.all([open("first", "scheduler"), open("second", "scheduler")]);

  const subject = `file-late: ${partnerId}/nightly/${yesterday}`;
  const ofFile = () => mails.filter(({ headers }) => headers.subject?.includes("file-late"));
  await until(() => ofFile().length > 0 && posts.some(({ body }) => body.includes("file-late")));
  t.is(ofFile()[0]?.headers.subject, `[Tideline!] ${subject}`);
  t.regex(ofFile()[0]?.text ?? "", new RegExp(`^The file nightly of north, due on ${yesterday}, has not come\\.`));

  const { id } = await addDelivery(database, partnerId, "loaded", { name: `tx-${yesterday}.jsonl` });
  await database.query("update deliveries set accepted_at = now() where id = $1", [id]);
  await open("third", "scheduler");
  await until(() => ofFile().length > 1 && posts.filter(({ body }) => body.includes("file-late")).length > 1);
  t.deepEqual(
    ofFile().map(({ headers }) => headers.subject),
    [`[Tideline!] ${subject}`, `[Tideline] recovered: ${subject}`],
    "two schedulers that saw it told it once",
  );
  t.deepEqual(
    posts
      .map(({ body }) => JSON.parse(body) as { type: string; data: { alert: string } })
      .filter(({ data }) => data.alert === "file-late")
      .map(({ type }) => type),
    ["alert.firing", "alert.recovered"],
  );
});

/** A file a week, which was due yesterday half an hour after midnight. @returns yesterday */
async function expectYesterday(database: Database): Promise<string> {
  const dayMs = 86_400_000;
  const yesterday = new Date(Date.now() - dayMs).toISOString().slice(0, 10);
  const since = `${yesterday}T00:00:00.000Z`;
  const nightly = {
    name: "nightly",
    pattern: "tx-{YYYY}-{MM}-{DD}.jsonl",
    cutoff: "00:30",
    timeZone: "UTC",
    graceMinutes: 0,
  };
  const weekday = new Date(`${yesterday}T00:00:00Z`).getUTCDay() || 7;
  await database.query("update partners set settings = jsonb_build_object('expectedFiles', $2::jsonb) where id = $1", [
    partnerId,
    JSON.stringify([{ ...nightly, days: { weekdays: [weekday] }, since }]),
  ]);
  return yesterday;
}

async function until(met: () => boolean): Promise<void> {
  while (!met()) await wait(50);
}
