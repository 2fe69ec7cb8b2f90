/**
 * OpenPGP files from the bank's side: made by GnuPG where it is installed, and by OpenPGP.js where GnuPG 2.2 cannot.
 */
import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import test, { type ExecutionContext } from "ava";
import { createMessage, encrypt, generateKey, readKey } from "openpgp";
import { chunkRecordsMax } from "../../../config/limits.ts";
import { encryptSecret } from "../../../src/partners/keys/secrets-at-rest.ts";
import type { FormatName } from "../../../workers/formats/formats.ts";
import { accountsCsv, countsOf, ledgerSize, type LoadingWorld, openLoading, transactionsCsv } from "../world.ts";

const hasGnupg = isInstalled("gpg");
/** Visible as skipped where there is no GnuPG. */
const withGnupg = (title: string, run: (t: ExecutionContext) => Promise<void>) =>
  hasGnupg ? test(title, run) : test.skip(title, run);

/** More than a chunk, so that a loader that did not verify first would have committed some. */
const rowsMany = chunkRecordsMax + 500;
const many = tableOf(rowsMany);
const few = tableOf(2);

/** With txids that begin with `prefix`. */
function tableOf(rows: number, prefix = "t"): string {
  return transactionsCsv(
    Array.from({ length: rows }, (_, n) => ({ transaction_id: `${prefix}${n}`, amount: `-${n}.25` })),
  );
}

/** Runs gpg over a content. */
type Pgp = (options: string[], content: string | Buffer) => Promise<Buffer>;
const toUs = ["--recipient", "Tideline", "--encrypt"];
const toOthers = ["--recipient", "Stranger", "--encrypt"];

const accepted: [name: string, options: string[], rows: number][] = [
  ["as GnuPG does by itself", [], rowsMany],
  ["armoured", ["--armor"], rowsMany],
  ["uncompressed", ["--compress-algo", "none"], rowsMany],
  ["compressed with ZIP", ["--compress-algo", "zip"], 2],
  ["compressed with BZIP2", ["--compress-algo", "bzip2"], 2],
  ["with line ends of text mode", ["--textmode"], 2],
  ["without naming its key", ["--throw-keyids"], 2],
  ["to the partner's other departments too", ["--recipient", "Stranger"], 2],
  ["signed inside", ["--local-user", "Stranger", "--sign"], 2],
];

withGnupg("files encrypted by GnuPG load", async (t) => {
  const { world, pgp } = await openBank(t);
  for (const [name, options, rows] of accepted) {
    const delivery = await deliver(
      world,
      "transactions.csv.pgp",
      await pgp([...options, ...toUs], tableOf(rows, name)),
    );
    t.deepEqual(countsOf(delivery), { batches: 1, records: rows, new: rows }, name);
  }
});

withGnupg("gzip inside OpenPGP loads, for accounts too", async (t) => {
  const { world, pgp } = await openBank(t);
  const accounts = await deliver(world, "accounts.csv.gz.pgp", await pgp(toUs, gzipSync(accountsCsv({ a9: "u2" }))));
  t.deepEqual(countsOf(accounts), { batches: 1, records: 1, new: 1 });
  const delivery = await deliver(
    world,
    "transactions.csv.gz.pgp",
    await pgp(toUs, gzipSync(transactionsCsv([{ account_number: "a9", transaction_id: "t" }]))),
  );
  t.deepEqual(countsOf(delivery), { batches: 1, records: 1, new: 1 });
});

