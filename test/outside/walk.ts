/**
 * A user's data through every way there is, under the logins that a started service has: files and statements over SFTP,
 * a push, a connected bank; recognised, budgeted, read, corrected, withdrawn, told, reported, followed in the change feed,
 * removed by age and erased.
 * Whatever a login may not do that the service does, the database's own log has, and stopping fails by it:
 *
 *   node test/outside/walk.ts
 */
import assert from "node:assert/strict";
import { createPublicKey, randomUUID, verify } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { JWK } from "jose";
import pg from "pg";
import { createBrowser } from "../attacks/browser.ts";
import { agreeAtBank, initiate, toBankChoice } from "../attacks/psd2.ts";
import { fetchReceipts, openSshSftp } from "./clients/open-ssh.ts";
import { type Answer, onboardPartner, type Partner } from "./partner.ts";
import { type ForeignSealer, openSealers } from "./sealing/foreign-jose.ts";
import { prepareService } from "./service.ts";

const service = await prepareService("walk", ["--no-demo", "--as-of", "2026-10-15"]);
/** Of a busy machine; each step takes a second or two. */
const withinMs = 90_000;
const iban = "NO9386011117947";
const shortPause = 200;

try {
  await service.start();
  const partner = await onboardPartner(service, "walk", {
    id: "walk-no",
    country: "NO",
    currency: "NOK",
    timeZone: "Europe/Oslo",
    locale: "nb-NO",
  });
  await service.tideline("partner", "set", partner.id, "psd2.sandbox=true", "csv.unencrypted=true");
  await createUsers(partner, ["ingrid", "olav", "sandbox"]);
  await followed(partner);
  const sealers = await openSealers(await partner.batchKey());
  const [sealer] = sealers;
  assert.ok(sealer);
  await deliver(partner, sealer);
  const token = await partner.login("ingrid");
  await readAll(partner, token);
  await push(partner, sealer);
  await correct(partner, sealer);
  await budget(partner, token);
  await connectBank(partner);
  await verifyReceipts(partner);
  await operate(partner);
  await followChanges(partner);
  for (const one of sealers) one.close();
  await leave(partner, token);
  await service.stop();
  console.log("walk: every way works under the service's own logins, and none of them lacked a right");
} finally {
  await service.remove();
}

async function createUsers(partner: Partner, names: readonly string[]): Promise<void> {
  for (const bankUserId of names)
    assert.equal(
      (await partner.call("POST", "/users", { body: { bankUserId, brand: partner.brand.id, locale: "nb-NO" } })).status,
      201,
    );
}

/** A sealed file, the table that names whose account it is, and a bank's own statement of that account. */
async function deliver(partner: Partner, sealer: ForeignSealer): Promise<void> {
  const marker = { uid: "ingrid", type: "IMPORT_COMPLETED" };
  const files = {
    "history.jwe": await sealer.seal(JSON.stringify([...historyOf("ingrid"), marker])),
    "accounts_1.csv": `"bank_id";"user_id";"account_number"\n"IBAN";"ingrid";"${iban}"\n`,
    "camt053_20261014.xml": statement(),
  };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(path.join(partner.folder, name), text);
    await openSshSftp(partner, [`put ${name} inbox/${name}`]);
    await untilLoaded(partner, name);
  }
  const wrong = await sealer.seal(JSON.stringify([payment("olav", "w-1", "2026-10-01", "Feil", -1)]));
  await writeFile(path.join(partner.folder, "wrong.jwe"), wrong);
  await openSshSftp(partner, ["put wrong.jwe inbox/wrong.jwe"]);
  await untilLoaded(partner, "wrong.jwe");
  console.log("files: a sealed one, a table, a statement, each loaded");
}

