/** Every sealed column moves to the next key step by step, and each secret opens only in its place. */
import { randomBytes } from "node:crypto";
import test, { type ExecutionContext } from "ava";
import type { Database } from "../../../src/database/database.ts";
import { addFollower, putSigningKey, readSigningKey } from "../../../src/exports/followers.ts";
import { putReceiver, readReceiver, rotateSigningKey } from "../../../src/notifications/receiver.ts";
import { findBatchKey, rotateBatchKey } from "../../../src/partners/keys/batch-keys.ts";
import { findPgpKeys, rotatePgpKey } from "../../../src/partners/keys/pgp-keys.ts";
import { countEncrypted, encryptAnew, encryptedColumns } from "../../../src/partners/keys/encrypted-secrets.ts";
import { kidOf, encryptSecret, decryptSecret } from "../../../src/partners/keys/secrets-at-rest.ts";
import { loadTokenKeys } from "../../../src/partners/keys/token-keys.ts";
import { putBank, readBank } from "../../../src/psd2/banks.ts";
import { keepConsent, claimDueConsent } from "../../../src/psd2/consents.ts";
import { chooseBank, startLogin, redeemState } from "../../../src/psd2/logins.ts";
import { addPartner, addUser } from "../../parties.ts";
import { createTestDatabase } from "../../world.ts";

const [before, next, foreign] = [randomBytes(32), randomBytes(32), randomBytes(32)] as const;
const clientCertificate = { cert: "the certificate", key: "the key" };

/** How many encryptEverything() makes, the next batch key among them. */
const secretsMade = 13;

/** One of every kind of secret, each encrypted by the code whose it is. */
async function encryptEverything(database: Database, ring: Buffer) {
  const partnerId = await addPartner(database);
  const userId = await addUser(database, partnerId, "anna");
  const { kid } = await rotateBatchKey(database, ring, partnerId, new Date());
  await rotatePgpKey(database, ring, { id: partnerId, name: "Bank" }, new Date());
  await loadTokenKeys(database, ring, new Date());
  await putReceiver(database, ring, {
    partnerId,
    url: "https://bank.example",
    shape: "map",
    authentication: { kind: "static", token: "the token" },
    signing: "hmac",
    guard: { allowsPrivateAddresses: false, authority: undefined, clientCertificate },
  });
  await rotateSigningKey(database, ring, partnerId, { signing: null, overlapMs: 60_000, now: new Date() });
  await putBank(database, ring, {
    id: "north-bank",
    name: "North",
    country: "DK",
    xs2aUrl: "https://x.example",
    authorizeUrl: "https://x.example",
    tokenUrl: "https://x.example",
    clientId: "c",
    guard: { allowsPrivateAddresses: false, authority: undefined, clientCertificate },
  });
  const login = await startLogin(database, {
    userId,
    partnerId,
    redirectUrl: null,
    customerHint: null,
    requiresConfirmation: false,
    language: "en",
  });
  await chooseBank(database, ring, login.id, {
    bankId: "north-bank",
    reference: "r",
    state: "the state",
    verifier: "the verifier",
  });
  const consent = {
    userId,
    partnerId,
    loginId: login.id,
    confirmationCode: null,
    bankId: "north-bank",
    bankName: "North",
    reference: "r",
    validUntil: "2199-01-01",
  };
  await keepConsent(database, ring, consent, {
    accessToken: "the access",
    refreshToken: "the refresh",
    expiresInSeconds: 3600,
  });
  await addFollower(database, { name: "lake", partnerId });
  await putSigningKey(database, ring, "lake", { signing: "hmac", key: "the signing key" });
  return { partnerId, kid };
}

/** Every secret, opened by the code whose it is. */
async function openEverything(
  t: ExecutionContext,
  database: Database,
  ring: Buffer,
  { partnerId, kid }: { partnerId: string; kid: string },
): Promise<void> {
  t.truthy(await findBatchKey(database, ring, partnerId, kid, new Date(0)));
  t.regex((await findPgpKeys(database, ring, partnerId, new Date(0)))[0] ?? "", /PRIVATE KEY/);
  t.is((await loadTokenKeys(database, ring, new Date())).length, 1);
  t.like(await readReceiver(database, ring, partnerId), {
    authentication: { token: "the token" },
    previous: { signing: "hmac" },
    guard: { clientCertificate },
  });
  t.like(await readBank(database, ring, "north-bank"), { guard: { clientCertificate } });
  t.like(await claimDueConsent(database, ring, 0), { accessToken: "the access", refreshToken: "the refresh" });
  t.like(await readSigningKey(database, ring, "lake"), { key: "the signing key" });
}

