/** A message reaches its receiver at least once and in order, signed, however the receiver fails and whoever dies. */
import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import test from "ava";
import { Webhook } from "standardwebhooks";
import { inTransaction } from "../../src/database/database.ts";
import { replay, claimDue, writeNotices } from "../../src/notifications/outbox.ts";
import { putReceiver } from "../../src/notifications/receiver.ts";
import { type Behaviour, openSimulator } from "../../src/demo/receiver.ts";
import { deleteUser } from "../../src/partners/users.ts";
import { addPartner, addUser } from "../parties.ts";
import { type NotifyingWorld, openNotifying } from "./world.ts";
import type { Notice } from "../../src/interface/notification.ts";

/** Each user's messages in the order of their first arrival that was accepted. */
function acceptedInOrder(world: NotifyingWorld): Map<string, string[]> {
  const orders = new Map<string, string[]>();
  for (const { userId, id, answered } of world.simulator.received) {
    if (answered !== "accept" && answered !== "slow") continue;
    const order = orders.get(userId) ?? [];
    if (!order.includes(id)) order.push(id);
    orders.set(userId, order);
  }
  return orders;
}

async function writtenInOrder(world: NotifyingWorld): Promise<Map<string, string[]>> {
  const { rows } = await world.database.query<{ uid: string; ids: string[] }>(
    "select users.bank_user_id as uid, array_agg(n.id::text order by n.position) as ids from notifications n join users on users.id = n.user_id group by 1",
  );
  return new Map(rows.map(({ uid, ids }) => [uid, ids]));
}

test("a message arrives as the interface says, with every language and a token", async (t) => {
  const world = await openNotifying(t);
  await world.database.query(
    `update brands set country = 'DK', features = '{"deepLink": "https://bank.example/s/{serviceId}"}'`,
  );
  await world.database.query("update users set locale = 'da_DK'");
  t.is(await world.write(world.notices(1)), 1);
  t.is(await world.deliver(), 1);
  const [received] = world.simulator.received;
  const { notification } = JSON.parse(received!.body) as { notification: Record<string, unknown> };
  const { texts, ...others } = notification;
  t.deepEqual(others, {
    type: "NEW_PAYMENT",
    country: "DK",
    userId: "u1",
    suggestedLocale: "da-dk",
    payload: [
      {
        name: "SUBSCRIPTION",
        params: {
          notificationType: "NEW_PAYMENT",
          notificationId: received!.id,
          serviceId: "s-1",
          url: "https://bank.example/s/s-1",
        },
      },
    ],
    data: {
      productTitle: "Music",
      productImageUrl: "https://x/m.svg",
      productType: "SUBSCRIPTION",
      product: { title: "Music", imageUrl: "https://x/m.svg", type: "SUBSCRIPTION" },
      subscriptionCount: 3,
      amount: 99,
      currency: "DKK",
    },
  });
  t.deepEqual(Object.keys(texts as object), ["en", "da", "no", "sv"]);
  t.deepEqual((texts as Record<string, unknown>)["da"], {
    title: "Ny betaling",
    body: "Der er betalt 99,00\u00a0DKK til Music.",
  });
  t.is(received!.headers.authorization, "Bearer static-token");
  t.is(received!.headers["x-correlation-id"], received!.id);
  t.false("traceparent" in received!.headers);
  t.deepEqual(await world.states(), { delivered: 1 });
});