async function untilLoaded(partner: Partner, name: string): Promise<void> {
  const at = `${name}.receipt.json`;
  await until(`${name} is loaded`, async () => {
    const fetched = await openSshSftp(partner, [`get receipts/${at} ${at}`]).catch(() => null);
    if (fetched === null) return false;
    const { state, counts } = JSON.parse(await readFile(path.join(partner.folder, at), "utf8")) as {
      state: string;
      counts: { new: number; records: number };
    };
    assert.ok(["accepted", "loading", "loaded"].includes(state), `${name} is ${state}`);
    if (state !== "loaded") return false;
    assert.equal(counts.new, counts.records - (name === "history.jwe" ? 1 : 0), name);
    return true;
  });
}

/** What users read, and that what was recognised is in it. */
async function readAll(partner: Partner, token: string): Promise<void> {
  const services = await untilRead(partner, token, "/services");
  assert.match(services.text, /Netflix/);
  assert.match((await untilRead(partner, token, "/income")).text, /Fabrikken/);
  for (const at of ["/upcoming-payments", "/transactions?limit=5"])
    assert.equal((await partner.call("GET", at, { token })).status, 200, at);
  const [first] = (JSON.parse(services.text) as { services: { id: string }[] }).services;
  const hidden = { token, body: { hidden: true } };
  assert.ok((await partner.call("PUT", `/services/${first?.id}/hidden`, hidden)).status < 300);
  console.log("reads: services, income, upcoming payments, transactions");
}

async function push(partner: Partner, sealer: ForeignSealer): Promise<void> {
  const txs = await sealer.seal(JSON.stringify([payment("ingrid", "p-1", "2026-10-14", "Bakeriet", -48.5)]));
  const body = { reqId: randomUUID(), txs };
  assert.equal((await partner.call("POST", "/transactions", { body })).status, 201);
  const token = await partner.login("ingrid");
  await until("the pushed payment is read", async () =>
    (await partner.call("GET", "/transactions?limit=1", { token })).text.includes("2026-10-14"),
  );
  console.log("push: loaded and read");
}

async function correct(partner: Partner, sealer: ForeignSealer): Promise<void> {
  await service.tideline("partner", "set", partner.id, "onConflict=correct");
  await untilFollowed(partner, "what was pushed", (lines) =>
    lines.some(({ change, data }) => change === "put" && data.transaction_id === "p-1" && data.amount === -48.5),
  );
  const txs = await sealer.seal(JSON.stringify([payment("ingrid", "p-1", "2026-10-14", "Bakeriet", -52)]));
  assert.equal((await partner.call("POST", "/transactions", { body: { reqId: randomUUID(), txs } })).status, 201);
  await untilFollowed(partner, "its correction", (lines) => lastOf(lines, "p-1")?.data.amount === -52);
  console.log("corrected: what was pushed, and those who follow are told both");
}

async function budget(partner: Partner, token: string): Promise<void> {
  const made = await partner.call("POST", "/budgets", { token, body: {} });
  assert.ok(made.status < 300, `${made.status} ${made.text}`);
  const { id } = JSON.parse(made.text) as { id: string };
  const read = await untilRead(partner, token, `/budgets/${id}`);
  assert.match(read.text, /"expenses"/);
  const given = { token, body: { amount: 48_000, frequency: "YEARLY" } };
  assert.equal((await partner.call("POST", `/budgets/${id}/categories/FOOD_GROCERIES/adjustments`, given)).status, 200);
  await answer(partner, token, id);
  console.log("budget: made, read and answered, each change in the trail");
}

/** Its next question by an amount: the trail says what was answered, from where to where. */
async function answer(partner: Partner, token: string, budgetId: string): Promise<void> {
  const next = await partner.call("GET", `/budgets/${budgetId}/questions/next`, { token });
  assert.equal(next.status, 200, next.text);
  const { id, category } = JSON.parse(next.text) as { id: string; category?: string };
  const body = {
    categories: [{ id: category ?? "LEISURE_PETS" }],
    type: "USER_PROVIDED",
    amount: 249,
    paymentFrequency: "MONTHLY",
    title: "Answered",
  };
  const answered = await partner.call("POST", `/budgets/${budgetId}/questions/${id}`, { token, body });
  assert.equal(answered.status, 200, answered.text);
  const told = await service.tideline("audit", "--event", "https.changed", "--partner", partner.id, "--json");
  const [given, chosen] = (JSON.parse(told) as { details: Record<string, unknown> }[]).slice(-2);
  const { amount, from, to } = given?.details ?? {};
  assert.deepEqual([amount, from, to], ["48000.00 NOK YEARLY", "0.00 NOK MONTHLY", "48000.00 NOK YEARLY"]);
  assert.equal(chosen?.details.payee, "Answered");
  assert.deepEqual([chosen?.details.from, chosen?.details.to], ["none", category ?? "LEISURE_PETS"]);
}