/** What everybody can see of a file has an answer of its own. */
const broken: [name: string, make: (pgp: Pgp) => Promise<Buffer>, refusal?: string][] = [
  ["a plain file", async () => Buffer.from(many)],
  ["nothing but a line of armour", async () => Buffer.from("-----BEGIN PGP MESSAGE-----\n"), "FILE_TRUNCATED"],
  ["truncated", async (pgp) => (await pgp(toUs, many)).subarray(0, -30), "FILE_TRUNCATED"],
  ["truncated in the middle", async (pgp) => cutInHalf(await pgp(toUs, many)), "FILE_TRUNCATED"],
  ["truncated armour", async (pgp) => cutInHalf(await pgp(["--armor", ...toUs], many)), "FILE_TRUNCATED"],
  ["for a pass phrase", (pgp) => pgp(["--passphrase", "secret", "--symmetric"], many), "PGP_PASSWORD"],
  [
    "for a pass phrase, armoured",
    (pgp) => pgp(["--armor", "--passphrase", "secret", "--symmetric"], few),
    "PGP_PASSWORD",
  ],
  ["to another key, truncated", async (pgp) => cutInHalf(await pgp(toOthers, many)), "FILE_TRUNCATED"],
  ["to another key that is not named", (pgp) => pgp(["--throw-keyids", ...toOthers], few)],
  ["to another key, armoured", (pgp) => pgp(["--armor", ...toOthers], few), "PGP_KEY_UNKNOWN"],
  ["a flipped bit in the content", async (pgp) => flipBit(await pgp(toUs, many), 0.9)],
  [
    "a flipped bit in the uncompressed content",
    async (pgp) => flipBit(await pgp(["--compress-algo", "none", ...toUs], many), 0.5),
  ],
  ["a flipped bit in the wrapped key", async (pgp) => flipBit(await pgp(toUs, few), 0.1)],
  [
    "without a check of its integrity",
    (pgp) => pgp(["--rfc2440", "--disable-mdc", "--cipher-algo", "3DES", ...toUs], many),
  ],
  ["to another key", (pgp) => pgp(toOthers, many), "PGP_KEY_UNKNOWN"],
  ["signed only", (pgp) => pgp(["--local-user", "Stranger", "--sign"], many)],
  ["two messages behind each other", async (pgp) => Buffer.concat([await pgp(toUs, few), await pgp(toUs, few)])],
  [
    "a bomb",
    (pgp) => pgp(["--compress-algo", "zlib", "--compress-level", "9", ...toUs], Buffer.alloc(400_000_000, " ")),
  ],
];

withGnupg(
  "files that are not whole, not encrypted or not to us are refused, for what everybody can see of them or with one answer",
  async (t) => {
    const { world, pgp } = await openBank(t);
    for (const [name, make, refusal = "DECRYPTION_ERROR"] of broken) {
      const delivery = await deliver(world, "transactions.csv.pgp", await make(pgp));
      t.like(
        delivery,
        {
          state: "refused",
          refusalCode: refusal,
          records: 0,
        },
        name,
      );
    }
    t.is(await ledgerSize(world.database), 0);
  },
);

/** A length or a recipient that is another one now can be seen; nothing else. */
const flippedCodes: ReadonlySet<string> = new Set(["DECRYPTION_ERROR", "FILE_TRUNCATED", "PGP_KEY_UNKNOWN"]);

withGnupg("whichever bit of a file flips, nothing of it loads", async (t) => {
  const { world, pgp } = await openBank(t);
  const whole = await pgp(toUs, few);
  for (let share = 0; share < 1; share += 0.02) {
    const delivery = await deliver(world, "transactions.csv.pgp", flipBit(whole, share));
    t.is(delivery.state, "refused", `at ${share}`);
    t.true(flippedCodes.has(delivery.refusalCode ?? ""), `at ${share}: ${delivery.refusalCode}`);
  }
  t.is(await ledgerSize(world.database), 0);
});

test("a file with AEAD of RFC 9580 loads, and not when its last chunk is cut off or a bit flips", async (t) => {
  const { world } = await openPartner(t);
  const { privateKey, publicKey } = await generateKey({
    type: "rsa",
    rsaBits: 2048,
    userIDs: [{ name: "Modern" }],
    format: "object",
    config: { aeadProtect: true },
  });
  await world.database.query(
    "insert into service_keys (kid, purpose, partner_id, public_jwk, private_sealed) values ('modern', 'openpgp', $1, '{}', $2)",
    [world.partnerId, encryptSecret(world.context.keyEncryptionKey, "modern", privateKey.armor())],
  );
  const bytes = Buffer.from(
    await encrypt({ message: await createMessage({ text: many }), encryptionKeys: publicKey, format: "binary" }),
  );
  t.like(await deliver(world, "transactions.csv.pgp", bytes.subarray(0, -16)), { refusalCode: "FILE_TRUNCATED" });
  t.like(await deliver(world, "transactions.csv.pgp", flipBit(bytes, 0.9)), { refusalCode: "DECRYPTION_ERROR" });
  t.deepEqual(countsOf(await deliver(world, "transactions.csv.pgp", bytes)), {
    batches: 1,
    records: rowsMany,
    new: rowsMany,
  });
});

