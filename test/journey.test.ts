/**
 * One customer's way through the whole house, as a bank lives it: onboard, create the customer, history as a file over
 * SFTP, today's payment over HTTPS, log in, read. Everything is real: doors, threads, queue, database.
 */
import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import test, { type ExecutionContext } from "ava";
import { importPKCS8, SignJWT } from "jose";
import { readConfig } from "../src/config.ts";
import { createEvents } from "../src/events.ts";
import type { RawTransaction } from "../src/interface/record.ts";
import { generateEd25519 } from "../src/landing/sftp/connection/key-pairs.ts";
import { openTideline, type Tideline } from "../src/main.ts";
import { rotateBatchKey } from "../src/partners/keys/batch-keys.ts";
import { addLoginKey } from "../src/partners/keys/login-keys.ts";
import { putBrand, putPartner } from "../src/partners/provisioning.ts";
import { addSftpKey } from "../src/partners/keys/sftp-keys.ts";
import { readCredentials } from "../src/sender/credentials.ts";
import { openHttpsDoor } from "../src/sender/https-door.ts";
import { sendThrough } from "../src/sender/send-through.ts";
import { openSftpDoor } from "../src/sender/sftp-door.ts";
import { readSftpCredentials } from "../src/sender/credentials.ts";
import { waitForReceipt } from "../src/sender/upload.ts";
import { createTestDatabase, environmentOf } from "./world.ts";

const partnerPath = "/partner/fjord/2.0.0";

test("a customer's history travels from the bank's file to the payments to expect", async (t) => {
  const { tideline, folder } = await openHouse(t);
  const credentialsFolder = await onboardBank(tideline, folder);
  const credentials = await readCredentials(credentialsFolder);
  const bank = clientOf(tideline);

  // The customer exists, and has nothing to show yet: reads say when to ask again.
  t.is((await bank("POST", "/users", { bankUserId: "ingrid", brand: "fjord-no", locale: "nb-NO" })).status, 201);
  const token = await logIn(bank, credentialsFolder, "ingrid");
  const early = await bank("GET", "/services", undefined, token);
  t.is(early.status, 202);
  t.truthy(early.headers["retry-after"]);

  // Two years of history land as one encrypted file; the receipt adds up.
  const sftp = await openSftpDoor(credentials, { name: "history.jwe", format: "jwe", spoolDirectory: folder });
  const sent = await sendThrough({ records: historyOf("ingrid"), partnerId: "fjord", door: sftp, complete: true });
  await sftp.close();
  t.like(sent, { outcome: "complete", recordsSent: 27, markersSent: 1 });
  const receipt = await waitForReceipt(await readSftpCredentials(credentials), sent.file!.name);
  t.like(receipt, { state: "loaded" });
  t.like(receipt.counts, { records: 28, new: 27, known: 0, conflicting: 0, refused: 0, waiting: 0, markers: 1 });

  // The import is complete, so the overview appears by itself.
  const list = await readServices(bank, token);
  t.deepEqual(
    list.services.map((service) => [service.product.title, service.paymentFrequency, service.amount]),
    [
      ["Netflix", "MONTHLY", 129],
      ["Storebrand Forsikring", "YEARLY", 4200],
    ],
  );

  // Today's payment comes over HTTPS, twice because the line broke: it counts once, and the price is the new one.
  const https = await openHttpsDoor(credentials);
  const [netflix] = list.services;
  for (const _ of [1, 2])
    await sendThrough({
      records: [payment("ingrid", "n-24", "2026-10-12", "Netflix", -139)],
      partnerId: "fjord",
      door: https,
      complete: false,
    });
  await https.close();
  const changed = await until(
    () => bank("GET", `/services/${netflix!.id}`, undefined, token).then((answer) => answer.json as Service),
    (service) => service.payments.length === 25,
  );
  t.like(changed, { amount: 139, status: "ACTIVE", nextExpectedTransactionDate: "2026-11-12" });

  // What is to be paid next, and what was paid.
  const upcoming = (await bank("GET", "/upcoming-payments", undefined, token)).json as {
    serviceId: string;
    expectedPaymentDate: string;
  }[];
  t.deepEqual(
    upcoming.map((one) => one.expectedPaymentDate),
    ["2026-11-12", "2027-03-01"],
  );
  const transactions = (await bank("GET", "/transactions?limit=1", undefined, token)).json as {
    transactionDate: string;
    serviceId: string;
    amount: number;
  }[];
  t.like(transactions[0], { transactionDate: "2026-10-12", serviceId: netflix!.id, amount: -139 });

  // The customer leaves: the token is dead at once.
  t.is((await bank("DELETE", "/users", undefined, token)).status, 202);
  t.is((await bank("GET", "/services", undefined, token)).status, 401);
});

type Service = {
  id: string;
  amount: number;
  paymentFrequency: string;
  product: { title: string };
  payments: unknown[];
};
type Answer = { status: number; headers: Record<string, string | string[] | undefined>; json: unknown };
type Bank = (method: string, at: string, body?: unknown, token?: string) => Promise<Answer>;

async function openHouse(t: ExecutionContext): Promise<{ tideline: Tideline; folder: string }> {
  const { urls } = await createTestDatabase(t);
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
async function onboardBank({ database, keyEncryptionKey, ...tideline }: Tideline, folder: string): Promise<string> {
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

/** Twenty-four months of a streaming service, two yearly insurance bills, one bakery. */
function historyOf(uid: string): RawTransaction[] {
  const months = Array.from({ length: 24 }, (_, index) =>
    new Date(Date.UTC(2024, 9 + index, 12)).toISOString().slice(0, 10),
  );
  return [
    ...months.map((day, index) => payment(uid, `n-${index}`, day, "Netflix", -129)),
    payment(uid, "s-1", "2025-03-01", "Storebrand Forsikring", -4200, 6300),
    payment(uid, "s-2", "2026-03-01", "Storebrand Forsikring", -4200, 6300),
    payment(uid, "b-1", "2026-05-20", "Bakeriet", -48.5, 5462),
  ];
}

function payment(uid: string, txid: string, txTime: string, name: string, amount: number, mcc = 4899): RawTransaction {
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

async function logIn(bank: Bank, folder: string, bankUserId: string): Promise<string> {
  const key = await importPKCS8(await readFile(path.join(folder, "login-private.pem"), "utf8"), "RS256");
  const payload = await new SignJWT({ brand: "fjord-no" })
    .setProtectedHeader({ alg: "RS256" })
    .setSubject(bankUserId)
    .setExpirationTime("5m")
    .setJti(randomUUID())
    .sign(key);
  return ((await bank("POST", "/users/logins", { payload })).json as { token: string }).token;
}

async function readServices(bank: Bank, token: string): Promise<{ services: Service[] }> {
  const answer = await until(
    () => bank("GET", "/services", undefined, token),
    ({ status }) => status === 200,
  );
  return answer.json as { services: Service[] };
}

/** Asks again until the answer is right; AVA's time limit ends what never becomes so. */
async function until<Value>(ask: () => Promise<Value>, isRight: (value: Value) => boolean): Promise<Value> {
  for (let value = await ask(); ; value = await ask()) {
    if (isRight(value)) return value;
    await wait(50);
  }
}

function clientOf(tideline: Tideline): Bank {
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