test("the language of suggestedLocale has a text under its own name, too; messages of others are as they were", async (t) => {
  const world = await openNotifying(t);
  const sentTo = async (locale: string) => {
    await world.database.query("update users set locale = $1", [locale]);
    const before = world.simulator.received.length;
    await world.write([{ ...world.notices(1)[0]!, subject: locale }]);
    t.is(await world.deliver(), 1);
    const { notification } = JSON.parse(world.simulator.received[before]!.body) as {
      notification: { suggestedLocale: string; texts: Record<string, { title: string; body: string }> };
    };
    return notification;
  };
  const norwegian = { title: "Ny betaling", body: "99,00\u00a0DKK er betalt til Music." };
  for (const [locale, suggested, key] of [
    ["nb-NO", "nb-no", "nb"],
    ["nn_NO", "nn-no", "nn"],
    ["nob-NO", "nob-no", "nob"],
  ] as const) {
    const { suggestedLocale, texts } = await sentTo(locale);
    t.is(suggestedLocale, suggested);
    t.deepEqual(Object.keys(texts), ["en", "da", "no", "sv", key]);
    t.deepEqual([texts["no"], texts[key]], [norwegian, norwegian]);
  }
  t.is((await sentTo("dan-DK")).texts["dan"]?.body, "Der er betalt 99,00\u00a0DKK til Music.");
  for (const locale of ["no-NO", "da-DK", "en-GB", "zz-DK"])
    t.deepEqual(Object.keys((await sentTo(locale)).texts), ["en", "da", "no", "sv"], locale);
});

test("the ids of the call that gave a message go on to the receiver, and into the log", async (t) => {
  const world = await openNotifying(t);
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  await writeNotices(world.database, world.notices(1), { correlationId: "sag-ø", traceparent });
  t.is(await world.deliver(), 1);
  const [received] = world.simulator.received;
  t.is(Buffer.from(String(received!.headers["x-correlation-id"]), "latin1").toString("utf8"), "sag-ø");
  t.is(received!.headers.traceparent, traceparent);
  t.is(received!.headers["webhook-id"], received!.id);
  t.like(world.seen.find(({ name }) => name === "notification.delivered")?.fields, {
    correlationId: "sag-ø",
    notificationId: received!.id,
  });
});

test("a receiver of the published schema gets texts in an array", async (t) => {
  const world = await openNotifying(t, { receiver: () => ({ shape: "array" }) });
  await world.write(world.notices(1));
  await world.deliver();
  const { notification } = JSON.parse(world.simulator.received[0]!.body) as { notification: { texts: object[] } };
  t.deepEqual(notification.texts.map(Object.keys), [["en", "da", "no", "sv"]]);
});

test("signatures are those of Standard Webhooks, by secret and by key pair", async (t) => {
  const world = await openNotifying(t);
  await world.write(world.notices(1));
  await world.deliver();
  const [first] = world.simulator.received;
  t.notThrows(() => new Webhook(world.verificationKey).verify(first!.body, first!.headers as Record<string, string>));
  t.throws(() =>
    new Webhook(world.verificationKey).verify(`${first!.body} `, first!.headers as Record<string, string>),
  );
  const other = await openNotifying(t, { receiver: () => ({ signing: "ed25519" }) });
  await other.write(other.notices(1));
  await other.deliver();
  const { headers, body } = other.simulator.received[0]!;
  const raw = Buffer.from(other.verificationKey.slice("whpk_".length), "base64");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: raw.toString("base64url") }, format: "jwk" });
  const signed = Buffer.from(`${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`);
  t.true(verify(null, signed, key, Buffer.from(String(headers["webhook-signature"]).slice("v1a,".length), "base64")));
});

for (const [name, turns] of [
  ["slow", ["slow"]],
  ["down for a while", [500, 503, 500]],
  ["refuses tokens now and then", [401, "accept"]],
  ["too busy", [429, "accept", "accept"]],
  ["fails inside", [500, "accept"]],
  ["breaks off within its answer", ["cut", "accept"]],
] as [string, Behaviour[]][]) {
  test(`of a hundred messages to a receiver that is ${name}, each arrives at least once, and in order`, async (t) => {
    let downFor = 12;
    const world = await openNotifying(t, {
      behave: ({ count }) => {
        if (name !== "down for a while") return turns[count % turns.length]!;
        downFor -= 1;
        return downFor > 0 ? turns[count % turns.length]! : "accept";
      },
    });
    await world.write(world.notices(100));
    for (let round = 0; round < 100 && (await world.states())["delivered"] !== 100; round += 1) {
      await world.deliver();
      await world.skipPauses();
    }
    t.deepEqual(await world.states(), { delivered: 100 });
    t.deepEqual([...acceptedInOrder(world)].toSorted(), [...(await writtenInOrder(world))].toSorted());
  });
}

