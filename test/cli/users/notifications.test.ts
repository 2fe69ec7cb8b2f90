/** A receiver is set, tried, shown without secrets and removed by commands, and dead messages are replayed. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import { createEvents } from "../../../src/events.ts";
import { createDeliverer } from "../../../src/notifications/deliver.ts";
import { loadKeyEncryptionKey } from "../../../src/partners/keys/key-encryption-key.ts";
import { startRounds } from "../../../src/schedule/rounds.ts";
import { type Behaviour, openSimulator } from "../../../src/demo/receiver.ts";
import { addPartner, addUser } from "../../parties.ts";
import { createTestDatabase } from "../../world.ts";
import { openCommandLine } from "../command.ts";

type Keys = { verificationKey: string; previousVerificationKey: string | null; previousSignsUntil: string };

async function openReceiving(t: ExecutionContext, behaviour: Behaviour = "accept") {
  const { url, database } = await createTestDatabase(t);
  const { tideline, dataDir } = await openCommandLine(t, url);
  const partnerId = await addPartner(database);
  await addUser(database, partnerId, "anna");
  const simulator = await openSimulator({
    port: 0,
    behave: () => behaviour,
    staticToken: "sandbox",
    slowMs: 1,
    report: () => undefined,
  });
  t.teardown(() => simulator.close());
  const tokenFile = path.join(dataDir, "token");
  await writeFile(tokenFile, "sandbox\n");
  const set = (...more: string[]) =>
    tideline("notifications", "receiver", "set", partnerId, "--url", simulator.url, "--token-file", tokenFile, ...more);
  return { database, tideline, partnerId, simulator, set, dataDir };
}

test("a receiver is set, shown without its secrets, and removed; each is audited", async (t) => {
  const { tideline, partnerId, set, database } = await openReceiving(t);
  const ran = await set("--allow-private-addresses", "--json");
  t.is(ran.code, 0, ran.stderr);
  t.regex((JSON.parse(ran.stdout) as { verificationKey: string }).verificationKey, /^whsec_/);
  const shown = await tideline("notifications", "receiver", "show", partnerId);
  t.is(shown.code, 0);
  t.false(shown.stdout.includes("sandbox"));
  t.is((await tideline("notifications", "receiver", "remove", partnerId)).code, 0);
  t.is((await tideline("notifications", "receiver", "show", partnerId)).code, 1);
  const { rows } = await database.query<{ event: string }>(
    "select event from audit_events where event not like 'command.%' order by id",
  );
  t.deepEqual(
    rows.map(({ event }) => event),
    ["partner.receiver-set", "partner.receiver-removed"],
  );
});

test("a receiver's key is rotated: both are told while both sign, the trail has none, and a leaked one ends at once", async (t) => {
  const { tideline, partnerId, set, database } = await openReceiving(t);
  const rotate = (...more: string[]) =>
    tideline("notifications", "receiver", "rotate-key", partnerId, "--json", ...more);
  t.is((await rotate()).code, 1, "there is no receiver yet");
  const { verificationKey: first } = JSON.parse((await set("--allow-private-addresses", "--json")).stdout) as Keys;
  const second = JSON.parse((await rotate("--overlap-days", "3")).stdout) as Keys;
  t.is(second.previousVerificationKey, first);
  t.like(JSON.parse((await tideline("notifications", "receiver", "show", partnerId, "--json")).stdout), second);
  const early = await rotate();
  t.is(early.code, 2);
  t.regex(early.stderr, /signs until .*--overlap-days 0/);
  const third = JSON.parse((await rotate("--overlap-days", "0", "--signing", "ed25519")).stdout) as Keys;
  t.regex(third.verificationKey, /^whpk_/);
  t.is(third.previousVerificationKey, null);
  const { rows } = await database.query<{ trail: string }>(
    "select string_agg(event || details::text, ' ' order by id) as trail from audit_events",
  );
  t.is(rows[0]!.trail.split("partner.receiver-key-rotated").length, 3);
  t.false(rows[0]!.trail.includes("whsec_"));
});

test("what cannot be a receiver is said by its option", async (t) => {
  const { tideline, partnerId, set } = await openReceiving(t);
  const plain = await set();
  t.is(plain.code, 2);
  t.regex(plain.stderr, /--url must be an address starting with https:/);
  const alone = await tideline(
    "notifications",
    "receiver",
    "set",
    partnerId,
    "--url",
    "https://bank.example",
    "--token-url",
    "https://bank.example/token",
  );
  t.is(alone.code, 2);
  t.regex(alone.stderr, /--client-id is missing/);
  t.is(
    (
      await tideline(
        "notifications",
        "receiver",
        "set",
        "nobody",
        "--url",
        "https://bank.example",
        "--token-file",
        "/dev/null",
      )
    ).code,
    1,
  );
});

test("notify-test takes the real path and says how it went", async (t) => {
  const { tideline, partnerId, set, simulator, database, dataDir } = await openReceiving(t);
  const without = await tideline("notify-test", "--partner", partnerId, "--user", "anna");
  t.is(without.code, 2);
  t.regex(without.stderr, /has no receiver/);
  t.is((await set("--allow-private-addresses")).code, 0);
  t.is((await tideline("notify-test", "--partner", partnerId, "--user", "nobody")).code, 1);
  const events = createEvents({ level: "silent" });
  const keyEncryptionKey = await loadKeyEncryptionKey({ keyEncryptionKey: undefined, dataDir });
  const deliverer = createDeliverer({ database, keyEncryptionKey, events, now: () => new Date(), random: Math.random });
  const rounds = startRounds(
    [{ name: "notifications", everyMs: 20, run: async () => void (await deliverer.deliverDue()) }],
    events,
  );
  const tested = await tideline("notify-test", "--partner", partnerId, "--user", "anna");
  await rounds.stop();
  t.is(tested.code, 0, tested.stderr);
  t.regex(tested.stdout, /^Delivered: /);
  t.deepEqual(
    simulator.received.map(({ type, userId }) => [type, userId]),
    [["TEST_NOTIFICATION", "anna"]],
  );
});

test("dead messages are listed and replayed", async (t) => {
  const { tideline, partnerId, database } = await openReceiving(t);
  await database.query(
    `insert into notifications (user_id, partner_id, type, subject, content, state, attempts, last_failure)
     select id, partner_id, 'TEST_NOTIFICATION', 'x', '{}', 'dead', 3, 'HTTP 400' from users`,
  );
  const listed = JSON.parse((await tideline("notifications", "list", "--state", "dead", "--json")).stdout) as {
    id: string;
    lastFailure: string;
  }[];
  t.is(listed[0]?.lastFailure, "HTTP 400");
  t.is((await tideline("notifications", "replay", listed[0]!.id)).code, 0);
  t.is((await tideline("notifications", "replay", "--partner", partnerId)).code, 3);
  const table = await tideline("notifications", "list", "--partner", partnerId);
  t.regex(table.stdout, /TEST_NOTIFICATION\s+pending\s+0/);
  t.is((await tideline("notifications", "replay", "not-an-id")).code, 2);
});