test("after a rotation the earlier key opens files until its overlap ends, and what was accepted before later too", async (t) => {
  const { world, armored } = await openPartner(t);
  const to = async (armoredKey: string, txid: string) =>
    Buffer.from(
      await encrypt({
        message: await createMessage({ text: transactionsCsv([{ transaction_id: txid }]) }),
        encryptionKeys: await readKey({ armoredKey }),
        format: "binary",
      }),
    );
  const next = await world.addPgpKey(new Date(Date.now() + 3_600_000));
  t.like(await deliver(world, "transactions.csv.pgp", await to(armored, "a")), { state: "loaded" });
  t.like(await deliver(world, "transactions.csv.pgp", await to(next, "b")), { state: "loaded" });
  const accepted = await world.deliverFile("transactions.csv.pgp", await to(armored, "c"));
  await world.database.query(
    "update service_keys set retired_at = now() where purpose = 'openpgp' and retired_at is not null",
  );
  t.like(await world.ingest(accepted), { state: "loaded" });
  t.like(await deliver(world, "transactions.csv.pgp", await to(armored, "d")), {
    state: "refused",
    refusalCode: "PGP_KEY_UNKNOWN",
  });
});

test("without an OpenPGP key of the partner no such file opens", async (t) => {
  const world = await openLoading(t);
  const { publicKey } = await generateKey({ type: "ecc", userIDs: [{ name: "Other" }], format: "object" });
  const bytes = await encrypt({
    message: await createMessage({ text: few }),
    encryptionKeys: publicKey,
    format: "binary",
  });
  t.like(await deliver(world, "transactions.csv.pgp", Buffer.from(bytes)), {
    state: "refused",
    refusalCode: "PGP_KEY_UNKNOWN",
  });
});

async function openPartner(t: ExecutionContext): Promise<{ world: LoadingWorld; armored: string }> {
  const world = await openLoading(t);
  const armored = await world.addPgpKey();
  await world.loadCsv("accounts", accountsCsv({ a1: "u1" }));
  return { world, armored };
}

/** A bank with GnuPG: it has the partner's key, and one of a stranger with its secret half. */
async function openBank(t: ExecutionContext): Promise<{ world: LoadingWorld; pgp: Pgp }> {
  const { world, armored } = await openPartner(t);
  // Sockets of the agent lie in it, whose paths must be short.
  const home = await mkdtemp(path.join(tmpdir(), "gpg-"));
  const run = (options: string[]) =>
    promisify(execFile)("gpg", [
      "--homedir",
      home,
      "--batch",
      "--yes",
      "--quiet",
      "--trust-model",
      "always",
      ...options,
    ]);
  t.teardown(async () => {
    await promisify(execFile)("gpgconf", ["--homedir", home, "--kill", "all"]).catch(() => undefined);
    await rm(home, { recursive: true, force: true });
  });
  const foreignKey = await generateKey({
    type: "rsa",
    rsaBits: 2048,
    userIDs: [{ name: "Stranger" }],
    format: "object",
  });
  await writeFile(path.join(home, "keys.asc"), armored + foreignKey.publicKey.armor() + foreignKey.privateKey.armor());
  await run(["--import", path.join(home, "keys.asc")]);
  const pgp: Pgp = async (options, content) => {
    await writeFile(path.join(home, "content"), content);
    await run(["--output", path.join(home, "out"), ...options, path.join(home, "content")]);
    return await readFile(path.join(home, "out"));
  };
  return { world, pgp };
}

async function deliver(world: LoadingWorld, format: FormatName, bytes: Buffer) {
  return await world.ingest(await world.deliverFile(format, bytes));
}

function cutInHalf(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length >> 1);
}

/** The lowest bit of the byte at a share of the length. */
function flipBit(bytes: Buffer, share: number): Buffer {
  const changed = Buffer.from(bytes);
  const at = Math.floor(bytes.length * share);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
