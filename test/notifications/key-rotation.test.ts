/** While a receiver's signing key is changed, whoever checks by the old one and whoever checks by the new one both may. */
import { createPublicKey, verify } from "node:crypto";
import test from "ava";
import { Webhook } from "standardwebhooks";
import { readReceiver, rotateSigningKey, type Signing } from "../../src/notifications/receiver.ts";
import { openNotifying, type NotifyingWorld } from "./world.ts";

const dayMs = 86_400_000;

async function rotate(world: NotifyingWorld, overlapMs: number, signing: Signing | null = null) {
  const { database, keyEncryptionKey, partnerId } = world;
  return await rotateSigningKey(database, keyEncryptionKey, partnerId, { signing, overlapMs, now: new Date() });
}

/** The key of a rotation that happened. */
async function nextKey(world: NotifyingWorld, overlapMs: number, signing?: Signing): Promise<string> {
  const rotated = await rotate(world, overlapMs, signing);
  if (rotated.outcome !== "rotated") throw new Error(rotated.outcome);
  return rotated.verificationKey;
}

/** What a receiver gets next. */
async function messageOf(world: NotifyingWorld) {
  const sent = world.simulator.received.length;
  await world.write([{ ...world.notices(1)[0]!, subject: `payment after ${sent}` }]);
  await world.deliver();
  const { body, headers } = world.simulator.received[sent]!;
  return { body, headers: headers as Record<string, string> };
}

/** As Standard Webhooks' own library judges it. */
function holds(key: string, { body, headers }: { body: string; headers: Record<string, string> }): boolean {
  try {
    new Webhook(key).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

test("old and new key both hold until the overlap ends, then the new one alone", async (t) => {
  const world = await openNotifying(t);
  const first = world.verificationKey;
  const before = await messageOf(world);
  t.true(holds(first, before));
  t.is(before.headers["webhook-signature"]?.split(" ").length, 1);
  const second = await nextKey(world, 7 * dayMs);
  t.not(second, first);
  t.false(holds(second, before), "what was sent earlier is signed by the first alone");
  const between = await messageOf(world);
  t.true(holds(first, between));
  t.true(holds(second, between));
  t.false(holds(first, { ...between, body: `${between.body} ` }));
  t.false(holds(second, { ...between, body: `${between.body} ` }));
  await world.database.query("update notification_receivers set previous_signs_until = now()");
  const after = await messageOf(world);
  t.false(holds(first, after));
  t.true(holds(second, after));
});

test("a shared secret gives way to a key pair with both signatures in one header", async (t) => {
  const world = await openNotifying(t);
  const key = await nextKey(world, dayMs, "ed25519");
  const { body, headers } = await messageOf(world);
  t.true(holds(world.verificationKey, { body, headers }));
  const signature = headers["webhook-signature"]?.split(" ").find((one) => one.startsWith("v1a,")) ?? "";
  const x = Buffer.from(key.slice("whpk_".length), "base64").toString("base64url");
  const signed = Buffer.from(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`);
  t.true(
    verify(
      null,
      signed,
      createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" }),
      Buffer.from(signature.slice("v1a,".length), "base64"),
    ),
  );
});

test("a key that leaked ends at once, and one that still signs beside another is not forgotten unasked", async (t) => {
  const world = await openNotifying(t);
  const second = await nextKey(world, dayMs);
  const until = (await readReceiver(world.database, world.keyEncryptionKey, world.partnerId))?.previous?.signsUntil;
  t.deepEqual(await rotate(world, dayMs), { outcome: "overlapping", previousSignsUntil: until! });
  const third = await nextKey(world, 0);
  const message = await messageOf(world);
  t.deepEqual(
    [world.verificationKey, second, third].map((key) => holds(key, message)),
    [false, false, true],
  );
  await world.database.query("delete from notification_receivers");
  t.deepEqual(await rotate(world, dayMs), { outcome: "no receiver" });
});

test("an address that changes in the middle of an overlap ends it for neither key", async (t) => {
  const world = await openNotifying(t);
  const second = await nextKey(world, dayMs);
  await world.putReceiverAgain();
  const message = await messageOf(world);
  t.true(holds(world.verificationKey, message));
  t.true(holds(second, message));
});