test("every encrypted column that the catalogue has is known", async (t) => {
  const { database } = await createTestDatabase(t);
  const { rows } = await database.query<{ name: string }>(
    "select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public' and column_name like '%sealed%' order by 1",
  );
  t.deepEqual(
    encryptedColumns.map(({ table, column }) => `${table}.${column}`).sort(),
    rows.map(({ name }) => name).sort(),
  );
});

test("everything that one key encrypted is encrypted anew under the next, and opens without the first", async (t) => {
  const { database } = await createTestDatabase(t);
  const made = await encryptEverything(database, before);
  const ring = Buffer.concat([next, before]);
  await openEverything(t, database, ring, made);
  t.is(
    new Set((await countEncrypted(database)).map(({ table, column }) => `${table}.${column}`)).size,
    encryptedColumns.length,
    "one of each kind",
  );
  const steps: number[] = [];
  t.is(await encryptAnew(database, ring, (secrets) => steps.push(secrets)), secretsMade);
  t.is(
    steps.reduce((sum, secrets) => sum + secrets),
    secretsMade,
  );
  t.deepEqual([...new Set((await countEncrypted(database)).map(({ kid }) => kid))], [kidOf(next)]);
  await openEverything(t, database, next, made);
  t.is((await redeemState(database, next, "the state"))?.verifier, "the verifier");
  t.is(await encryptAnew(database, ring, () => undefined), 0, "and nothing is left to do");
});

test("stopped after any step, everything opens with both keys, and the next call does the rest", async (t) => {
  const { database } = await createTestDatabase(t);
  const made = await encryptEverything(database, before);
  const ring = Buffer.concat([next, before]);
  for (let stops = 0; ; stops++) {
    const stopped = await encryptAnew(database, ring, () => {
      throw new Error("killed");
    }).then(
      () => false,
      () => true,
    );
    await openEverything(t, database, ring, made);
    if (!stopped) {
      t.is(stops, 10, "one a column");
      break;
    }
  }
  await openEverything(t, database, next, made);
});

test("a secret that no key of the ring opens stays as it is, and says so", async (t) => {
  const { database } = await createTestDatabase(t);
  const made = await encryptEverything(database, before);
  await t.throwsAsync(
    encryptAnew(database, Buffer.concat([next, foreign]), () => undefined),
    { code: "KEY_ENCRYPTION_KEY" },
  );
  await openEverything(t, database, before, made);
});

test("what was encrypted by somebody else meanwhile is not overwritten", async (t) => {
  const { database } = await createTestDatabase(t);
  const made = await encryptEverything(database, before);
  const ring = Buffer.concat([next, before]);
  const racing = {
    query: async (text: string, values?: unknown[]) => {
      if (text.includes("update notification_receivers") && text.includes("set secret_sealed")) {
        await database.query("update notification_receivers set secret_sealed = $1", [
          encryptSecret(before, `notification-secret:${made.partnerId}`, "a newer token"),
        ]);
      }
      return await database.query(text, values);
    },
  } as Database;
  let raced = 0;
  await encryptAnew(
    {
      query: (text: string, values?: unknown[]) =>
        raced++ < 20 ? racing.query(text, values) : database.query(text, values),
    } as Database,
    ring,
    () => undefined,
  );
  t.like(await readReceiver(database, next, made.partnerId), { authentication: { token: "a newer token" } });
});

test("a secret names its key, opens only in its place, and only with its key; those from before keys were named open too", (t) => {
  const ring = Buffer.concat([next, before]);
  const sealed = encryptSecret(before, "here", "text");
  t.is(decryptSecret(ring, "here", sealed), "text");
  t.is(sealed.subarray(2, 10).toString("hex"), kidOf(before));
  t.is(decryptSecret(ring, "here", sealed.subarray(0)), "text");
  for (const [keys, context] of [
    [ring, "there"],
    [foreign, "here"],
  ] as const)
    t.throws(() => decryptSecret(keys, context, sealed), { code: "KEY_ENCRYPTION_KEY" });
  for (let at = 0; at < sealed.length; at++) {
    const flipped = Buffer.from(sealed);
    flipped[at]! ^= 1;
    t.throws(() => decryptSecret(ring, "here", flipped), { code: "KEY_ENCRYPTION_KEY" }, String(at));
  }
  t.throws(() => decryptSecret(ring, "here", Buffer.alloc(3)), { code: "KEY_ENCRYPTION_KEY" });
});
