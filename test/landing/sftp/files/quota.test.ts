/** A partner's undelivered bytes and files are limited over all its sessions, and delivered ones count no more. */
import { mkdir, writeFile } from "node:fs/promises";
import test, { type ExecutionContext } from "ava";
import { quotaDefaults } from "../../../../config/landing.ts";
import type { Quota } from "../../../../src/partners/settings/landing-rules.ts";
import { Usage } from "../../../../src/landing/sftp/files/usage.ts";
import { close, type DoorWorld, open, openDoorWorld, write } from "../world.ts";

async function openQuotaWorld(t: ExecutionContext, quota: Partial<Quota>): Promise<DoorWorld> {
  const world = await openDoorWorld(t, { limits: { usageRememberedMs: 0 } });
  const demo = world.partners.get("demo");
  if (demo) demo.quota = { ...quotaDefaults, ...quota };
  return world;
}

function done(call: (end: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => call((error) => (error ? reject(error) : resolve())));
}

test("an upload beyond the undelivered bytes fails with the quota's name, and delivers nothing", async (t) => {
  const world = await openQuotaWorld(t, { inboxBytes: 10_000 });
  const client = await world.client();
  await t.throwsAsync(client.put(Buffer.alloc(10_001), "/inbox/batch.jwe"), {
    message: /Quota exceeded: undelivered files in inbox\/ may hold at most 10,000 bytes/,
  });
  t.is(world.deliveries.length, 0);
  t.like(await world.event("sftp.quota-refused"), { partnerId: "demo", quota: "inboxBytes" });
  t.like(
    world.audited.find((one) => one.event === "sftp.quota-refused"),
    { partnerId: "demo", details: { quota: "inboxBytes", file: "batch.jwe", address: "127.0.0.1" } },
  );
});

test("exactly the quota is taken, and delivered files count no more", async (t) => {
  const world = await openQuotaWorld(t, { inboxBytes: 10_000 });
  const client = await world.client();
  for (const name of ["a.jwe", "b.jwe", "c.jwe"]) await client.put(Buffer.alloc(10_000), `/inbox/${name}`);
  t.is(world.deliveries.length, 3);
});

test("temporary files count until they are renamed or removed", async (t) => {
  const world = await openQuotaWorld(t, { inboxBytes: 10_000 });
  const client = await world.client();
  await client.put(Buffer.alloc(6000), "/inbox/a.jwe.tmp");
  await t.throwsAsync(client.put(Buffer.alloc(6000), "/inbox/b.jwe.tmp"), { message: /Quota exceeded/ });
  await client.delete("/inbox/b.jwe.tmp");
  await client.rename("/inbox/a.jwe.tmp", "/inbox/a.jwe");
  await client.put(Buffer.alloc(10_000), "/inbox/c.jwe.tmp");
  await client.delete("/inbox/c.jwe.tmp");
  await client.put(Buffer.alloc(10_000), "/inbox/d.jwe");
  t.deepEqual(
    world.deliveries.map((file) => file.name),
    ["a.jwe", "d.jwe"],
  );
});

test("a file that is written again counts once, and a shorter one less", async (t) => {
  const world = await openQuotaWorld(t, { inboxBytes: 10_000 });
  const client = await world.client();
  for (const sizeBytes of [9000, 10_000, 4000]) await client.put(Buffer.alloc(sizeBytes), "/inbox/a.jwe.tmp");
  await client.put(Buffer.alloc(6000), "/inbox/b.jwe.tmp");
  await t.throwsAsync(client.put(Buffer.alloc(1), "/inbox/c.jwe.tmp"), { message: /Quota exceeded/ });
  t.deepEqual(world.deliveries, []);
});

test("two sessions share the quota", async (t) => {
  const world = await openQuotaWorld(t, { inboxBytes: 10_000 });
  const [first, second] = [await world.bare(), await world.bare()];
  const handles = [await open(first.sftp, "/inbox/a.jwe", "w"), await open(second.sftp, "/inbox/b.jwe", "w")] as const;
  await write(first.sftp, handles[0], Buffer.alloc(6000), 0);
  await t.throwsAsync(write(second.sftp, handles[1], Buffer.alloc(6000), 0), { message: /Quota exceeded/ });
  await t.throwsAsync(close(second.sftp, handles[1]), { message: /Quota exceeded/ });
  await close(first.sftp, handles[0]);
  t.deepEqual(
    world.deliveries.map((file) => file.name),
    ["a.jwe"],
  );
});

test("the number of undelivered files is limited, and so is what is stored", async (t) => {
  const world = await openQuotaWorld(t, { inboxFiles: 1, storedFiles: 100, storedBytes: 100_000 });
  const client = await world.client();
  await client.put(Buffer.from("a"), "/inbox/a.tmp");
  await t.throwsAsync(client.put(Buffer.from("b"), "/inbox/b.tmp"), {
    message: /inbox\/ may hold at most, undelivered, 1 files/,
  });
  await client.delete("/inbox/a.tmp");
  world.stored = { storedBytes: 0, storedFiles: 100 };
  await t.throwsAsync(client.put(Buffer.from("b"), "/inbox/b.jwe"), { message: /there may be kept at most 100 files/ });
  world.stored = { storedBytes: 99_999, storedFiles: 0 };
  await t.throwsAsync(client.put(Buffer.from("two"), "/inbox/b.jwe"), {
    message: /all files that are kept may hold at most 100,000 bytes/,
  });
  world.stored = { storedBytes: 0, storedFiles: 0 };
  await client.put(Buffer.from("two"), "/inbox/b.jwe");
  t.is(world.deliveries.length, 1);
});

