/**
 * `tideline keys …`: the key-encryption keys, encrypting every secret anew under the next one, and the key that signs
 * tokens.
 */
import { claimDataFolder } from "../../machine/data-folder.ts";
import { Fault } from "../../errors.ts";
import { sealOriginsAnew } from "../../landing/forgotten/seal-anew.ts";
import { keyRememberedMs } from "../../deliveries/receipt-files/key.ts";
import { assertNotAway } from "../../landing/vault-watch.ts";
import { commandLineActor, recordAudit } from "../../partners/audit.ts";
import { addKey, dropOtherKeys, keepsKeysInFolder } from "../../partners/keys/key-encryption-key.ts";
import { countEncrypted, encryptAnew, type EncryptedCount } from "../../partners/keys/encrypted-secrets.ts";
import { firstKey, keysOf, kidOf } from "../../partners/keys/secrets-at-rest.ts";
import { keysRememberedMs } from "../../partners/keys/token-keys.ts";
import { findApproval, type KeyKind, lacksApproval, spendApproval } from "../../operations/approvals.ts";
import { rotateSigning } from "../../operations/keys.ts";
import { openVault } from "../../vault/open.ts";
import { s3SettingsOf } from "../../vault/settings.ts";
import { commonOptions, configOf, oneOf, readArguments } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { listenForInterrupt } from "../terminal/interrupt.ts";
import { startProgress } from "../terminal/progress.ts";
import { alignColumns, countOf, formatCount, printResult } from "../terminal/result.ts";
import { askAnother } from "./ask-another.ts";
import { type Session, withSession } from "./session.ts";

export const usage = `
tideline keys list [--data-dir DIR] [--json]
tideline keys rotate [--dry-run] [--reason WHY | --approval ID] [--data-dir DIR] [--json]
tideline keys rotate-tokens [--reason WHY] [--data-dir DIR] [--json]
tideline keys rotate-receipts [--reason WHY] [--data-dir DIR] [--json]

list    the key-encryption keys by their ids, and how many secrets each one sealed.
rotate  seals every secret anew: private keys (JWE, OpenPGP, tokens), notification secrets, banks' tokens and client keys,
        and what says in the vault, a folder or a bucket, whose each file is.
        --dry-run only counts. Stopped or killed at any moment, it goes on when it is called again.

rotate-tokens  makes the next key that signs users' tokens; those that the previous one signed live out their hour.

rotate-receipts  makes the next key that signs receipts; what earlier ones signed stays verifiable by the JWKS.

Where rotate-keys is guarded (tideline approvals), --reason asks another operator; rotate then takes the --approval ID.

Where the key lies in the data folder, rotate makes the next one, and drops the previous one when nothing needs it. The
service must not run meanwhile. Where it is in the environment, the service runs on, and each step is a restart of every machine:
  1. TIDELINE_KEY_ENCRYPTION_KEYS_ALSO=next         all can open what the next key will seal
  2. TIDELINE_KEY_ENCRYPTION_KEY=next, ..._ALSO=previous
  3. tideline keys rotate, with the same two        then list names no secret under the previous one
  4. without ..._ALSO                               the previous key is needed for older backups only
With TIDELINE_KEY_ENCRYPTION_COMMAND the same, by what it prints: previous and next; next and previous; rotate; next alone.
`;

export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    ...commonOptions,
    "dry-run": { type: "boolean", default: false },
    reason: { type: "string" },
    approval: { type: "string" },
  });
  const { reason, approval = null } = values;
  const action = oneOf(positionals[0] ?? "list", ["list", "rotate", "rotate-tokens", "rotate-receipts"], "The action");
  return await withSession(configOf(values), async (session) => {
    if (action === "list") await list(session, values.json);
    else if (action === "rotate-receipts" || action === "rotate-tokens")
      return await rotateNext(session, action === "rotate-tokens" ? "tokens" : "receipts", {
        asJson: values.json,
        reason,
      });
    else {
      const dryRun = values["dry-run"];
      const keys = "key-encryption";
      if (!dryRun && (await lacksApproval(session.database, "rotate-keys", { keys }, approval)))
        return await ask(session, keys, { asJson: values.json, reason });
      await alone(session, (keepsFile) => rotate(session, keepsFile, { dryRun, asJson: values.json }));
      if (!dryRun && approval !== null) await spend(session, approval);
    }
    return exitCode.done;
  });
}

/** An approval is good for one rotation. */
async function spend({ database }: Session, approvalId: string): Promise<void> {
  const approval = await findApproval(database, approvalId);
  if (approval !== null) await spendApproval(database, commandLineActor(), approval, "done");
}

async function rotateNext(
  session: Session,
  keys: "tokens" | "receipts",
  { asJson, reason }: { asJson: boolean; reason: string | undefined },
): Promise<number> {
  const ring = await session.keyEncryptionKey();
  const rotated = await rotateSigning(session.database, ring, commandLineActor(), { keys });
  if (rotated.outcome === "guarded") return await ask(session, keys, { asJson, reason });
  const { kid, earlierKeysRetireAt } = rotated;
  if (earlierKeysRetireAt === null)
    printResult(asJson, { kid }, [`${kid} signs receipts within ${keyRememberedMs / 1000} seconds.`]);
  else
    printResult(asJson, { kid, earlierKeysRetireAt }, [
      `${kid} signs tokens within ${keysRememberedMs / 1000} seconds; earlier keys are taken until ${earlierKeysRetireAt.toISOString()}.`,
    ]);
  return exitCode.done;
}

