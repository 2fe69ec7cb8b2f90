/** A bank's nightly files through the whole path, as its operations desk sees it: uploads by SFTP, and receipts. */
import { createPublicKey, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import test, { type ExecutionContext } from "ava";
import { createMessage, encrypt, readKey } from "openpgp";
import SftpClient from "ssh2-sftp-client";
import { run as quarantine } from "../../src/cli/deliveries/quarantine.ts";
import { run as withdraw } from "../../src/cli/deliveries/withdraw.ts";
import { readConfig } from "../../src/config.ts";
import { createEvents } from "../../src/events.ts";
import type { Receipt } from "../../src/landing/receipt.ts";
import { generateEd25519 } from "../../src/landing/sftp/connection/key-pairs.ts";
import { openTideline, type Tideline } from "../../src/main.ts";
import { rotatePgpKey } from "../../src/partners/keys/pgp-keys.ts";
import { changeSettings } from "../../src/partners/provisioning.ts";
import { addSftpKey } from "../../src/partners/keys/sftp-keys.ts";
import { giveBatchKeys } from "../batch-keys.ts";
import { addPartner, addUser } from "../parties.ts";
import { sealToken, type TestKey } from "../workers/sealing.ts";
import { accountsCsv, lineFile, transaction, transactionsCsv } from "../workers/world.ts";
import { createTestDatabase, environmentOf } from "../world.ts";

test.serial("transactions wait for their accounts, and their receipt moves on when these come", async (t) => {
  const bank = await openBank(t);
  const transactions = transactionsCsv([
    { transaction_id: "t1" },
    { transaction_id: "t2", account_number: "a2" },
    { transaction_id: "t3", amount: "x" },
  ]);
  await bank.put("transactions_1.csv.gz.pgp", await bank.toPgp(gzipSync(transactions)));
  const waiting = await bank.receipt("transactions_1.csv.gz.pgp", (receipt) => receipt.state === "loaded");
  t.like(waiting.counts, { records: 3, new: 0, waiting: 2, refused: 1 });
  await bank.put(
    "night/accounts_1.csv.pgp",
    await bank.toPgp(Buffer.from(accountsCsv({ a1: "anna", a2: "bob" }, ["anna", "bob"]))),
  );
  t.like((await bank.receipt("night/accounts_1.csv.pgp", (receipt) => receipt.state === "loaded")).counts, {
    records: 2,
    new: 2,
  });
  const moved = await bank.receipt("transactions_1.csv.gz.pgp", (receipt) => receipt.counts.waiting === 0);
  t.like(moved.counts, { records: 3, new: 2, waiting: 0, refused: 1 });
  t.deepEqual(moved.problems, [{ line: 4, index: 2, field: "amount", reason: "is not a number" }]);
  const completed = async () =>
    (await bank.tideline.database.query("select 1 from users where import_completed_at is not null")).rowCount;
  while ((await completed()) !== 2) await wait(20);
});

test.serial(
  "a table in the clear loads when the partner may send it, and its text stays neither in the inbox nor in the vault",
  async (t) => {
    const bank = await openBank(t);
    const text = accountsCsv({ a1: "anna" });
    await bank.put("accounts_1.csv", text);
    t.is(
      (await bank.receipt("accounts_1.csv", (receipt) => receipt.state === "refused")).refusal?.code,
      "FILE_UNENCRYPTED",
    );
    await changeSettings(bank.tideline.database, "bank", { csv: { unencrypted: true } });
    await bank.put("accounts_2.csv", text);
    t.like((await bank.receipt("accounts_2.csv", (receipt) => receipt.state === "loaded")).counts, {
      records: 1,
      new: 1,
    });
    t.is((await bank.sftp.stat("/inbox/accounts_2.csv")).size, Buffer.byteLength(text));
    t.is(
      ((await bank.sftp.get("/inbox/accounts_2.csv")) as Buffer).toString("latin1"),
      "\0".repeat(Buffer.byteLength(text)),
    );
    await t.throwsAsync(bank.sftp.delete("/inbox/accounts_2.csv"), { message: /delivered/ });
  },
);

test.serial("all or nothing, and a release after the fix", async (t) => {
  const bank = await openBank(t);
  await changeSettings(bank.tideline.database, "bank", { allOrNothing: true });
  await bank.put(
    "day.jwe",
    sealToken(bank.key, JSON.stringify([transaction("anna", "t1"), transaction("carl", "t2")])),
  );
  const refused = await bank.receipt("day.jwe", (receipt) => receipt.state === "refused");
  t.is(refused.refusal?.code, "TX_DATA_ERROR");
  t.like(refused.counts, { records: 2, new: 0, refused: 2 });
  await addUser(bank.tideline.database, "bank", "carl");
  t.is(await bank.command(quarantine, "release", "day.jwe"), 0);
  const released = await bank.receipt("day.jwe", (receipt) => receipt.state === "loaded");
  t.like(released.counts, { records: 2, new: 2, refused: 0 });
  t.deepEqual(released.problems, []);
});

test.serial("a required manifest, and duplicates that name the first file", async (t) => {
  const bank = await openBank(t);
  await changeSettings(bank.tideline.database, "bank", { manifest: "required" });
  const line = (txid: string) =>
    JSON.stringify({
      reqId: crypto.randomUUID(),
      txs: sealToken(bank.key, JSON.stringify([transaction("anna", txid)])),
    });
  await t.throwsAsync(bank.put("without.jsonl", lineFile([line("t1")])), {
    message: /The file is not whole: the manifest line is missing\./,
  });
  await bank.put("other.jsonl", `${line("t1")}\n{"manifest":{"batches":7,"sha256":"00"}}\n`);
  t.is(
    (await bank.receipt("other.jsonl", (receipt) => receipt.state === "refused")).refusal?.code,
    "MANIFEST_MISMATCH",
  );
  const whole = lineFile([line("t1")], true);
  await bank.put("with.jsonl", whole);
  t.like((await bank.receipt("with.jsonl", (receipt) => receipt.state === "loaded")).counts, { records: 1, new: 1 });
  await bank.put("again.jsonl", whole);
  const again = await bank.receipt("again.jsonl", (receipt) => receipt.state === "refused");
  t.like(again.refusal, { code: "FILE_DUPLICATE", duplicateOf: { file: "with.jsonl" } });
});

test.serial("a withdrawn file says so in its receipt, and can be sent again", async (t) => {
  const bank = await openBank(t);
  const bytes = sealToken(bank.key, JSON.stringify([transaction("anna", "t1"), transaction("bob", "t2")]));
  await bank.put("wrong.jwe", bytes);
  await bank.receipt("wrong.jwe", (receipt) => receipt.state === "loaded");
  t.is(await bank.command(withdraw, "wrong.jwe"), 0);
  const withdrawn = await bank.receipt("wrong.jwe", (receipt) => receipt.state === "withdrawn");
  t.is(withdrawn.withdrawal?.transactions, 2);
  t.like(withdrawn.counts, { records: 2, new: 2 });
  t.is(await bank.command(withdraw, "wrong.jwe"), 0);
  await bank.put("right.jwe", bytes);
  t.like((await bank.receipt("right.jwe", (receipt) => receipt.state === "loaded")).counts, { records: 2, new: 2 });
  t.is(
    (await bank.tideline.database.query("select 1 from audit_events where event = 'delivery.withdrawn'")).rowCount,
    1,
  );
});

type Bank = {
  tideline: Tideline;
  sftp: SftpClient;
  key: TestKey;
  put(name: string, content: string | Buffer): Promise<void>;
  /** The receipt of a file, once it is as expected. */
  receipt(name: string, isExpected: (receipt: Receipt) => boolean): Promise<Receipt>;
  toPgp(content: Buffer): Promise<Buffer>;
  /** Runs an operator's command on the same database. @returns its exit code. */
  command(run: (argv: string[]) => Promise<number>, ...parameters: string[]): Promise<number>;
};

/** The whole service, and a bank with users anna and bob that logs in by SFTP. */
async function openBank(t: ExecutionContext): Promise<Bank> {
  const { urls } = await createTestDatabase(t);
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-night-"));
  const environment = {
    ...environmentOf(urls),
    TIDELINE_DATA_DIR: folder,
    TIDELINE_HTTPS_PORT: "0",
    TIDELINE_SFTP_PORT: "0",
    TIDELINE_CONSOLE_PORT: "0",
    TIDELINE_KEY_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    TIDELINE_ROLES: "sftp,worker,scheduler",
  };
  const tideline = await openTideline(readConfig({}, environment), createEvents({ level: "silent" }));
  t.teardown(async () => {
    await tideline.close();
    await rm(folder, { recursive: true, force: true });
  });
  const { database, keyEncryptionKey } = tideline;
  await addPartner(database);
  for (const user of ["anna", "bob"]) await addUser(database, "bank", user);
  const { kid, ...jwk } = await giveBatchKeys(database, keyEncryptionKey, "bank");
  const { armored } = await rotatePgpKey(database, keyEncryptionKey, { id: "bank", name: "Bank" }, new Date());
  const publicKey = createPublicKey({ key: { ...jwk }, format: "jwk" });
  const login = await generateEd25519("bank");
  await addSftpKey(database, { partnerId: "bank", publicKey: login.publicKey, comment: "", expiresAt: null });
  const sftp = new SftpClient();
  await sftp.connect({
    host: "127.0.0.1",
    port: tideline.sftpPort ?? 0,
    username: "bank",
    privateKey: login.privateKey,
  });
  t.teardown(async () => void (await sftp.end().catch(() => undefined)));
  return {
    tideline,
    sftp,
    key: { kid, publicKey, privateKey: publicKey },
    async put(name, content) {
      const directory = path.posix.dirname(name);
      if (directory !== ".") await sftp.mkdir(`/inbox/${directory}`, true);
      await sftp.put(Buffer.from(content), `/inbox/${name}`);
    },
    async receipt(name, isExpected) {
      for (;;) {
        const text = await sftp.get(`/receipts/${name}.receipt.json`).catch(() => null);
        const receipt = text === null ? null : (JSON.parse(String(text)) as Receipt);
        if (receipt && isExpected(receipt)) return receipt;
        await wait(50);
      }
    },
    toPgp: async (content) =>
      Buffer.from(
        await encrypt({
          message: await createMessage({ binary: content }),
          encryptionKeys: await readKey({ armoredKey: armored }),
          format: "binary",
        }),
      ),
    async command(run, ...parameters) {
      const before = { ...process.env };
      Object.assign(process.env, environment);
      try {
        return await run([...parameters, "--json"]);
      } finally {
        process.env = before;
      }
    },
  };
}
