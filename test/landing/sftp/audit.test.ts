/** What a client does over SFTP is in the audit trail, names of files included, which stay out of the log. */
import { once } from "node:events";
import { connect } from "node:net";
import test from "ava";
import { readPublicKey } from "../../../src/partners/keys/ssh-public-key.ts";
import { type DoorWorld, open, openDoorWorld } from "./world.ts";

/** What the trail holds of an event, without the session's own id. */
function audited(world: DoorWorld, event: string): object[] {
  return world.audited
    .filter((one) => one.event === event)
    .map(({ actor, partnerId, details: { sessionId, ...details } }) => {
      if (typeof sessionId !== "string") throw new Error(`${event} without its session`);
      return { actor, partnerId, ...details };
    });
}

const who = { actor: "sftp:demo", partnerId: "demo", address: "127.0.0.1" };

test("a login is in the audit trail before the client knows of it", async (t) => {
  const world = await openDoorWorld(t);
  await world.bare();
  t.deepEqual(audited(world, "sftp.login-accepted"), [
    { ...who, fingerprint: readPublicKey(world.key.publicKey).fingerprint },
  ]);
});

test("a refused login is in the audit trail with its reason, and belongs to a partner only when there is one", async (t) => {
  const world = await openDoorWorld(t);
  await world.bare({ privateKey: world.otherKey.privateKey }).catch(() => undefined);
  await world.event("sftp.login-refused");
  t.deepEqual(audited(world, "sftp.login-refused"), [
    { actor: "sftp", partnerId: "demo", address: "127.0.0.1", user: "demo", reason: "key-unknown" },
  ]);
  const other = await openDoorWorld(t);
  await other.bare({ username: "nobody" }).catch(() => undefined);
  await other.event("sftp.login-refused");
  t.like(audited(other, "sftp.login-refused"), [{ partnerId: null, user: "nobody", reason: "user-unknown" }]);
});

test("upload, rename, delivery and removal are in the audit trail with the names of files", async (t) => {
  const world = await openDoorWorld(t);
  const client = await world.client();
  await client.put(Buffer.from("hello"), "/inbox/batch.jwe.tmp");
  await client.rename("/inbox/batch.jwe.tmp", "/inbox/batch.jwe");
  await client.put(Buffer.from("x"), "/inbox/draft.tmp");
  await client.delete("/inbox/draft.tmp");
  await client.end();
  await world.event("sftp.session-ended");
  t.like(audited(world, "sftp.file-uploaded"), [
    { ...who, file: "batch.jwe.tmp", sizeBytes: 5, delivered: false },
    { ...who, file: "draft.tmp", sizeBytes: 1, delivered: false },
  ]);
  t.deepEqual(audited(world, "sftp.file-renamed"), [
    { ...who, from: "batch.jwe.tmp", to: "batch.jwe", delivered: true },
  ]);
  t.like(audited(world, "sftp.file-delivered"), [
    {
      ...who,
      file: "batch.jwe",
      sizeBytes: 5,
      sha256: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
    },
  ]);
  t.deepEqual(audited(world, "sftp.file-removed"), [{ ...who, file: "draft.tmp", sizeBytes: 1 }]);
  t.deepEqual(audited(world, "sftp.session-ended"), [{ ...who, bytesReceived: 6, filesDelivered: 1 }]);
});

test("folders made and removed are in the audit trail", async (t) => {
  const world = await openDoorWorld(t);
  const client = await world.client();
  await client.mkdir("/inbox/2026/11", true);
  await client.rmdir("/inbox/2026/11");
  t.deepEqual(audited(world, "sftp.folder-made"), [
    { ...who, folder: "2026" },
    { ...who, folder: "2026/11" },
  ]);
  t.deepEqual(audited(world, "sftp.folder-removed"), [{ ...who, folder: "2026/11" }]);
});

test("refusals are in the audit trail with what was asked for; those of a client in a loop are counted", async (t) => {
  const world = await openDoorWorld(t, { limits: { refusalsAuditedMax: 2 } });
  const { ssh, sftp } = await world.bare();
  for (let count = 0; count < 5; count += 1) await open(sftp, "/receipts/forged.json", "w").catch(() => undefined);
  t.deepEqual(
    audited(world, "sftp.refused"),
    Array.from({ length: 2 }, () => ({
      ...who,
      operation: "open",
      reason: "Only inbox/ can be written.",
      path: "/receipts/forged.json",
    })),
  );
  ssh.end();
  await world.event("sftp.session-ended");
  t.like(audited(world, "sftp.session-ended"), [{ refusalsUnnamed: 3 }]);
});

test("an upload that breaks off is in the audit trail", async (t) => {
  const world = await openDoorWorld(t);
  const { ssh, sftp } = await world.bare();
  await open(sftp, "/inbox/batch.jwe", "w");
  ssh.destroy();
  await world.event("sftp.session-ended");
  t.deepEqual(audited(world, "sftp.upload-abandoned"), [{ ...who, file: "batch.jwe", sizeBytes: 0 }]);
});

test("names of files stay out of the log", async (t) => {
  const world = await openDoorWorld(t);
  const client = await world.client();
  await client.put(Buffer.from("hello"), "/inbox/customer-anna.jwe");
  await client.delete("/inbox/customer-anna.jwe").catch(() => undefined);
  await client.end();
  await world.event("sftp.session-ended");
  t.false(JSON.stringify(world.emitted()).includes("anna"));
});

const revocations: Record<string, (world: DoorWorld) => void> = {
  "whose key is removed": (world) => void world.partners.get("demo")?.keys.splice(0),
  "whose partner is suspended": (world) => {
    const demo = world.partners.get("demo");
    if (demo) demo.suspended = true;
  },
  "whose network is no longer allowed": (world) =>
    void world.partners.get("demo")?.allowedNetworks.push("192.0.2.0/24"),
  "whose partner is gone": (world) => void world.partners.delete("demo"),
};

for (const [which, revoke] of Object.entries(revocations)) {
  test(`a session ${which} is ended`, async (t) => {
    const world = await openDoorWorld(t, { limits: { recheckMs: 10, watchIntervalMs: 5 } });
    await world.bare();
    revoke(world);
    t.like(await world.event("sftp.session-revoked"), { partnerId: "demo" });
    await world.event("sftp.session-ended");
    t.is(world.door.sessions(), 0);
  });
}

test("a connection ends when its life is over, however busy", async (t) => {
  const world = await openDoorWorld(t, { limits: { connectionLifeMs: 20, loginGraceMs: 60_000, watchIntervalMs: 5 } });
  const socket = connect(world.door.port, "127.0.0.1");
  socket.resume();
  await once(socket, "close");
  t.true(socket.destroyed);
  t.is(world.door.sessions(), 0);
});
