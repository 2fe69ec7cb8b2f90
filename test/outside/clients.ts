/**
 * Six SFTP clients against a running Tideline: node test/outside/clients.ts
 * Each uploads one small .jsonl, a second one under a temporary name that it renames, lists the inbox, and fetches the
 * receipt until it says loaded. Prints a table; exit code 1 when one fails. Clients that are missing are listed as such.
 */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Receipt } from "../../src/landing/receipt.ts";
import { type ForeignSealer, openSealers } from "./foreign-jose.ts";
import { describeCountry, requestIdFor } from "./labelled-set.ts";
import { addsUp } from "./open-ssh.ts";
import { onboardPartner, type Partner } from "./partner.ts";
import { prepareService } from "./service.ts";
import { type SftpClient, sftpClients } from "./sftp-clients.ts";

const operations = ["upload", "rename", "list", "receipt"] as const;
type Operation = (typeof operations)[number];
/** "ok", or what went wrong. */
type Results = Partial<Record<Operation, string>>;

const bankUserId = "customer-1";
/** A receipt follows a small file within a second; a busy machine takes longer. */
const receiptWithinMs = 30_000;
const errorLengthMax = 300;

const service = await prepareService("clients", ["--no-demo"]);
try {
  await service.start();
  const partner = await onboardPartner(service, "outside-bank", { ...describeCountry("DK"), currency: "DKK" });
  await partner.call("POST", "/users", { body: { bankUserId, brand: partner.brand.id, locale: partner.brand.locale } });
  const [sealer, ...others] = await openSealers(await partner.batchKey());
  if (!sealer) throw new Error("there is no sealer");
  let failed = false;
  printRow("client", "version", operations);
  for (const client of sftpClients) {
    const version = await client.version();
    const unable = version === null ? "not installed" : (client.unable?.(version) ?? null);
    const results = unable === null ? await tryClient(client, partner, sealer) : {};
    printRow(client.name, version ?? "-", unable === null ? operations.map((operation) => results[operation] ?? "not tried") : [unable]);
    failed ||= unable === null && operations.some((operation) => results[operation] !== "ok");
  }
  for (const one of [sealer, ...others]) one.close();
  await service.stop();
  process.exitCode = failed ? 1 : 0;
} finally {
  await service.remove();
}

async function tryClient(client: SftpClient, partner: Partner, sealer: ForeignSealer): Promise<Results> {
  const slug = client.name.replaceAll(/\W+/g, "-").toLowerCase();
  const [plain, renamed] = [`${slug}.jsonl`, `${slug}-renamed.jsonl`];
  const local = (name: string) => path.join(partner.folder, name);
  for (const name of [plain, renamed]) await writeFile(local(name), await makeLine(sealer, name));
  return {
    upload: await outcome(async () => await client.put(partner, local(plain), `inbox/${plain}`)),
    rename: await outcome(async () => {
      await client.put(partner, local(renamed), `inbox/${renamed}.tmp`);
      await client.rename(partner, `inbox/${renamed}.tmp`, `inbox/${renamed}`);
    }),
    list: await outcome(async () => {
      const listed = await client.list(partner, "inbox");
      for (const name of [plain, renamed]) if (!listed.includes(name)) throw new Error(`${name} is not in the list`);
    }),
    receipt: await outcome(async () => {
      for (const name of [plain, renamed]) await awaitReceipt(client, partner, name);
    }),
  };
}

async function makeLine(sealer: ForeignSealer, name: string): Promise<string> {
  const tx = { txid: name, description: "Coffee", txTime: "2026-01-15", type: "CARD_PURCHASE", amount: -32.5, currency: "DKK" };
  const plaintext = JSON.stringify([{ uid: bankUserId, type: "TX", tx }]);
  return `${JSON.stringify({ reqId: requestIdFor(plaintext), txs: await sealer.seal(plaintext) })}\n`;
}

async function awaitReceipt(client: SftpClient, partner: Partner, name: string): Promise<void> {
  const local = path.join(partner.folder, `${name}.receipt.json`);
  const deadline = performance.now() + receiptWithinMs;
  let state = "none";
  while (performance.now() < deadline) {
    await client.get(partner, `receipts/${name}.receipt.json`, local);
    const receipt = JSON.parse(await readFile(local, "utf8")) as Receipt;
    state = receipt.state;
    if (state === "loaded" && addsUp(receipt) && receipt.counts.new === 1) return;
    if (state === "loaded" || state === "refused") throw new Error(`the receipt of ${name} says ${state}: ${JSON.stringify(receipt.counts)}`);
    await wait(200);
  }
  throw new Error(`the receipt of ${name} still says ${state}`);
}

async function outcome(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return "ok";
  } catch (error) {
    const { message, stderr } = error as Error & { stderr?: string };
    return `FAILED: ${(stderr || message).trim().replaceAll(/\s+/g, " ").slice(0, errorLengthMax)}`;
  }
}

function printRow(name: string, version: string, cells: readonly string[]): void {
  console.log([name.padEnd(14), version.padEnd(20), ...cells.map((cell) => cell.padEnd(10))].join(" ").trimEnd());
}