async function ask(
  { database }: Session,
  keys: KeyKind,
  { asJson, reason }: { asJson: boolean; reason: string | undefined },
): Promise<number> {
  return await askAnother(
    database,
    { action: "rotate-keys", partnerId: null, subject: { keys } },
    { reason, json: asJson },
  );
}

async function list(session: Session, asJson: boolean): Promise<void> {
  const ring = await session.keyEncryptionKey();
  const rows = keyUses(ring, await countEncrypted(session.database));
  printResult(
    asJson,
    rows,
    alignColumns([
      ["KEY", "ROLE", "SECRETS", "WHICH"],
      ...rows.map((one) => [one.kid, one.role, formatCount(one.secrets), one.which.join(", ") || "-"]),
    ]),
  );
}

type KeyUse = { kid: string; role: "seals" | "opens" | "missing" | "unnamed"; secrets: number; which: string[] };

/** The keys in hand, then what needs others: it is lost unless they are found. */
function keyUses(ring: Buffer, counts: readonly EncryptedCount[]): KeyUse[] {
  const inHand = keysOf(ring).map(kidOf);
  const others = [...new Set(counts.map(({ kid }) => kid))].filter((kid) => kid === null || !inHand.includes(kid));
  return [...inHand, ...others].map((kid, index) => {
    const own = counts.filter((one) => one.kid === kid);
    const role = kid === null ? "unnamed" : index === 0 ? "seals" : index < inHand.length ? "opens" : "missing";
    return {
      kid: kid ?? "-",
      role,
      secrets: own.reduce((sum, { secrets }) => sum + secrets, 0),
      which: own.map(({ table, column }) => `${table}.${column}`),
    };
  });
}

/** A key file has one user at a time; keys of the environment are changed by those who run the machines. */
async function alone(session: Session, work: (keepsFile: boolean) => Promise<void>): Promise<void> {
  if (!keepsKeysInFolder(session.config)) return await work(false);
  if (session.alone) return await work(true);
  if (session.config.databaseUrl === undefined)
    throw new Fault("DATA_DIR_IN_USE", "A service runs with the key in this data folder.");
  const release = await claimDataFolder(session.folder);
  try {
    await work(true);
  } finally {
    await release();
  }
}

/** The file holds both keys from before the first secret is encrypted anew until after the last one was. */
async function rotate(
  session: Session,
  keepsFile: boolean,
  { dryRun, asJson }: { dryRun: boolean; asJson: boolean },
): Promise<void> {
  const before = await session.keyEncryptionKey();
  const vault = openVault(session.folder.vault, s3SettingsOf(session.config));
  // Before a key is made: without the vault the previous one could not go.
  if (!dryRun) await assertNotAway(session.database, vault);
  // More than one: an earlier call was stopped on its way.
  const ring = keepsFile && !dryRun && keysOf(before).length === 1 ? await addKey(session.config, before) : before;
  const makesKey = keepsFile && keysOf(before).length === 1;
  const counts = await countEncrypted(session.database);
  const outdated = (dryRun && makesKey ? counts : counts.filter(({ kid }) => kid !== kidOf(firstKey(ring)))).reduce(
    (sum, { secrets }) => sum + secrets,
    0,
  );
  if (dryRun)
    return printResult(asJson, { dryRun, makesKey, outdated }, [
      `${countOf(outdated, "secret")} would be sealed anew${makesKey ? ", under a key that would be made" : ""}.`,
    ]);
  const sealed = await encryptAllAnew(session, ring, outdated, asJson);
  const origins = await sealOriginsAnew(vault, ring);
  if (keepsFile) await dropOtherKeys(session.config, ring);
  const kid = kidOf(firstKey(ring));
  await recordAudit(session.database, commandLineActor(), {
    partnerId: null,
    event: "key-encryption-key.rotated",
    details: { kid, sealed, origins, previous: keysOf(ring).slice(1).map(kidOf) },
  });
  const rest = keepsFile
    ? "The previous key is gone from the data folder: keep it with the backups that it opens."
    : "Nothing needs the other keys any more, unless a machine seals with one of them still.";
  printResult(asJson, { kid, sealed, origins }, [
    `Sealed anew: ${countOf(sealed, "secret")}, and ${countOf(origins, "origin")} of files in the vault; all are under ${kid}. ${rest}`,
  ]);
}

async function encryptAllAnew(session: Session, ring: Buffer, total: number, asJson: boolean): Promise<number> {
  const progress = startProgress({ label: "Sealing", unit: "secrets", silent: asJson });
  const interrupt = listenForInterrupt();
  let done = 0;
  try {
    return await encryptAnew(
      session.database,
      ring,
      (secrets) => progress.update((done += secrets), total),
      interrupt.signal,
    );
  } finally {
    interrupt.release();
    progress.stop();
  }
}
