/** An upload is delivered once, under its final name, before the client hears that it succeeded. */
import { createHash, randomBytes } from "node:crypto";
import { readFile, stat, symlink, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import test from "ava";
import { close, open, openDoorWorld, write } from "./world.ts";

test("an uploaded file is delivered with its name, size and digest before its upload succeeds", async (t) => {
  const world = await openDoorWorld(t);
  const client = await world.client();
  await client.put(Buffer.from("hello"), "/inbox/batch.jwe");
  t.is(world.deliveries.length, 1);
  const [file] = world.deliveries;
  t.like(file, { partnerId: "demo", name: "batch.jwe", path: world.inbox("batch.jwe"), sizeBytes: 5 });
  t.is(file?.sha256.toString("hex"), "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
  t.is((await world.vaulted(0)).toString(), "hello");
});

test("a delivered file stays listed with its size, and shows that it cannot be changed", async (t) => {
  const world = await openDoorWorld(t);
  const client = await world.client();
  await client.put(Buffer.from("hello"), "/inbox/batch.jwe");
  const [listed] = await client.list("/inbox");
  t.like(listed, { type: "-", name: "batch.jwe", size: 5, rights: { user: "r", group: "r", other: "" } });
});

test("the root holds inbox and receipts and nothing else", async (t) => {
  const world = await openDoorWorld(t);
  const client = await world.client();
  const names = (await client.list("/")).map((entry) => `${entry.type}${entry.name}`);
  t.deepEqual(names.sort(), ["dinbox", "dreceipts"]);
  t.is(await client.realPath("inbox/../.."), "/");
});

for (const name of ["batch.jwe.tmp", "batch.jwe.part", "batch.jwe.filepart", ".batch.jwe"]) {
  test(`${name} is delivered when it is renamed to its final name`, async (t) => {
    const world = await openDoorWorld(t);
    const client = await world.client();
    await client.put(Buffer.from("hello"), `/inbox/${name}`);
    t.is(world.deliveries.length, 0);
    await client.rename(`/inbox/${name}`, "/inbox/batch.jwe");
    t.like(world.deliveries, { length: 1, 0: { name: "batch.jwe", sizeBytes: 5 } });
    t.is(world.deliveries[0]?.sha256.toString("hex"), createHash("sha256").update("hello").digest("hex"));
    t.deepEqual(
      (await client.list("/inbox")).map((entry) => entry.name),
      ["batch.jwe"],
    );
  });
}

test("the list of temporary names can be set", async (t) => {
  const world = await openDoorWorld(t, { temporaryNames: { prefixes: [], suffixes: [".upload"] } });
  const client = await world.client();
  await client.put(Buffer.from("hello"), "/inbox/a.UPLOAD");
  await client.put(Buffer.from("hello"), "/inbox/b.tmp");
  t.deepEqual(
    world.deliveries.map((file) => file.name),
    ["b.tmp"],
  );
});

test("an empty file is delivered", async (t) => {
  const world = await openDoorWorld(t);
  const client = await world.client();
  await client.put(Buffer.alloc(0), "/inbox/empty.jwe");
  t.like(world.deliveries, { length: 1, 0: { name: "empty.jwe", sizeBytes: 0 } });
});

test("files in subfolders are delivered with their path below inbox", async (t) => {
  const world = await openDoorWorld(t);
  const client = await world.client();
  await client.mkdir("/inbox/2026/11", true);
  await client.put(Buffer.from("hello"), "/inbox/2026/11/batch.jwe");
  t.is(world.deliveries[0]?.name, "2026/11/batch.jwe");
  await t.throwsAsync(client.rmdir("/inbox/2026/11"), { message: /not empty/ });
});

test("a delivered name uploaded again is a second delivery from an inode of its own", async (t) => {
  const world = await openDoorWorld(t);
  const client = await world.client();
  await client.put(Buffer.from("first"), "/inbox/batch.jwe");
  const first = await stat(world.inbox("batch.jwe"));
  await client.put(Buffer.from("second!"), "/inbox/batch.jwe");
  const second = await stat(world.inbox("batch.jwe"));
  t.not(first.ino, second.ino);
  t.deepEqual(
    world.deliveries.map((file) => file.sizeBytes),
    [5, 7],
  );
  t.is((await world.vaulted(0)).toString(), "first");
  t.is((await world.vaulted(1)).toString(), "second!");
});

test("a rename onto a delivered name is a second delivery", async (t) => {
  const world = await openDoorWorld(t);
  const client = await world.client();
  await client.put(Buffer.from("first"), "/inbox/batch.jwe");
  await client.put(Buffer.from("second!"), "/inbox/batch.jwe.tmp");
  await client.rename("/inbox/batch.jwe.tmp", "/inbox/batch.jwe");
  t.deepEqual(
    world.deliveries.map((file) => file.sizeBytes),
    [5, 7],
  );
  t.is((await world.vaulted(0)).toString(), "first");
});

test("a delivered file can be neither removed nor renamed, and only a truncating open writes its name", async (t) => {
  const world = await openDoorWorld(t);
  const client = await world.client();
  await client.put(Buffer.from("hello"), "/inbox/batch.jwe");
  await t.throwsAsync(client.delete("/inbox/batch.jwe"), { message: /delivered/ });
  await t.throwsAsync(client.rename("/inbox/batch.jwe", "/inbox/other.jwe"), { message: /delivered/ });
  const { sftp } = await world.bare();
  const handle = await open(sftp, "/inbox/batch.jwe", "r+");
  await t.throwsAsync(write(sftp, handle, Buffer.from("HE"), 0), { message: /delivered/ });
  await t.throwsAsync(close(sftp, handle), { message: /delivered/ });
  t.is((await world.vaulted(0)).toString(), "hello");
  t.is(world.deliveries.length, 1);
});

test("opening a delivered file and closing it unwritten delivers nothing", async (t) => {
  const world = await openDoorWorld(t);
  const { sftp } = await world.bare();
  await close(sftp, await open(sftp, "/inbox/batch.jwe", "w"));
  await close(sftp, await open(sftp, "/inbox/batch.jwe", "r+"));
  t.is(world.deliveries.length, 1);
});

test("what is not delivered can be removed and renamed", async (t) => {
  const world = await openDoorWorld(t);
  const client = await world.client();
  await client.put(Buffer.from("hello"), "/inbox/a.tmp");
  await client.rename("/inbox/a.tmp", "/inbox/b.tmp");
  await client.put(Buffer.from("hello"), "/inbox/c.tmp");
  await t.throwsAsync(client.rename("/inbox/b.tmp", "/inbox/c.tmp"), { message: /exists already/ });
  await client.posixRename("/inbox/b.tmp", "/inbox/c.tmp");
  await client.delete("/inbox/c.tmp");
  t.deepEqual(await client.list("/inbox"), []);
  t.is(world.deliveries.length, 0);
});

test("a delivery that fails makes the upload fail, and the same upload again can succeed", async (t) => {
  const world = await openDoorWorld(t);
  const client = await world.client();
  world.onDeliver = async () => {
    throw new Error("the database is away");
  };
  await t.throwsAsync(client.put(Buffer.from("hello"), "/inbox/batch.jwe"), { message: /The service failed/ });
  t.regex(String((await world.event("sftp.failed")).error), /the database is away/);
  world.onDeliver = async () => {};
  await client.put(Buffer.from("hello"), "/inbox/batch.jwe");
  t.is(world.deliveries.length, 1);
});

test("a delivery that fails at a rename leaves the temporary name, and the same rename again can succeed", async (t) => {
  const world = await openDoorWorld(t);
  const client = await world.client();
  await client.put(Buffer.from("hello"), "/inbox/batch.jwe.tmp");
  world.onDeliver = async () => {
    throw new Error("the database is away");
  };
  await t.throwsAsync(client.rename("/inbox/batch.jwe.tmp", "/inbox/batch.jwe"), { message: /The service failed/ });
  t.deepEqual(
    (await client.list("/inbox")).map((entry) => entry.name),
    ["batch.jwe.tmp"],
  );
  world.onDeliver = async () => {};
  await client.rename("/inbox/batch.jwe.tmp", "/inbox/batch.jwe");
  t.is(world.deliveries.length, 1);
});

test("a cut upload delivers nothing and can be resumed", async (t) => {
  const world = await openDoorWorld(t);
  const content = randomBytes(300_000);
  const { ssh, sftp } = await world.bare();
  const handle = await open(sftp, "/inbox/batch.jwe", "w");
  await write(sftp, handle, content.subarray(0, 100_000), 0);
  ssh.destroy();
  await world.event("sftp.upload-abandoned");
  t.is(world.deliveries.length, 0);
  const client = await world.client();
  t.is((await client.stat("/inbox/batch.jwe")).size, 100_000);
  await client.append(content.subarray(100_000), "/inbox/batch.jwe");
  t.is(world.deliveries.length, 1);
  t.true(content.equals(await world.vaulted(0)));
  t.is(world.deliveries[0]?.sha256.toString("hex"), createHash("sha256").update(content).digest("hex"));
});

test("a second session that writes the same name is refused with a reason, and the first one succeeds", async (t) => {
  const world = await openDoorWorld(t);
  const { sftp } = await world.bare();
  const handle = await open(sftp, "/inbox/batch.jwe", "w");
  const second = await world.client();
  await t.throwsAsync(second.put(Buffer.from("hello"), "/inbox/batch.jwe"), {
    message: /Another session is writing this file/,
  });
  await t.throwsAsync(second.delete("/inbox/batch.jwe"), { message: /open for writing/ });
  await close(sftp, handle);
  t.is(world.deliveries.length, 1);
});

test("a name is free as soon as its close is answered, however often the same one is sent", async (t) => {
  const world = await openDoorWorld(t, { isKeptWithRow: () => true });
  const { sftp } = await world.bare();
  for (let nth = 0; nth < 100; nth += 1) {
    const handle = await open(sftp, "/inbox/batch.jwe", "w");
    await write(sftp, handle, Buffer.from(`the ${nth}th`), 0);
    await close(sftp, handle);
  }
  t.is(world.deliveries.length, 100);
});

test("writes in any order give the same file and digest", async (t) => {
  const world = await openDoorWorld(t);
  const { sftp } = await world.bare();
  const content = randomBytes(90_000);
  const handle = await open(sftp, "/inbox/batch.jwe", "w");
  await Promise.all(
    [60_000, 0, 30_000].map((start) => write(sftp, handle, content.subarray(start, start + 30_000), start)),
  );
  await close(sftp, handle);
  t.true(content.equals(await world.vaulted(0)));
  t.is(world.deliveries[0]?.sha256.toString("hex"), createHash("sha256").update(content).digest("hex"));
});

test("64 MiB arrive and leave with every byte the same", async (t) => {
  const world = await openDoorWorld(t);
  const client = await world.client();
  const content = randomBytes(64 * 1024 * 1024);
  await client.put(content, "/inbox/big.jwe");
  const sha256 = createHash("sha256").update(content).digest("hex");
  t.is(world.deliveries[0]?.sha256.toString("hex"), sha256);
  t.is(
    createHash("sha256")
      .update(await world.vaulted(0))
      .digest("hex"),
    sha256,
  );
  const back = await client.get("/inbox/big.jwe");
  t.is(
    createHash("sha256")
      .update(back as Buffer)
      .digest("hex"),
    sha256,
  );
});

test("answers leave in the order in which they were asked for, whichever is ready first", async (t) => {
  const world = await openDoorWorld(t);
  await (await world.client()).put(Buffer.from("there already"), "/inbox/day.jwe");
  const { sftp } = await world.bare();
  const [growing, complete] = [await open(sftp, "/inbox/next.jwe", "w+"), await open(sftp, "/inbox/day.jwe", "r")];
  const answered: string[] = [];
  const read = async (handle: Buffer, what: string) => {
    await new Promise<void>((resolve, reject) =>
      sftp.read(handle, Buffer.alloc(5), 0, 5, 0, (error) => (error ? reject(error) : resolve())),
    );
    answered.push(what);
  };
  const piece = randomBytes(32 * 1024);
  const writes = Array.from({ length: 32 }, (_, index) => write(sftp, growing, piece, index * piece.length));
  await Promise.all([...writes, read(growing, "what is still being written"), read(complete, "what is there")]);
  t.deepEqual(answered, ["what is still being written", "what is there"]);
});

test("200 small files are all delivered and listed", async (t) => {
  const world = await openDoorWorld(t);
  const client = await world.client();
  for (let index = 0; index < 200; index += 1) await client.put(Buffer.from(`file ${index}`), `/inbox/${index}.jwe`);
  t.is(world.deliveries.length, 200);
  t.is((await client.list("/inbox")).length, 200);
});

test("whoever looks at receipts finds those of all that was delivered before", async (t) => {
  const world = await openDoorWorld(t);
  const client = await world.client();
  await client.put(Buffer.from("hello"), "/inbox/batch.jwe");
  let write = (): void => undefined;
  world.receiptsWritten = new Promise((resolve) => (write = resolve));
  const found = client.exists("/receipts/batch.jwe.receipt.json");
  await writeFile(world.inbox("../receipts/batch.jwe.receipt.json"), "{}");
  write();
  t.is(await found, "-");
});

test("receipts can be read, and not written, renamed or removed", async (t) => {
  const world = await openDoorWorld(t);
  const client = await world.client();
  await client.list("/receipts");
  await writeFile(world.inbox("../receipts/batch.jwe.receipt.json"), "{}");
  t.is(String(await client.get("/receipts/batch.jwe.receipt.json")), "{}");
  await t.throwsAsync(client.put(Buffer.from("x"), "/receipts/forged.json"), {
    message: /Only inbox\/ can be written/,
  });
  await t.throwsAsync(client.delete("/receipts/batch.jwe.receipt.json"), { message: /Only inbox\/ can be written/ });
  await t.throwsAsync(client.rename("/receipts/batch.jwe.receipt.json", "/inbox/x.jwe"), {
    message: /Only inbox\/ can be written/,
  });
  await t.throwsAsync(client.mkdir("/receipts/folder"), { message: /Only inbox\/ can be written/ });
});

test("nothing outside the partner's own folders can be read, written or seen", async (t) => {
  const world = await openDoorWorld(t);
  const other = await world.client({ username: "other", privateKey: world.otherKey.privateKey });
  await other.put(Buffer.from("secret"), "/inbox/secret.jwe");
  const client = await world.client();
  for (const path of [
    "/../other/inbox/secret.jwe",
    "/inbox/../../other/inbox/secret.jwe",
    "/other/inbox/secret.jwe",
    "/etc/passwd",
    "../../../../etc/passwd",
  ]) {
    await t.throwsAsync(client.get(path), { message: /No such file/ }, path);
    await t.throwsAsync(client.put(Buffer.from("x"), path), { message: /Only inbox\/ can be written/ }, path);
  }
  t.deepEqual(await client.list("/inbox"), []);
  t.is(await readFile(`${world.landing}/other/inbox/secret.jwe`, "utf8"), "secret");
});

test("symbolic links are neither made nor followed nor listed", async (t) => {
  const world = await openDoorWorld(t);
  const { sftp } = await world.bare();
  await t.throwsAsync(promisify<string, string>(sftp.symlink.bind(sftp))("/etc/passwd", "/inbox/link"), {
    message: /SYMLINK is not supported/,
  });
  await t.throwsAsync(promisify<string, string>(sftp.readlink.bind(sftp))("/inbox/link"), {
    message: /READLINK is not supported/,
  });
  await symlink("/etc/passwd", world.inbox("file-link"));
  await symlink("/etc", world.inbox("folder-link"));
  const client = await world.client();
  t.deepEqual(await client.list("/inbox"), []);
  await t.throwsAsync(client.get("/inbox/file-link"), { message: /No such file/ });
  await t.throwsAsync(client.get("/inbox/folder-link/passwd"), { message: /No such file/ });
  await t.throwsAsync(client.put(Buffer.from("x"), "/inbox/file-link"), { message: /No such file/ });
});

test("names with control characters, too long names and too deep paths are refused", async (t) => {
  const world = await openDoorWorld(t);
  const client = await world.client();
  await t.throwsAsync(client.put(Buffer.from("x"), "/inbox/a\0b.jwe"), { message: /control character/ });
  await t.throwsAsync(client.put(Buffer.from("x"), "/inbox/a\u001b[2Jb.jwe"), { message: /control character/ });
  await t.throwsAsync(client.put(Buffer.from("x"), `/inbox/${"a".repeat(201)}`), { message: /name is too long/ });
  await t.throwsAsync(client.put(Buffer.from("x"), `/inbox/${"a/".repeat(8)}b`), { message: /path is too deep/ });
});

test("a name with characters that nobody sees is refused where it is given, and the audit trail says why", async (t) => {
  const world = await openDoorWorld(t);
  const client = await world.client();
  const message = /A name holds a character that cannot be seen/;
  for (const name of ["day\u202egpj.jwe", "day\u200b.jwe", "\ufeffday.jwe", "day\u2066.jwe.part"])
    await t.throwsAsync(client.put(Buffer.from("x"), `/inbox/${name}`), { message }, name);
  const { sftp } = await world.bare();
  await t.throwsAsync(promisify<string>(sftp.mkdir.bind(sftp))("/inbox/day\u200d"), { message });
  await client.put(Buffer.from("x"), "/inbox/day.jwe.part");
  await t.throwsAsync(client.rename("/inbox/day.jwe.part", "/inbox/day\u200f.jwe"), { message });
  t.deepEqual(
    (await client.list("/inbox")).map(({ name }) => name),
    ["day.jwe.part"],
  );
  const refused = world.audited.filter(({ event }) => event === "sftp.refused").map(({ details }) => details);
  t.is(refused.length, 6);
  t.like(refused[0], {
    operation: "open",
    path: "/inbox/day\u202egpj.jwe",
    reason: "A name holds a character that cannot be seen, such as a zero-width space or a change of direction.",
  });
});

test("what has such a name from before can be read, renamed and removed", async (t) => {
  const world = await openDoorWorld(t);
  const client = await world.client();
  await client.list("/inbox");
  await writeFile(world.inbox("old\u200b.part"), "bytes");
  await writeFile(world.inbox("older\u202e.part"), "bytes");
  t.is(String(await client.get("/inbox/old\u200b.part")), "bytes");
  await client.rename("/inbox/old\u200b.part", "/inbox/old.part");
  await client.delete("/inbox/older\u202e.part");
  t.deepEqual(
    (await client.list("/inbox")).map(({ name }) => name),
    ["old.part"],
  );
});

test("times are kept, and modes are accepted without effect", async (t) => {
  const world = await openDoorWorld(t);
  const { sftp } = await world.bare();
  const client = await world.client();
  await client.put(Buffer.from("hello"), "/inbox/batch.jwe");
  await promisify<string, number, number>(sftp.utimes.bind(sftp))("/inbox/batch.jwe", 1_000_000_000, 1_000_000_001);
  await promisify<string, number>(sftp.chmod.bind(sftp))("/inbox/batch.jwe", 0o777);
  const shown = await client.stat("/inbox/batch.jwe");
  t.is(shown.modifyTime, 1_000_000_001_000);
  t.is(shown.mode & 0o777, 0o440);
});
