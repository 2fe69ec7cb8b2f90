/** A file that was cut anywhere is told by its structure alone, and one that is whole or no such file is not. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import test, { type ExecutionContext } from "ava";
import { createMessage, encrypt, generateKey, readKey } from "openpgp";
import {
  type FindCut,
  isCutGzip,
  isCutLines,
  isCutLinesInGzip,
  isCutPgp,
  isCutToken,
} from "../../../workers/formats/cut-off.ts";

/** Tells of many contents, one after the other. */
async function openLook(t: ExecutionContext, findCut: FindCut, manifestRequired = false) {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-cut-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return async (content: Uint8Array | string) => {
    await writeFile(path.join(folder, "file"), content);
    return await findCut(path.join(folder, "file"), { manifestRequired });
  };
}

/** Some two hundred places, the first and the last ones among them. */
function places(length: number, from: number): number[] {
  const step = Math.max(1, Math.floor(length / 150));
  return Array.from({ length }, (_, at) => at).filter(
    (at) => at >= from && (at < from + 25 || at > length - 26 || at % step === 0),
  );
}

async function countToldCuts(look: (content: Uint8Array) => Promise<string | null>, whole: Buffer, from = 1) {
  const cuts = places(whole.length, from);
  const told: number[] = [];
  for (const at of cuts) if ((await look(whole.subarray(0, at))) !== null) told.push(at);
  return { untold: cuts.filter((at) => !told.includes(at)), told: told.length };
}

/** The segments of a compact JWE, which nobody deciphers here. */
function token(ciphertextBytes: number): string {
  const segment = (bytes: number) => Buffer.alloc(bytes, 7).toString("base64url");
  const header = Buffer.from('{"alg":"RSA-OAEP","enc":"A256GCM"}').toString("base64url");
  return [header, segment(256), segment(12), segment(ciphertextBytes), segment(16)].join(".");
}

test("a JWE is told to be cut at every place, a short one and one longer than what is looked at", async (t) => {
  const look = await openLook(t, isCutToken);
  for (const bytes of [40, 100_000]) {
    const whole = Buffer.from(token(bytes));
    t.deepEqual((await countToldCuts(look, whole, 2)).untold, [], String(bytes));
    t.is(await look(whole), null);
    t.is(await look(`${whole.toString()}\n`), null);
  }
  t.is(await look(Buffer.from(token(40)).subarray(0, 90)), "the JWE ends before its authentication tag");
  for (const none of ["", "hello", '[{"uid":"anna"}]', `${token(40)}.${token(40)}`, "ey=.a.b"])
    t.is(await look(none), null);
});

const line = (reqId: string) => JSON.stringify({ reqId, txs: token(40) });
const manifest = '{"manifest":{"batches":2,"sha256":"00"}}';

test("lines are told to be cut within one, and behind one where the manifest must follow", async (t) => {
  const look = await openLook(t, isCutLines);
  const strict = await openLook(t, isCutLines, true);
  const text = `${line("a")}\n${line("b")}\n${manifest}\n`;
  const ends = [line("a").length, line("a").length + 1, `${line("a")}\n${line("b")}`.length];
  t.is(await look(text), null);
  t.is(await strict(text), null);
  for (const end of ends) t.is(await look(text.slice(0, end)), null);
  for (const end of ends) t.is(await strict(text.slice(0, end)), "the manifest line is missing");
  const first = Buffer.from(line("a"));
  t.deepEqual((await countToldCuts(look, first)).untold, []);
  t.is(await look(text.slice(0, ends[1]) + line("b").slice(0, 100)), "the last line ends before its end");
  for (const none of ["", "hello", "\n\n"]) t.is(await strict(none), null);
});

test("gzip is told to be cut up to its last byte, and what is damaged otherwise is the loader's", async (t) => {
  const look = await openLook(t, isCutGzip);
  const whole = gzipSync(Buffer.from("a;b\n".repeat(5000)));
  t.deepEqual((await countToldCuts(look, whole)).untold, []);
  t.is(await look(whole), null);
  const damaged = Buffer.from(whole);
  damaged[whole.length - 6] = (damaged[whole.length - 6] as number) ^ 1;
  for (const none of [damaged, "hello"]) t.is(await look(none), null);
  const lines = await openLook(t, isCutLinesInGzip, true);
  t.is(await lines(gzipSync(`${line("a")}\n${line("b")}\n${manifest}\n`)), null);
  t.is(await lines(gzipSync(`${line("a")}\n${line("b")}\n`)), "the manifest line is missing");
  t.is(await lines(gzipSync(line("a").slice(0, 50))), "the last line ends before its end");
});

test("an OpenPGP message is told to be cut at every place, in binary and in armour", async (t) => {
  const { publicKey } = await generateKey({ userIDs: [{ name: "Partner" }], format: "armored" });
  const encryptionKeys = await readKey({ armoredKey: publicKey });
  const message = await createMessage({ binary: new Uint8Array(60_000).fill(7) });
  const binary = Buffer.from(await encrypt({ message, encryptionKeys, format: "binary" }));
  const armoured = Buffer.from(await encrypt({ message, encryptionKeys, format: "armored" }));
  const look = await openLook(t, isCutPgp);
  t.deepEqual((await countToldCuts(look, binary)).untold, []);
  t.deepEqual((await countToldCuts(look, armoured.subarray(0, armoured.length - 2), 30)).untold, []);
  t.deepEqual([await look(binary), await look(armoured)], [null, null]);
  t.is(await look('"bank_id";"user_id"\n'), null);
});