test("a message that is taken by one who dies is sent again by the next, under the same id", async (t) => {
  const world = await openNotifying(t);
  await world.write(world.notices(1));
  const [claimed] = await claimDue(world.database, world.partnerId, 10, 60_000);
  t.is(await world.deliver(), 0);
  await world.skipPauses();
  t.is(await world.deliver(), 1);
  t.is(world.simulator.received[0]!.id, claimed!.id);
});

test("while one message of a user is on its way the next one waits, and other users' do not", async (t) => {
  const world = await openNotifying(t);
  await world.write(world.notices(8));
  const first = await claimDue(world.database, world.partnerId, 10, 60_000);
  t.deepEqual(first.map(({ bankUserId }) => bankUserId).toSorted(), ["u1", "u2", "u3", "u4"]);
  t.deepEqual(await claimDue(world.database, world.partnerId, 10, 60_000), []);
});

test("a receiver that does not answer puts off nobody else's messages, later ones neither", async (t) => {
  const stuck = Promise.withResolvers<void>();
  const world = await openNotifying(t, { behave: () => "hang", report: () => stuck.resolve() });
  await world.write(world.notices(1));
  await world.begin();
  await stuck.promise;

  const other = Promise.withResolvers<string>();
  const simulator = await openSimulator({
    port: 0,
    behave: () => "accept",
    staticToken: "other-token",
    slowMs: 5,
    report: ({ userId }) => other.resolve(userId),
  });
  t.teardown(() => simulator.close());
  const partnerId = await addPartner(world.database, "other");
  await putReceiver(world.database, world.keyEncryptionKey, {
    partnerId,
    url: simulator.url,
    shape: "map",
    authentication: { kind: "static", token: "other-token" },
    signing: "hmac",
    guard: { allowsPrivateAddresses: true, authority: undefined, clientCertificate: undefined },
  });
  const userId = await addUser(world.database, partnerId, "theirs");
  await world.write(world.notices(1).map((notice) => ({ ...notice, userId })));
  await world.begin();
  t.is(await other.promise, "theirs");

  await world.simulator.close();
  await world.settled();
  t.deepEqual(await world.states(), { delivered: 1, pending: 1 });
});

test("what a receiver refuses is dead, holds up nothing, and goes again when it is replayed", async (t) => {
  let refuses = true;
  const world = await openNotifying(t, { behave: ({ count }) => (refuses && count === 0 ? 400 : "accept") });
  await world.write(world.notices(5));
  await world.deliver();
  t.deepEqual(await world.states(), { dead: 1, delivered: 4 });
  t.like(world.seen.find(({ name }) => name === "notification.given-up")?.fields, { failure: "HTTP 400" });
  refuses = false;
  t.is(await inTransaction(world.database, (transaction) => replay(transaction, world.partnerId, null)), 1);
  await world.deliver();
  t.deepEqual(await world.states(), { delivered: 5 });
});

test("a receiver that is down is left alone after a few messages", async (t) => {
  const world = await openNotifying(t, { behave: () => 503, isTimeHeld: true });
  const many = await openNotifying(t, { behave: () => 503, isTimeHeld: true });
  await world.write(world.notices(4));
  t.is(await world.deliver(), 4);
  for (let user = 0; user < 40; user += 1)
    await many.database.query(
      "insert into users (partner_id, brand_id, bank_user_id, locale) select partner_id, brand_id, 'x' || $1, locale from users limit 1",
      [user],
    );
  const { rows } = await many.database.query<{ id: number }>("select id from users");
  await many.write(rows.map(({ id }) => ({ ...many.notices(1)[0]!, userId: id })));
  t.true((await many.deliver()) < 20);
  t.is(await many.deliver(), 0);
});

