/** What a crash between seal and confirmation leaves behind, at the next start. */
import { createHash } from "node:crypto";
import { chmod, mkdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import test from "ava";
import { type DoorWorld, openDoorWorld } from "../world.ts";

/** A landing folder as a crash leaves it: names and their permission bits. */
function leftBehind(files: Readonly<Record<string, number>>): (landing: string) => Promise<void> {
  return async (landing) => {
    for (const [name, mode] of Object.entries(files)) {
      const file = path.join(landing, "demo", "inbox", name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, name);
      await chmod(file, mode);
    }
  };
}

const modeOf = async (world: DoorWorld, name: string) => (await stat(world.inbox(name))).mode & 0o777;

test("a sealed file is delivered by itself, once, and then counts as delivered", async (t) => {
  const world = await openDoorWorld(t, { prepare: leftBehind({ "day.jwe": 0o400, "2026/11/night.jwe": 0o400 }) });
  while (world.count("sftp.file-recovered") < 2) await new Promise((resolve) => setImmediate(resolve));
  await world.door.close(0);
  t.deepEqual(world.deliveries.map(({ name, partnerId }) => [partnerId, name]).sort(), [
    ["demo", "2026/11/night.jwe"],
    ["demo", "day.jwe"],
  ]);
  const day = world.deliveries.find(({ name }) => name === "day.jwe");
  t.is(day?.sha256.toString("hex"), createHash("sha256").update("day.jwe").digest("hex"));
  t.is(day?.sizeBytes, 7);
  t.is(await modeOf(world, "day.jwe"), 0o440);
  t.true(world.audited.some(({ event, details }) => event === "sftp.file-recovered" && details.file === "day.jwe"));
});

test("what a power cut left of a small file is no delivery: it stays as an upload that can be replaced, and lapses", async (t) => {
  const world = await openDoorWorld(t, {
    prepare: leftBehind({ "cut.jsonl": 0o400, "whole.jsonl": 0o400 }),
    isKeptWithRow: ({ name }) => name.endsWith(".jsonl"),
    findWhatIsMissing: async ({ name }) => (name === "cut.jsonl" ? "the last line ends before its end" : null),
  });
  await world.event("sftp.file-recovered");
  await world.door.close(0);
  t.deepEqual(
    world.deliveries.map(({ name }) => name),
    ["whole.jsonl"],
  );
  t.deepEqual(await Promise.all(["cut.jsonl", "whole.jsonl"].map((name) => modeOf(world, name))), [0o640, 0o440]);
});

test("one whose delivery was recorded before the crash is only marked", async (t) => {
  const world = await openDoorWorld(t, {
    prepare: leftBehind({ "day.jwe": 0o400 }),
    isRecorded: ({ name }) => name === "day.jwe",
  });
  await world.event("sftp.file-recovered");
  t.is(world.deliveries.length, 0);
  t.is(await modeOf(world, "day.jwe"), 0o440);
});

test("what was not complete, what is delivered, and what waits for its rename stay as they are", async (t) => {
  const world = await openDoorWorld(t, {
    prepare: leftBehind({ "half.jwe": 0o600, "old.jwe": 0o440, "day.jwe.tmp": 0o400, ".day.jwe": 0o400 }),
  });
  await world.door.close(0);
  t.is(world.deliveries.length, 0);
  t.deepEqual(
    await Promise.all(["half.jwe", "old.jwe", "day.jwe.tmp"].map((name) => modeOf(world, name))),
    [0o600, 0o440, 0o400],
  );
});

test("the rename that a crash broke off is done by the client's next try", async (t) => {
  const world = await openDoorWorld(t, { prepare: leftBehind({ "day.jwe.tmp": 0o400 }) });
  await (await world.client()).rename("/inbox/day.jwe.tmp", "/inbox/day.jwe");
  t.deepEqual(
    world.deliveries.map(({ name }) => name),
    ["day.jwe"],
  );
});

test("while it is delivered nobody else writes its name, and afterwards the same name is a new file", async (t) => {
  let deliver = (): void => undefined;
  const waiting = new Promise<void>((resolve) => (deliver = resolve));
  const world = await openDoorWorld(t, { prepare: leftBehind({ "day.jwe": 0o400 }), onDeliver: () => waiting });
  const client = await world.client();
  await t.throwsAsync(client.put(Buffer.from("next"), "/inbox/day.jwe"), {
    message: /Another session is writing this file/,
  });
  deliver();
  await world.event("sftp.file-recovered");
  await client.put(Buffer.from("next"), "/inbox/day.jwe");
  t.deepEqual([(await world.vaulted(0)).toString(), (await world.vaulted(1)).toString()], ["day.jwe", "next"]);
});

test("a delivery that fails at the start leaves the file for the client, and for the next start", async (t) => {
  const failing = async () => {
    throw new Error("the database is away");
  };
  const world = await openDoorWorld(t, { prepare: leftBehind({ "day.jwe": 0o400 }), onDeliver: failing });
  t.regex(String((await world.event("sftp.failed")).error), /database is away/);
  t.is(await modeOf(world, "day.jwe"), 0o400);
  world.onDeliver = async () => undefined;
  await (await world.client()).put(Buffer.from("day.jwe"), "/inbox/day.jwe");
  t.is(world.deliveries.length, 1);
});