test("a quota that is raised holds at the next upload of a running session", async (t) => {
  const world = await openQuotaWorld(t, { inboxBytes: 10 });
  const client = await world.client();
  await t.throwsAsync(client.put(Buffer.alloc(100), "/inbox/a.jwe"), { message: /Quota exceeded/ });
  const demo = world.partners.get("demo");
  if (demo) demo.quota = { ...quotaDefaults, inboxBytes: 1000 };
  await client.put(Buffer.alloc(100), "/inbox/a.jwe");
  t.is(world.deliveries.length, 1);
});

test("open handles are limited by the partner's quota", async (t) => {
  const world = await openQuotaWorld(t, { handles: 2 });
  const { sftp } = await world.bare();
  await open(sftp, "/inbox/a.tmp", "w");
  await open(sftp, "/inbox/b.tmp", "w");
  await t.throwsAsync(open(sftp, "/inbox/c.tmp", "w"), { message: /Too many open files/ });
});

test("undelivered files from before the start count, and delivered ones do not", async (t) => {
  const world = await openDoorWorld(t);
  await mkdir(world.inbox("2026"), { recursive: true });
  await writeFile(world.inbox("2026", "left.tmp"), Buffer.alloc(700), { mode: 0o600 });
  await writeFile(world.inbox("old.jwe"), Buffer.alloc(5000), { mode: 0o440 });
  const usage = new Usage(
    world.inbox(),
    async () => ({ quota: { ...quotaDefaults, inboxBytes: 1000 }, storedBytes: 0, storedFiles: 0 }),
    0,
  );
  t.is(await usage.open(world.inbox("new.tmp")), undefined);
  t.deepEqual(usage.undelivered, { bytes: 700, files: 2 });
  t.is(usage.grow(world.inbox("new.tmp"), 301)?.quota, "inboxBytes");
  t.is(usage.grow(world.inbox("new.tmp"), 300), undefined);
});

test("low disk space refuses new files and further bytes, and lets a complete file be delivered", async (t) => {
  const world = await openDoorWorld(t);
  const { sftp } = await world.bare();
  const client = await world.client();
  const [complete, growing] = [
    await open(sftp, "/inbox/complete.jwe", "w"),
    await open(sftp, "/inbox/growing.jwe", "w"),
  ];
  await write(sftp, complete, Buffer.from("hello"), 0);
  world.diskIsLow = true;
  await t.throwsAsync(write(sftp, growing, Buffer.from("hello"), 0), { message: /short of disk space/ });
  await t.throwsAsync(close(sftp, growing), { message: /short of disk space/ });
  await t.throwsAsync(client.put(Buffer.from("x"), "/inbox/next.jwe"), { message: /short of disk space/ });
  await close(sftp, complete);
  t.deepEqual(
    world.deliveries.map((file) => file.name),
    ["complete.jwe"],
  );
  world.diskIsLow = false;
  await client.put(Buffer.from("x"), "/inbox/next.jwe");
  t.is(world.deliveries.length, 2);
});

test("what stops one write of a pipeline is told of once", async (t) => {
  const world = await openQuotaWorld(t, { inboxBytes: 10_000 });
  const { sftp } = await world.bare();
  const handle = await open(sftp, "/inbox/batch.jwe", "w");
  const writes = Array.from({ length: 10 }, (_, index) => write(sftp, handle, Buffer.alloc(5000), index * 5000));
  const settled = await Promise.allSettled(writes);
  // What was still on its way to the disk fails too.
  t.true(settled.filter((one) => one.status === "rejected").length >= 8);
  await t.throwsAsync(close(sftp, handle), { message: /Quota exceeded/ });
  t.is(world.count("sftp.refused"), 1);
  t.is(world.count("sftp.quota-refused"), 1);
});

test("folders are limited over all sessions, those from before the start and deeper ones included", async (t) => {
  const world = await openQuotaWorld(t, { inboxFolders: 3 });
  await mkdir(world.inbox("2025", "12"), { recursive: true });
  const [one, other] = [(await world.bare()).sftp, (await world.bare()).sftp];
  const make = (sftp: typeof one, path: string) => done((end) => sftp.mkdir(path, end));
  await make(one, "/inbox/2026");
  await t.throwsAsync(make(other, "/inbox/2026/01"), {
    message: /Quota exceeded: inbox\/ may hold at most 3 folders/,
  });
  t.like(await world.event("sftp.quota-refused"), { partnerId: "demo", quota: "inboxFolders" });
  await done((end) => one.rmdir("/inbox/2025/12", end));
  await t.throwsAsync(make(other, "/inbox/2026"), { message: /exists/ });
  await make(other, "/inbox/2026/01");
  await t.throwsAsync(make(one, "/inbox/2027"), { message: /Quota exceeded/ });
});

test("a file that is made to grow counts at once, whole, before a byte of it is sent", async (t) => {
  const world = await openQuotaWorld(t, { inboxBytes: 10_000 });
  const { sftp } = await world.bare();
  const handle = await open(sftp, "/inbox/a.tmp", "w");
  const resize = (sizeBytes: number) => done((end) => sftp.fsetstat(handle, { size: sizeBytes } as never, end));
  await t.throwsAsync(resize(10_001), {
    message: /Quota exceeded: undelivered files in inbox\/ may hold at most 10,000/,
  });
  await resize(10_000);
  const client = await world.client();
  await t.throwsAsync(client.put(Buffer.alloc(1), "/inbox/b.tmp"), { message: /Quota exceeded/ });
  await resize(9_000);
  await client.put(Buffer.alloc(1000), "/inbox/b.tmp");
});
