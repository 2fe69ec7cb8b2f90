/**
 * The part of a partner that no generator makes: the word for a user that the login takes, and a sealed year of payments.
 * What it sends goes over plain calls, so that the programs beside it show generated code alone.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { CompactEncrypt, importJWK, importPKCS8, type JWK, SignJWT } from "jose";

const [address = ""] = process.argv.slice(2);
export const baseUrl: string = address;
const folder = process.env.TIDELINE_PARTNER_FOLDER ?? "";
export const { partnerId, brand } = JSON.parse(await readFile(path.join(folder, "partner.json"), "utf8")) as { partnerId: string; brand: string };
const loginKey = await importPKCS8(await readFile(path.join(folder, "login.pem"), "utf8"), "RS256");
export const recognisedWithinMs = 60_000;

/** The payload of a login. */
export async function wordFor(bankUserId: string): Promise<string> {
  return await new SignJWT({ brand }).setProtectedHeader({ alg: "RS256" }).setSubject(bankUserId).setIssuedAt().setExpirationTime("5m").setJti(randomUUID()).sign(loginKey);
}

/** A user with a year of payments of one subscription. @returns its bankUserId */
export async function customerWithHistory(): Promise<string> {
  const bankUserId = `customer-${randomUUID()}`;
  await post("/users", { bankUserId, brand, locale: "da-DK" });
  const answer = await fetch(`${baseUrl}/partner/${partnerId}/2.0.0/.well-known/jwks.json`);
  const { keys } = (await answer.json()) as { keys: (JWK & { kid: string })[] };
  const key = keys[0];
  assert.ok(key);
  const today = new Date();
  const months = Array.from({ length: 12 }, (_none, ago) => new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - ago, 1)).toISOString().slice(0, 10));
  const records = months.map((day) => ({
    uid: bankUserId, type: "TX", account: { id: `account-${bankUserId}`, name: "Daily", iban: "" },
    tx: { txid: `${bankUserId}-${day}`, description: "NETFLIX.COM", txTime: day, type: "CARD_PURCHASE", amount: -114, currency: "DKK", merchant: { name: "NETFLIX.COM" } },
  }));
  const plaintext = Buffer.from(JSON.stringify([...records, { uid: bankUserId, type: "IMPORT_COMPLETED" }]));
  const txs = await new CompactEncrypt(plaintext).setProtectedHeader({ alg: "RSA-OAEP", enc: "A256GCM", kid: key.kid }).encrypt(await importJWK(key, "RSA-OAEP"));
  await post("/transactions", { reqId: randomUUID(), txs });
  return bankUserId;
}

async function post(at: string, body: object): Promise<void> {
  const answer = await fetch(`${baseUrl}/partner/${partnerId}/2.0.0${at}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  assert.equal(answer.status, 201, await answer.text());
}
