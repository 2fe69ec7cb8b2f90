/** A partner logs in with one of its keys from its networks, and everyone else is refused alike. */
import { connect } from "node:net";
import { once } from "node:events";
import test from "ava";
import ssh2 from "ssh2";
import { generateEd25519 } from "../../../../src/landing/sftp/connection/key-pairs.ts";
import { readPublicKey } from "../../../../src/partners/keys/ssh-public-key.ts";
import { type DoorWorld, openDoorWorld } from "../world.ts";

const refused = { message: /All configured authentication methods failed/ };

test("a partner logs in with its key", async (t) => {
  const world = await openDoorWorld(t);
  await world.client();
  const { fingerprint } = readPublicKey(world.key.publicKey);
  t.like(await world.event("sftp.login-accepted"), { partnerId: "demo", address: "127.0.0.1", fingerprint });
});

test("any of a partner's keys will do", async (t) => {
  const world = await openDoorWorld(t);
  const next = await generateEd25519("next");
  world.partners.get("demo")?.keys.push(readPublicKey(next.publicKey));
  await world.client({ privateKey: next.privateKey });
  await world.client();
  t.is(world.door.sessions(), 2);
});

test("an RSA key logs in with a SHA-2 signature", async (t) => {
  const world = await openDoorWorld(t);
  const pair = ssh2.utils.generateKeyPairSync("rsa", { bits: 2048 });
  world.partners.get("demo")?.keys.push(readPublicKey(pair.public));
  await world.client({ privateKey: pair.private });
  t.is(world.door.sessions(), 1);
});

const refusals: Record<string, (world: DoorWorld) => { username: string; privateKey: string; reason: string }> = {
  "an unknown user": (world) => ({ username: "nobody", privateKey: world.key.privateKey, reason: "user-unknown" }),
  "another partner's key": (world) => ({
    username: "demo",
    privateKey: world.otherKey.privateKey,
    reason: "key-unknown",
  }),
  "a suspended partner": (world) => {
    const partner = world.partners.get("demo");
    if (partner) partner.suspended = true;
    return { username: "demo", privateKey: world.key.privateKey, reason: "suspended" };
  },
  "an address outside the allowed networks": (world) => {
    world.partners.get("demo")?.allowedNetworks.push("192.0.2.0/24", "2001:db8::/32");
    return { username: "demo", privateKey: world.key.privateKey, reason: "address-not-allowed" };
  },
};

for (const [who, prepare] of Object.entries(refusals)) {
  test(`${who} is refused like everyone else, and the event says why`, async (t) => {
    const world = await openDoorWorld(t);
    const { reason, ...login } = prepare(world);
    await t.throwsAsync(world.bare(login), refused);
    t.like(await world.event("sftp.login-refused"), { user: login.username, address: "127.0.0.1", reason });
  });
}

test("passwords are not an option", async (t) => {
  const world = await openDoorWorld(t);
  const client = new ssh2.Client();
  client.connect({ host: "127.0.0.1", port: world.door.port, username: "demo", password: "demo" });
  const [error] = (await once(client, "error")) as [Error];
  t.regex(error.message, refused.message);
});

test("an address within the allowed networks logs in", async (t) => {
  const world = await openDoorWorld(t);
  world.partners.get("demo")?.allowedNetworks.push("127.0.0.0/8");
  await world.client();
  t.is(world.door.sessions(), 1);
});

test("a connection that does not log in is cut when its time is over", async (t) => {
  const world = await openDoorWorld(t, { limits: { loginGraceMs: 20, watchIntervalMs: 5 } });
  const socket = connect(world.door.port, "127.0.0.1");
  socket.resume();
  await once(socket, "close");
  t.true(socket.destroyed);
});

test("a connection ends after too many refused attempts", async (t) => {
  const world = await openDoorWorld(t, { limits: { loginAttemptsMax: 2 } });
  let offered = 0;
  const client = new ssh2.Client();
  const offer = { type: "publickey", username: "demo", key: world.otherKey.privateKey } as const;
  client.on("error", () => undefined);
  client.connect({
    host: "127.0.0.1",
    port: world.door.port,
    username: "demo",
    authHandler: (_left, _partial, next) => next(offered++ === 0 ? "none" : offer),
  });
  await once(client, "close");
  t.true(offered <= 3);
});

test("connections beyond the limits of an address or a partner are refused", async (t) => {
  const byAddress = await openDoorWorld(t, { limits: { connectionsPerAddressMax: 1 } });
  await byAddress.client();
  await t.throwsAsync(byAddress.bare());
  t.like(await byAddress.event("sftp.connection-refused"), { address: "127.0.0.1", reason: "address-limit" });
  const byPartner = await openDoorWorld(t);
  const demo = byPartner.partners.get("demo");
  if (demo) demo.quota = { ...demo.quota, sessions: 1 };
  const first = await byPartner.client();
  await t.throwsAsync(byPartner.bare(), refused);
  await first.end();
  await byPartner.event("sftp.session-ended");
  await byPartner.client();
});

test("an idle session is ended", async (t) => {
  const world = await openDoorWorld(t, { limits: { idleMs: 20, watchIntervalMs: 5 } });
  const ended = world.bare().catch(() => undefined);
  t.like(await world.event("sftp.session-ended"), { partnerId: "demo", bytesReceived: 0, filesDelivered: 0 });
  await ended;
});