test("tokens come from the token address, are shared, and are renewed when the receiver refuses one", async (t) => {
  const world = await openNotifying(t, {
    staticToken: null,
    receiver: ({ tokenUrl }) => ({
      authentication: {
        kind: "client_secret_basic",
        tokenUrl,
        clientId: "tideline",
        scope: "notify",
        secret: "s3cret/ø",
      },
    }),
  });
  await world.write(world.notices(8));
  await world.deliver();
  const tokens = () => new Set(world.simulator.received.map(({ headers }) => headers.authorization));
  t.is(tokens().size, 1);
  world.simulator.expireTokens();
  await world.write(world.notices(12).slice(8, 9));
  await world.deliver();
  t.is(tokens().size, 2);
  t.deepEqual(
    world.simulator.received.slice(-2).map(({ answered }) => answered),
    [401, "accept"],
  );
  t.deepEqual(await world.states(), { delivered: 9 });
});

test("a client may prove itself with a signed assertion", async (t) => {
  for (const { privateKey } of [
    generateKeyPairSync("rsa", { modulusLength: 2048 }),
    generateKeyPairSync("ec", { namedCurve: "P-256" }),
  ]) {
    const secret = privateKey.export({ format: "pem", type: "pkcs8" }).toString();
    const world = await openNotifying(t, {
      staticToken: null,
      receiver: ({ tokenUrl }) => ({
        authentication: { kind: "private_key_jwt", tokenUrl, clientId: "tideline", scope: null, secret },
      }),
    });
    await world.write(world.notices(1));
    await world.deliver();
    t.deepEqual(await world.states(), { delivered: 1 });
  }
});

test("a token address that refuses is a failure of its own, and is tried again", async (t) => {
  const world = await openNotifying(t, {
    receiver: ({ url }) => ({
      authentication: {
        kind: "client_secret_basic",
        tokenUrl: `${url}/nothing`,
        clientId: "t",
        scope: null,
        secret: "s",
      },
    }),
  });
  await world.write(world.notices(1));
  await world.deliver();
  t.deepEqual(await world.states(), { pending: 1 });
  t.like(world.seen.at(-1), { name: "notification.postponed", fields: { failure: "TOKEN_REFUSED" } });
});

test("the same is told once; without a receiver, or to a deleted user, nothing is", async (t) => {
  const world = await openNotifying(t);
  t.is(await world.write(world.notices(2)), 2);
  t.is(await world.write(world.notices(2)), 0);
  await deleteUser(world.database, world.userIds[0]!);
  t.is(await world.deliver(), 1);
  t.is(await world.write(world.notices(5).slice(4)), 0);
  await world.database.query("delete from notification_receivers");
  t.is(await world.write(world.notices(8)), 0);
});

test("payments of fixed expenses are told where the brand asks for them", async (t) => {
  const world = await openNotifying(t);
  const fixed = world.notices(1).map((one): Notice => ({
    ...one,
    content: { ...one.content, product: { ...one.content.product, type: "OTHER_RECURRING" } },
  }));
  t.is(await world.write(fixed), 0);
  await world.database.query(`update brands set features = '{"fixedExpenseNotifications": true}'`);
  t.is(await world.write(fixed), 1);
});

test("a suspended partner is told nothing until it is resumed", async (t) => {
  const world = await openNotifying(t);
  await world.write(world.notices(1));
  await world.database.query("update partners set suspended_at = now()");
  t.is(await world.deliver(), 0);
  await world.database.query("update partners set suspended_at = null");
  t.is(await world.deliver(), 1);
});

test("secrets are sealed at rest, and the signing key stays when the address changes", async (t) => {
  const world = await openNotifying(t);
  const { rows } = await world.database.query<{ row: string }>("select r::text as row from notification_receivers r");
  t.false(rows[0]!.row.includes(Buffer.from("static-token").toString("hex")));
  t.false(rows[0]!.row.includes("static-token"));
  const again = await putReceiver(world.database, world.keyEncryptionKey, {
    partnerId: world.partnerId,
    url: "https://bank.example",
    shape: "map",
    authentication: { kind: "static", token: "other" },
    signing: "hmac",
    guard: { allowsPrivateAddresses: false, authority: undefined, clientCertificate: undefined },
  });
  t.is(again, world.verificationKey);
});