/** Through the sandbox bank, as a user's browser goes. */
async function connectBank(partner: Partner): Promise<void> {
  const authority = await readFile(path.join(partner.folder, "ca.pem"), "utf8");
  const origin = `https://127.0.0.1:${service.httpsPort}`;
  const browser = createBrowser({ from: "127.0.0.1", authority, origin });
  const token = await partner.login("sandbox");
  const chosen = await toBankChoice(browser, await initiate(partner, token));
  const authorize = await browser.whereto(chosen, "/bank", { bank: "sandbox" });
  assert.ok(authorize !== null);
  await agreeAtBank(browser, authorize);
  await until("the bank's payments are fetched and read", async () => {
    const answer = await partner.call("GET", "/transactions?limit=1", { token });
    return answer.status === 200 && answer.text.length > 10;
  });
  console.log("connected bank: consented and fetched");
}

/** As docs/bank.md says it: the payload is the receipt's bytes, the key is among the partner's. */
async function verifyReceipts(partner: Partner): Promise<void> {
  const { keys } = JSON.parse((await partner.call("GET", "/.well-known/jwks.json")).text) as {
    keys: (JWK & { kid: string })[];
  };
  const receipts = await fetchReceipts(partner, partner.folder);
  assert.ok(receipts.length >= 4);
  for (const { name, text } of receipts) {
    const [header = "", , signature = ""] = (await readFile(path.join(partner.folder, `${name}.jws`), "utf8"))
      .trim()
      .split(".");
    const { kid } = JSON.parse(Buffer.from(header, "base64url").toString()) as { kid: string };
    const key = keys.find((one) => one.kid === kid && one.use === "sig");
    assert.ok(key, `the key of ${name} is published`);
    const signed = Buffer.from(`${header}.${Buffer.from(text).toString("base64url")}`);
    const publicKey = createPublicKey({ key: { ...key }, format: "jwk" });
    assert.ok(verify(null, signed, publicKey, Buffer.from(signature, "base64url")), `${name} is what was signed`);
  }
  console.log(`receipts: ${receipts.length} signatures hold`);
}

/** What the operator's commands leave to the service to do. */
async function operate(partner: Partner): Promise<void> {
  await service.tideline("withdraw", "wrong.jwe", "--partner", partner.id);
  await service.tideline("retention", "run");
  await service.tideline("audit", "verify");
  console.log("operator: withdrawn, removed by age, audit verified");
}

type FeedLine = { kind: string; change: "put" | "removed"; data: Record<string, unknown> };

/** All that was told so far to a follower of the partner; the first call makes it one. */
async function followed(partner: Partner): Promise<FeedLine[]> {
  const file = path.join(partner.folder, "changes.jsonl");
  await service.tideline("export", "--follow", "walk", "--partner", partner.id, "--to", file, "--once");
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as FeedLine);
}

async function untilFollowed(partner: Partner, what: string, holds: (lines: FeedLine[]) => boolean): Promise<void> {
  await until(`the feed tells ${what}`, async () => holds(await followed(partner)));
}

function lastOf(lines: readonly FeedLine[], txid: string): FeedLine | undefined {
  return lines.findLast(({ data }) => data.transaction_id === txid);
}

