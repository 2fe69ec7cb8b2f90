/** An upload that is closed before its end is not delivered: it is continued, replaced, or taken as it is in the end. */
import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import test from "ava";
import type { SftpLimits } from "../../../../src/landing/sftp/limits.ts";
import { close, type DoorWorld, open, openDoorWorld, write } from "../world.ts";

const whole = "0123456789";
const missing = "the last line ends before its end";

/** A door that takes a file of ten bytes for whole. */
async function openWorld(t: Parameters<typeof openDoorWorld>[0], limits: Partial<SftpLimits> = {}): Promise<DoorWorld> {
  const world = await openDoorWorld(t, { limits });
  world.findWhatIsMissing = async ({ path }) => ((await stat(path)).size < whole.length ? missing : null);
  return world;
}

test("a close before the end fails with what is missing, and nothing is delivered", async (t) => {
  const world = await openWorld(t);
  const { sftp } = await world.bare();
  const handle = await open(sftp, "/inbox/day.jsonl", "w");
  await write(sftp, handle, Buffer.from("0123"), 0);
  await t.throwsAsync(close(sftp, handle), {
    message:
      "The file is not whole: the last line ends before its end. Continue it or upload it again within 60 minutes; then it is taken as it is.",
  });
  t.is(world.deliveries.length, 0);
  t.is((await stat(world.inbox("day.jsonl"))).mode & 0o777, 0o640);
  t.like(await world.event("sftp.upload-incomplete"), { partnerId: "demo", sizeBytes: 4 });
  t.like(world.audited.find((one) => one.event === "sftp.upload-incomplete")?.details, {
    file: "day.jsonl",
    sizeBytes: 4,
    missing,
  });
  t.is(world.count("sftp.upload-finished"), 0);
});

test("it is continued, in another session too, and delivered once it is whole", async (t) => {
  const world = await openWorld(t);
  const first = await world.bare();
  const begun = await open(first.sftp, "/inbox/day.jsonl", "w");
  await write(first.sftp, begun, Buffer.from("0123"), 0);
  await t.throwsAsync(close(first.sftp, begun));
  const { sftp } = await world.bare();
  const continued = await open(sftp, "/inbox/day.jsonl", "r+");
  t.is(
    (await stat(world.inbox("day.jsonl"))).mode & 0o777,
    0o600,
    "whoever goes on with it says anew that it is there",
  );
  await write(sftp, continued, Buffer.from("456789"), 4);
  await close(sftp, continued);
  t.is((await world.vaulted(0)).toString(), whole);
  t.deepEqual(world.deliveries[0]?.sha256, createHash("sha256").update(whole).digest());
});

test("it is replaced by the whole file under the same name", async (t) => {
  const world = await openWorld(t);
  const { sftp } = await world.bare();
  for (const [text, isWhole] of [
    ["0123", false],
    [whole, true],
  ] as const) {
    const handle = await open(sftp, "/inbox/day.jsonl", "w");
    await write(sftp, handle, Buffer.from(text), 0);
    if (isWhole) await close(sftp, handle);
    else await t.throwsAsync(close(sftp, handle));
  }
  t.is(world.deliveries.length, 1);
  t.is((await world.vaulted(0)).toString(), whole);
});

test("nobody goes on with it: once its time is over it is taken as it is, so that a receipt says what is wrong", async (t) => {
  const world = await openWorld(t, { incompleteMs: 50, lapsedLookEveryMs: 10 });
  const { sftp } = await world.bare();
  const kept = await open(sftp, "/inbox/later.jsonl.part", "w");
  await write(sftp, kept, Buffer.from("01"), 0);
  await close(sftp, kept);
  const handle = await open(sftp, "/inbox/day.jsonl", "w");
  await write(sftp, handle, Buffer.from("0123"), 0);
  await t.throwsAsync(close(sftp, handle));
  t.like(await world.event("sftp.upload-lapsed"), { partnerId: "demo", sizeBytes: 4 });
  t.deepEqual(
    world.deliveries.map(({ name, sizeBytes }) => ({ name, sizeBytes })),
    [{ name: "day.jsonl", sizeBytes: 4 }],
  );
  t.is((await stat(world.inbox("day.jsonl"))).mode & 0o777, 0o440);
  t.is((await stat(world.inbox("later.jsonl.part"))).mode & 0o777, 0o600);
});

test("while somebody goes on with it, its time is not over", async (t) => {
  const world = await openWorld(t, { incompleteMs: 1, lapsedLookEveryMs: 60_000 });
  const { sftp } = await world.bare();
  const handle = await open(sftp, "/inbox/day.jsonl", "w");
  await write(sftp, handle, Buffer.from("0123"), 0);
  await t.throwsAsync(close(sftp, handle));
  const continued = await open(sftp, "/inbox/day.jsonl", "r+");
  const { claimLapsed } = await import("../../../../src/landing/sftp/files/recovery.ts");
  const { Claims } = await import("../../../../src/landing/sftp/files/claims.ts");
  const { commonTemporaryNames } = await import("../../../../src/landing/sftp/files/paths.ts");
  // As a door on another machine looks, which knows nothing of this one's sessions.
  t.deepEqual(await claimLapsed(world.landing, commonTemporaryNames, new Claims(), new Date(Date.now() + 60_000)), []);
  await write(sftp, continued, Buffer.from("456789"), 4);
  await close(sftp, continued);
  t.is((await world.vaulted(0)).toString(), whole);
});

test("where no time is set, a close delivers whatever there is", async (t) => {
  const world = await openWorld(t, { incompleteMs: 0 });
  const { sftp } = await world.bare();
  const handle = await open(sftp, "/inbox/day.jsonl", "w");
  await write(sftp, handle, Buffer.from("0123"), 0);
  await close(sftp, handle);
  t.is((await world.vaulted(0)).toString(), "0123");
});
