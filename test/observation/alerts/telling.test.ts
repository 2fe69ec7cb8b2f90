/** What several processes see is one alert: told once on each channel, again while it lasts, and once when it is over. */
import test from "ava";
import { Webhook } from "standardwebhooks";
import type { Database } from "../../../src/database/database.ts";
import { createEvents, type EventName, type Events } from "../../../src/events.ts";
import type { Condition } from "../../../src/observation/alerts/conditions.ts";
import { sendDue } from "../../../src/observation/alerts/send.ts";
import { noteConditions } from "../../../src/observation/alerts/table.ts";
import { createTestDatabase } from "../../world.ts";
import { openMailServer, openWebhook } from "./receivers.ts";

const late: Condition = { name: "file-late", subject: "north/nightly", severity: "page", summary: "It has not come." };
const old: Condition = { name: "rates-old", subject: "", severity: "ticket", summary: "Of last year." };
const both = { channels: ["webhook", "mail"] as const, repeatHours: 24, goneAfterSeconds: 120 };
const kinds = (told: Awaited<ReturnType<typeof noteConditions>>) => told.map(({ kind, name }) => `${kind} ${name}`);
const messages = async (database: Database) =>
  (
    await database.query<{ what: string }>(
      "select channel || ' ' || kind || ' ' || name as what from alert_messages order by name, kind, channel desc",
    )
  ).rows.map(({ what }) => what);

test("an alert is told once on each channel however often and by however many it is seen", async (t) => {
  const { database } = await createTestDatabase(t);
  const seen = await Promise.all([1, 2, 3].map(() => noteConditions(database, [late, old], both)));
  t.deepEqual(seen.flatMap(kinds).toSorted(), ["firing file-late", "firing rates-old"]);
  t.deepEqual(await noteConditions(database, [late, old], both), []);
  t.deepEqual(await messages(database), [
    "webhook firing file-late",
    "mail firing file-late",
    "webhook firing rates-old",
    "mail firing rates-old",
  ]);
});

test("what lasts is told again after a day; what nobody sees any more is over, and told so once", async (t) => {
  const { database } = await createTestDatabase(t);
  await noteConditions(database, [late, old], both);
  await database.query(
    "update alerts set told_at = now() - interval '23 hours', seen_at = now() - interval '2 minutes'",
  );
  t.deepEqual(await noteConditions(database, [late, old], both), []);
  await database.query("update alerts set told_at = now() - interval '25 hours'");
  t.deepEqual(kinds(await noteConditions(database, [late], both)), ["reminder file-late"]);

  await database.query("update alerts set seen_at = now() - interval '119 seconds'");
  t.deepEqual(await noteConditions(database, [], both), []);
  await database.query("update alerts set seen_at = now() - interval '121 seconds'");
  t.deepEqual(
    await noteConditions(database, [], { ...both, goneAfterSeconds: null }),
    [],
    "who has just begun to look",
  );
  t.deepEqual(kinds(await noteConditions(database, [late], both)), ["recovered rates-old"]);
  t.deepEqual(await noteConditions(database, [late], both), []);
  await database.query("update alerts set seen_at = now() - interval '121 seconds'");
  await noteConditions(database, [], both);
  t.deepEqual(kinds(await noteConditions(database, [late], both)), ["firing file-late"], "when it comes back");
});