/** What the doors, the loader, the jobs and the API's own calls write for those who follow. */
async function followChanges(partner: Partner): Promise<void> {
  await untilFollowed(partner, "a withdrawal", (lines) => lastOf(lines, "w-1")?.change === "removed");
  const lines = await followed(partner);
  assert.equal(lastOf(lines, "n-23")?.change, "put");
  assert.ok(lines.some(({ kind, data }) => kind === "service" && data.title === "Netflix"));
  assert.ok(lines.some(({ kind, data }) => kind === "transaction" && data.description === "Rema 1000"));
  const token = await partner.login("ingrid");
  assert.equal((await partner.call("PUT", "/accounts", { token, body: [] as object })).status, 200);
  await untilFollowed(partner, "an account taken out of sight", (all) => lastOf(all, "n-23")?.change === "removed");
  const olav = await partner.login("olav");
  assert.equal((await partner.call("DELETE", "/users", { token: olav })).status, 202);
  await untilFollowed(partner, "a user's deletion", (all) =>
    all.some(({ kind, change }) => kind === "user" && change === "removed"),
  );
  console.log("followed: files, pushes, services, a withdrawal, an account out of sight and a user who left are told");
}

/** What comes round by time does so first at a start. */
async function leave(partner: Partner, token: string): Promise<void> {
  assert.equal((await partner.call("DELETE", "/users", { token })).status, 202);
  assert.equal((await partner.call("GET", "/services", { token })).status, 401);
  await service.tideline("partner", "set", partner.id, "retention.deletedUserDays=1");
  await longAgo();
  await service.stop();
  await service.start();
  await until("the user is erased", async () =>
    (await service.tideline("audit", "--event", "users.erased", "--json")).includes("users.erased"),
  );
  await service.tideline("audit", "verify");
  console.log("left: erased by the service, and the audit trail holds");
}

/** As if the user had left two days ago. */
async function longAgo(): Promise<void> {
  const owner = new pg.Client({ connectionString: await service.databaseUrl() });
  await owner.connect();
  await owner.query("update users set deleted_at = now() - interval '2 days' where deleted_at is not null");
  await owner.end();
}

async function untilRead(partner: Partner, token: string, at: string): Promise<Answer> {
  let answer = await partner.call("GET", at, { token });
  await until(`${at} can be read`, async () => {
    answer = await partner.call("GET", at, { token });
    assert.ok(answer.status < 300, `${at}: ${answer.status} ${answer.text}`);
    return answer.status === 200;
  });
  return answer;
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await holds())) {
    assert.ok(performance.now() < deadline, `not in time: ${what}`);
    await wait(shortPause);
  }
}

/** Two years of a streaming service and of pay. */
function historyOf(uid: string): object[] {
  return Array.from({ length: 24 }, (_, index) => {
    const day = new Date(Date.UTC(2024, 9 + index, 12)).toISOString().slice(0, 10);
    return [
      payment(uid, `n-${index}`, day, "Netflix", -129),
      payment(uid, `l-${index}`, day, "Fabrikken AS lønn", 32_000),
    ];
  }).flat();
}

function payment(uid: string, txid: string, txTime: string, name: string, amount: number): object {
  const tx = {
    txid,
    description: name,
    txTime,
    type: amount < 0 ? "CARD_PURCHASE" : "SALARY",
    amount,
    currency: "NOK",
  };
  return {
    uid,
    type: "TX",
    account: { id: "acc-1", name: "Brukskonto", iban },
    tx: amount < 0 ? { ...tx, merchant: { name, mcc: 4899 } } : tx,
  };
}

/** One booked entry, with balances that agree. */
function statement(): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
<GrpHdr><MsgId>1</MsgId><CreDtTm>2026-10-14T04:00:00+01:00</CreDtTm></GrpHdr>
<Stmt><Id>1</Id><ElctrncSeqNb>1</ElctrncSeqNb><Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>NOK</Ccy></Acct>
<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="NOK">1000.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-10-13</Dt></Dt></Bal>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="NOK">800.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-10-13</Dt></Dt></Bal>
<Ntry><Amt Ccy="NOK">200.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-10-13</Dt></BookgDt>
<AcctSvcrRef>5501</AcctSvcrRef><NtryDtls><TxDtls><RmtInf><Ustrd>Rema 1000</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
</Stmt></BkToCstmrStmt></Document>`;
}
