/** Fjord Bank on a service of its own in this process: onboarded, with payments to send and calls to make. */
import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { ExecutionContext } from "ava";
import { importPKCS8, SignJWT } from "jose";
import { readConfig } from "../src/config.ts";
import type { DatabaseUrls } from "../src/database/service-roles.ts";
import { createEvents } from "../src/events.ts";
import type { RawTransaction } from "../src/interface/record.ts";
import { generateEd25519 } from "../src/landing/sftp/connection/key-pairs.ts";
import { openTideline, type Tideline } from "../src/main.ts";
import { rotateBatchKey } from "../src/partners/keys/batch-keys.ts";
import { addLoginKey } from "../src/partners/keys/login-keys.ts";
import { putBrand, putPartner } from "../src/partners/provisioning.ts";
import { addSftpKey } from "../src/partners/keys/sftp-keys.ts";
import { environmentOf } from "./world.ts";

const partnerPath = "/partner/fjord/2.0.0";

export type Answer = { status: number; headers: Record<string, string | string[] | undefined>; json: unknown };
export type Bank = (method: string, at: string, body?: unknown, token?: string) => Promise<Answer>;

/** On Thursday 15 October 2026. */
export async function openHouse(
  t: ExecutionContext,
  urls: DatabaseUrls,
): Promise<{ tideline: Tideline; folder: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-journey-"));
  const environment = {
    ...environmentOf(urls),
    TIDELINE_DATA_DIR: path.join(folder, "data"),
    TIDELINE_HTTPS_PORT: "0",
    TIDELINE_SFTP_PORT: "0",
    TIDELINE_CONSOLE_PORT: "0",
    TIDELINE_AS_OF: "2026-10-15",
    TIDELINE_KEY_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  };
  const tideline = await openTideline(readConfig({}, environment), createEvents({ level: "silent" }));
  t.teardown(async () => {
    await tideline.close();
    await rm(folder, { recursive: true, force: true });
  });
  return { tideline, folder };
}

/** What an operator does with `tideline partner …`, and the folder that the bank is given. */
export async function onboardBank(
  { database, keyEncryptionKey, ...tideline }: Tideline,
  folder: string,
): Promise<string> {
  await putPartner(database, { id: "fjord", name: "Fjord Bank" });
  await putBrand(database, "fjord", {
    id: "fjord-no",
    country: "NO",
    currency: "NOK",
    timeZone: "Europe/Oslo",
    locale: "nb-NO",
  });
  await rotateBatchKey(database, keyEncryptionKey, "fjord", new Date());
  const login = generateKeyPairSync("rsa", { modulusLength: 2048 });
  await addLoginKey(database, {
    partnerId: "fjord",
    kid: null,
    algorithm: "RS256",
    publicKeyPem: login.publicKey.export({ format: "pem", type: "spki" }).toString(),
    expiresAt: null,
  });
  const sftp = await generateEd25519("fjord");
  await addSftpKey(database, { partnerId: "fjord", publicKey: sftp.publicKey, comment: "fjord", expiresAt: null });
  const files = {
    "partner.json": JSON.stringify({
      partnerId: "fjord",
      brand: "fjord-no",
      baseUrl: tideline.baseUrl,
      sftpHost: "127.0.0.1",
      sftpPort: tideline.sftpPort,
      sftpUser: "fjord",
    }),
    "ca.pem": tideline.certificate.authority,
    "login-private.pem": login.privateKey.export({ format: "pem", type: "pkcs8" }).toString(),
    sftp_key: sftp.privateKey,
    known_hosts: tideline.hostKeys.knownHosts(["127.0.0.1"], tideline.sftpPort!),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text, { mode: 0o600 });
  return folder;
}

/** On a card, from the one account that everybody has. */
export function payment(
  uid: string,
  txid: string,
  txTime: string,
  name: string,
  amount: number,
  mcc = 4899,
): RawTransaction {
  return {
    uid,
    type: "TX",
    account: { id: "acc-1", name: "Brukskonto", iban: "NO9386011117947" },
    tx: {
      txid,
      description: name.toUpperCase(),
      txTime,
      type: "CARD_PURCHASE",
      amount,
      currency: "NOK",
      merchant: { name, mcc },
    },
  };
}

/** @returns a bearer token */
export async function logIn(bank: Bank, folder: string, bankUserId: string): Promise<string> {
  const key = await importPKCS8(await readFile(path.join(folder, "login-private.pem"), "utf8"), "RS256");
  const payload = await new SignJWT({ brand: "fjord-no" })
    .setProtectedHeader({ alg: "RS256" })
    .setSubject(bankUserId)
    .setExpirationTime("5m")
    .setJti(randomUUID())
    .sign(key);
  return ((await bank("POST", "/users/logins", { payload })).json as { token: string }).token;
}

/** Asks again until the answer is right; AVA's time limit ends what never becomes so. */
export async function until<Value>(ask: () => Promise<Value>, isRight: (value: Value) => boolean): Promise<Value> {
  for (let value = await ask(); ; value = await ask()) {
    if (isRight(value)) return value;
    await wait(50);
  }
}

export function clientOf(tideline: Tideline): Bank {
  return async (method, at, body, token) =>
    await new Promise((resolve, reject) => {
      const headers = {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body ? { "content-type": "application/json" } : {}),
      };
      const call = request(
        {
          host: "localhost",
          port: tideline.httpsPort,
          path: partnerPath + at,
          method,
          headers,
          ca: tideline.certificate.authority,
          agent: false,
          family: 4,
        },
        (response) => {
          let text = "";
          response.on("data", (chunk: Buffer) => (text += chunk));
          response.on("end", () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              json: text === "" ? null : (JSON.parse(text) as unknown),
            }),
          );
        },
      );
      call.on("error", reject).end(body ? JSON.stringify(body) : undefined);
    });
}
