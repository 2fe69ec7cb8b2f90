/** A sealed file of any size is verified before a byte of it is read, in bounded memory, and bombs are refused. */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { deflateRawSync } from "node:zlib";
import test, { type ExecutionContext } from "ava";
import { collect } from "../collecting.ts";
import { SealedFile } from "../../../workers/jwe/sealed-file.ts";
import { NotOpened } from "../../../workers/not-opened.ts";
import { flipBit, keyFinder, makeKey, replaceSegment, type SealOptions, sealToken } from "../sealing.ts";

const key = makeKey();
const findKey = keyFinder(key);

for (const sizeBytes of [0, 1, 2, 3, 48, 65_535, 65_536, 196_608, 262_143, 3_000_001]) {
  test(`a file over ${sizeBytes} bytes verifies and opens, deflated or not`, async (t) => {
    const content = randomBytes(sizeBytes);
    for (const compress of [true, false]) {
      t.true(content.equals(await openFile(t, sealToken(key, content, { compress }))));
    }
  });
}

test("line ends behind the tag are ignored", async (t) => {
  const content = Buffer.from("[]");
  for (const end of ["\n", "\r\n", "\n\n", " \n"])
    t.deepEqual(await openFile(t, sealToken(key, content) + end), content);
});

test("text that repeats itself more than transactions ever do still opens below a mebibyte", async (t) => {
  const content = Buffer.alloc(1_000_000, "[");
  t.true(content.equals(await openFile(t, sealToken(key, content))));
});

const token = sealToken(key, randomBytes(300_000));
const refused: Record<string, string> = {
  "an empty file": "",
  text: "this is not a JWE",
  "dots only": "....",
  "the front alone": token.slice(0, 500),
  "a truncated file": token.slice(0, 200_000),
  "a file without its tag": token.slice(0, token.lastIndexOf(".") + 1),
  "a truncated ciphertext": replaceSegment(token, 3, (text) => text.slice(0, -4)),
  "a flipped bit in the middle": replaceSegment(token, 3, (text) => flipBit(text, 1_000_000)),
  "a flipped bit in the tag": replaceSegment(token, 4, (text) => flipBit(text, 5)),
  "a flipped bit in the key": replaceSegment(token, 1, (text) => flipBit(text, 700)),
  "a flipped bit in the IV": replaceSegment(token, 2, (text) => flipBit(text, 3)),
  "another header": replaceSegment(token, 0, () =>
    Buffer.from(JSON.stringify({ alg: "RSA-OAEP", enc: "A256GCM", kid: key.kid })).toString("base64url"),
  ),
  "a dot within the ciphertext": replaceSegment(token, 3, (text) => `${text.slice(0, 300_000)}.${text.slice(300_000)}`),
  "a line end within the ciphertext": replaceSegment(
    token,
    3,
    (text) => `${text.slice(0, 300_000)}\n${text.slice(300_000)}`,
  ),
  "plain base64 within the ciphertext": replaceSegment(
    token,
    3,
    (text) => `${text.slice(0, 300_000)}+/+/${text.slice(300_004)}`,
  ),
  "many line ends at the end": token + "\n".repeat(100),
};

for (const [name, text] of Object.entries(refused)) {
  test(`refused before anything is read: ${name}`, async (t) => {
    const file = await write(t, text);
    await t.throwsAsync(async () => (await SealedFile.open(file, findKey)).verify(), { instanceOf: NotOpened });
  });
}

const outOfContract: Record<string, SealOptions> = {
  "another alg": { header: { alg: "RSA-OAEP-256" } },
  "another zip": { header: { zip: "GZIP" } },
  "an unknown kid": { header: { kid: "key-2" } },
  "a tag of 12 bytes": { authTagLength: 12 },
  "a content key of 16 bytes": { contentKey: Buffer.alloc(16) },
};

for (const [name, options] of Object.entries(outOfContract)) {
  test(`refused before anything is read: ${name}`, async (t) => {
    const file = await write(t, sealToken(key, "[]", options));
    await t.throwsAsync(async () => (await SealedFile.open(file, findKey)).verify(), { instanceOf: NotOpened });
  });
}

test("a bomb is refused after two hundred times its size", async (t) => {
  const file = await write(t, sealToken(key, Buffer.alloc(64 * 1024 * 1024, "[")));
  const sealed = await SealedFile.open(file, findKey);
  await sealed.verify();
  let sizeBytes = 0;
  await t.throwsAsync(
    async () => {
      for await (const piece of sealed.plaintext()) sizeBytes += piece.length;
    },
    { instanceOf: NotOpened },
  );
  t.true(sizeBytes <= 16 * 1024 * 1024);
});

test("what does not inflate, or does not end where it should, is refused", async (t) => {
  const cut = sealToken(key, randomBytes(100_000), { header: { zip: "DEF" }, compress: false });
  const sealed = await SealedFile.open(await write(t, cut), findKey);
  await sealed.verify();
  await t.throwsAsync(async () => collect(sealed.plaintext()), { instanceOf: NotOpened });
});

for (const trailingBytes of [1, 1000, 3_000_000]) {
  test(`bytes behind the end of what was deflated are refused (${trailingBytes})`, async (t) => {
    const content = Buffer.concat([deflateRawSync(randomBytes(1_000_000)), randomBytes(trailingBytes)]);
    const sealed = await SealedFile.open(
      await write(t, sealToken(key, content, { header: { zip: "DEF" }, compress: false })),
      findKey,
    );
    await sealed.verify();
    await t.throwsAsync(async () => collect(sealed.plaintext()), { instanceOf: NotOpened });
  });
}

test("a reader that stops early leaves nothing behind", async (t) => {
  const sealed = await SealedFile.open(await write(t, sealToken(key, randomBytes(2_000_000))), findKey);
  await sealed.verify();
  for await (const piece of sealed.plaintext()) {
    t.true(piece.length > 0);
    break;
  }
});

async function openFile(t: ExecutionContext, text: string): Promise<Buffer> {
  const sealed = await SealedFile.open(await write(t, text), findKey);
  await sealed.verify();
  return await collect(sealed.plaintext());
}

async function write(t: ExecutionContext, text: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-sealed-"));
  t.teardown(() => rm(folder, { recursive: true }));
  const file = path.join(folder, "batch.jwe");
  await writeFile(file, text);
  return file;
}