test("a mail and a signed post say what is wrong and since when, to an SMTP server with a login and over HTTP", async (t) => {
  const { database } = await createTestDatabase(t);
  const { url: smtpUrl, mails } = await openMailServer(t);
  const { url, posts } = await openWebhook(t);
  const secret = "c2VjcmV0LW9mLXR3ZW50eS1mb3VyLWJ5dGVz";
  const channels = {
    webhook: { url, secret, allowsPrivateAddresses: true },
    mail: { smtpUrl, from: "tideline@bank.example", to: ["desk@bank.example", "night@bank.example"] },
  };
  await noteConditions(database, [late], both);
  await database.query("update alert_messages set since = '2026-10-01T06:15:00Z', created_at = '2026-10-01T06:15:30Z'");
  const sending = { database, events: createEvents({ level: "silent" }), now: () => new Date() };
  await Promise.all([sendDue(sending, channels), sendDue(sending, channels)]);

  t.is(mails.length, 1);
  t.like(mails[0], {
    from: "tideline@bank.example",
    to: ["desk@bank.example", "night@bank.example"],
    text: "It has not come.\nSince 2026-10-01 06:15 UTC.",
    headers: { subject: "[Tideline!] file-late: north/nightly", "auto-submitted": "auto-generated" },
  });
  t.is(posts.length, 1);
  const [{ body, headers } = { body: "", headers: {} }] = posts;
  t.deepEqual(JSON.parse(body), {
    type: "alert.firing",
    timestamp: "2026-10-01T06:15:30.000Z",
    text: "[Tideline!] file-late: north/nightly\nIt has not come.\nSince 2026-10-01 06:15 UTC.",
    data: {
      alert: "file-late",
      subject: "north/nightly",
      severity: "page",
      summary: "It has not come.",
      since: "2026-10-01T06:15:00.000Z",
    },
  });
  t.notThrows(() => new Webhook(secret).verify(body, headers));
  t.throws(() => new Webhook(secret).verify(body.replace("page", "ticket"), headers));
  await sendDue(sending, channels);
  t.is(mails.length + posts.length, 2, "nothing is sent again");
});

test("what is not taken is sent again, on its channel alone, and given up after a day", async (t) => {
  const { database } = await createTestDatabase(t);
  const { url: smtpUrl, mails } = await openMailServer(t, 1);
  const { url, posts } = await openWebhook(t, [500, 200]);
  const channels = {
    webhook: { url, secret: undefined, allowsPrivateAddresses: true },
    mail: { smtpUrl, from: "tideline@bank.example", to: ["desk@bank.example"] },
  };
  const emitted: EventName[] = [];
  const events = { ...createEvents({ level: "silent" }), emit: (name: EventName) => void emitted.push(name) } as Events;
  const sending = { database, events, now: () => new Date() };
  const pauses = async () =>
    (
      await database.query<{ seconds: number }>(
        "select round(extract(epoch from due_at - now()))::int as seconds from alert_messages order by channel",
      )
    ).rows.map(({ seconds }) => seconds);

  await noteConditions(database, [late], both);
  await sendDue(sending, channels);
  t.deepEqual(emitted, ["alert.not-sent", "alert.not-sent"]);
  for (const seconds of await pauses()) t.true(seconds >= 9 && seconds <= 10);
  await database.query("update alert_messages set due_at = now()");
  await sendDue(sending, channels);
  t.deepEqual(emitted.slice(2), ["alert.sent", "alert.sent"]);
  t.is(mails.length, 1);
  t.deepEqual(
    posts.map(({ headers }) => headers["webhook-id"] === posts[0]?.headers["webhook-id"]),
    [true, true],
    "by the same id, by which a receiver knows it",
  );

  await noteConditions(database, [old], { ...both, channels: ["mail"] });
  const away = { ...channels, mail: { ...channels.mail, smtpUrl: smtpUrl.replace("secret", "wrong") } };
  await sendDue(sending, away);
  t.is((await pauses()).length, 1);
  await database.query("update alert_messages set due_at = now(), created_at = now() - interval '25 hours'");
  await sendDue(sending, away);
  t.deepEqual(await pauses(), []);
  t.is(mails.length, 1);
});

test("without leave no post goes into a private network", async (t) => {
  const { database } = await createTestDatabase(t);
  const { url, posts } = await openWebhook(t);
  await noteConditions(database, [late], { ...both, channels: ["webhook"] });
  const emitted: EventName[] = [];
  const events = { ...createEvents({ level: "silent" }), emit: (name: EventName) => void emitted.push(name) } as Events;
  const webhook = { url, secret: undefined, allowsPrivateAddresses: false };
  await sendDue({ database, events, now: () => new Date() }, { webhook, mail: null });
  t.deepEqual(emitted, ["alert.not-sent"]);
  t.is(posts.length, 0);
});
