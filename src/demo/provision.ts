/**
 * The demo partner: everything that outside tools need to drive Tideline, in `<data-dir>/demo/`. Made once; addresses
 * are written anew at each start, lost files are replaced by new keys, broken ones are told.
 */
import { generateKeyPair } from "node:crypto";
import { isIP } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { inTransaction } from "../database/database.ts";
import { generateEd25519 } from "../landing/sftp/connection/key-pairs.ts";
import { type DemoHost, demoPartnerId } from "./host.ts";
import { publicBatchKeys, rotateBatchKey } from "../partners/keys/batch-keys.ts";
import { isLoopback } from "../partners/network.ts";
import { readSmallFile, writeSmallFile } from "../machine/small-file.ts";
import { makeFolder } from "../machine/sync-folder.ts";
import { writeHandover } from "../partners/handover.ts";
import { addLoginKey } from "../partners/keys/login-keys.ts";
import { publicPgpKeys, rotatePgpKey } from "../partners/keys/pgp-keys.ts";
import { presetNetworks, presetSettings, putBrand, putPartner } from "../partners/provisioning.ts";
import { addSftpKey } from "../partners/keys/sftp-keys.ts";

const demoPartner = { id: demoPartnerId, name: "Demo bank" };

/** On this machine, and the name that is reserved for examples (RFC 2606). */
const demoRedirectPrefixes = ["https://localhost", "http://localhost", "http://127.0.0.1", "https://example.com"];

const brands = [
  { id: "demo-dk", country: "DK", currency: "DKK", timeZone: "Europe/Copenhagen", locale: "da-DK" },
  { id: "demo-se", country: "SE", currency: "SEK", timeZone: "Europe/Stockholm", locale: "sv-SE" },
  { id: "demo-no", country: "NO", currency: "NOK", timeZone: "Europe/Oslo", locale: "nb-NO" },
  { id: "demo-fi", country: "FI", currency: "EUR", timeZone: "Europe/Helsinki", locale: "fi-FI" },
];

/** @returns the folder. Idempotent. @throws Fault FILE_BROKEN */
export async function provisionDemo(tideline: DemoHost): Promise<string> {
  const folder = tideline.folder.demo;
  await makeFolder(folder);
  await provisionPartner(tideline);
  // Together: making RSA keys is most of it, and each keeps one processor busy.
  await Promise.all([
    makeBatchKeys(tideline),
    makePgpKeys(tideline),
    makeLoginKey(tideline, path.join(folder, "login-private.pem")),
    makeSftpKey(tideline, path.join(folder, "sftp_key")),
  ]);
  await writeAddresses(tideline, folder);
  const consoleToken = await readSmallFile(tideline.folder.consoleToken, "Add an account: tideline console token add.");
  if (consoleToken !== null) await writeSmallFile(path.join(folder, "console-token"), consoleToken);
  return folder;
}

async function provisionPartner(tideline: DemoHost): Promise<void> {
  await inTransaction(tideline.database, async (transaction) => {
    await putPartner(transaction, demoPartner);
    await presetSettings(transaction, demoPartnerId, {
      psd2: { redirectPrefixes: demoRedirectPrefixes, sandbox: true },
    });
    await presetNetworks(transaction, demoPartnerId, ownNetworks(tideline.host));
    for (const brand of brands) await putBrand(transaction, demoPartnerId, brand);
  });
}

async function makeBatchKeys({ database, keyEncryptionKey, clock }: DemoHost): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const keys = await publicBatchKeys(transaction, demoPartnerId);
    if (keys.length === 0) await rotateBatchKey(transaction, keyEncryptionKey, demoPartnerId, clock.now());
  });
}

async function makePgpKeys({ database, keyEncryptionKey, clock }: DemoHost): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const keys = await publicPgpKeys(transaction, demoPartnerId);
    if (keys.length === 0) await rotatePgpKey(transaction, keyEncryptionKey, demoPartner, clock.now());
  });
}

/** Whoever is on this machine: what listens beyond it serves nobody else as the demo partner, unless told to. */
function ownNetworks(host: string): string[] {
  return ["127.0.0.0/8", "::1/128", ...(isIP(host) === 0 || isLoopback(host) ? [] : [host])];
}

/** Login JWTs are signed with RS256, the interface's sample algorithm. */
const loginKeyBits = 2048;

async function makeLoginKey(tideline: DemoHost, file: string): Promise<void> {
  if (await exists(file)) return;
  const { publicKey, privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: loginKeyBits });
  const publicKeyPem = publicKey.export({ format: "pem", type: "spki" }).toString();
  await addLoginKey(tideline.database, {
    partnerId: demoPartnerId,
    kid: null,
    algorithm: "RS256",
    publicKeyPem,
    expiresAt: null,
  });
  await writeSmallFile(file, privateKey.export({ format: "pem", type: "pkcs8" }).toString());
}

async function makeSftpKey(tideline: DemoHost, file: string): Promise<void> {
  if (await exists(file)) return;
  const pair = await generateEd25519("demo");
  await addSftpKey(tideline.database, {
    partnerId: demoPartnerId,
    publicKey: pair.publicKey,
    comment: "demo",
    expiresAt: null,
  });
  await writeSmallFile(file, pair.privateKey);
}

async function writeAddresses(tideline: DemoHost, folder: string): Promise<void> {
  const { baseUrl, httpsPort, sftpPort, host, certificate, hostKeys, database } = tideline;
  const [batchKey] = await publicBatchKeys(database, demoPartnerId);
  const [pgpKey] = await publicPgpKeys(database, demoPartnerId);
  const sftp =
    sftpPort === null
      ? null
      : {
          host,
          port: sftpPort,
          knownHosts: hostKeys.knownHosts([...new Set([host, "127.0.0.1", "localhost"])], sftpPort),
        };
  await writeHandover(folder, {
    partnerId: demoPartnerId,
    brands: brands.map((brand) => brand.id),
    baseUrl,
    httpsPort,
    sftp,
    authority: certificate.authority,
    batchKey,
    pgpKey: pgpKey?.armored,
  });
}

/** @throws Fault FILE_BROKEN for a key that is empty: the tools that work with it would fail less clearly. */
async function exists(file: string): Promise<boolean> {
  return (await readSmallFile(file, "Remove it: a new key is made at the next start.")) !== null;
}
