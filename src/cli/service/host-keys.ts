/** `tideline host-keys …`: changes the SFTP door's host keys without a client noticing. */
import path from "node:path";
import { dataFolderAt, type DataFolder } from "../../machine/data-folder.ts";
import { brokenFile, readSmallFile, writeSmallFile } from "../../machine/small-file.ts";
import {
  type HostKeyRoles,
  openRoles,
  prepareHostKeys,
  promoteHostKeys,
  readRoles,
  retireHostKeys,
} from "../../landing/sftp/connection/host-key-roles.ts";
import { openHostKeys } from "../../landing/sftp/connection/host-keys.ts";
import type { Queryable } from "../../database/database.ts";
import { Fault } from "../../errors.ts";
import { commandLineActor, recordAudit } from "../../partners/audit.ts";
import { listPartnersNotSeenSince } from "../../partners/keys/sftp-keys.ts";
import { readPublicKey } from "../../partners/keys/ssh-public-key.ts";
import { commonOptions, configOf, oneOf, readArguments, usageError } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { confirm } from "../terminal/confirm.ts";
import { alignColumns, countOf, formatCount, printResult } from "../terminal/result.ts";
import { withSession } from "./session.ts";

export const usage = `
tideline host-keys list | prepare | promote [--force] | retire [--data-dir DIR] [--json]

prepare  makes the next Ed25519 and RSA keys; clients are told of them after each login, and OpenSSH's (UpdateHostKeys)
         write them into known_hosts. Give them to partners with other clients: list prints them.
promote  the door proves itself with the next keys; the previous ones are still announced. While partners have not
         logged in since prepare, whose clients would refuse the door, it asks, or wants --force.
retire   removes the previous keys for good.
A running service follows within seconds. Let each partner log in between prepare and promote. Several SFTP machines need
the same host-keys folder.
`;

/** Of partners in a sentence. */
const namedMax = 20;

type Step = { run(folder: string): Promise<HostKeyRoles>; event: string };
const steps: Readonly<Record<"prepare" | "promote" | "retire", Step>> = {
  prepare: { run: prepareHostKeys, event: "host-keys.prepared" },
  promote: { run: promoteHostKeys, event: "host-keys.promoted" },
  retire: { run: retireHostKeys, event: "host-keys.retired" },
};

export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    ...commonOptions,
    force: { type: "boolean", default: false },
  });
  const action = oneOf(positionals[0] ?? "list", ["list", "prepare", "promote", "retire"], "The action");
  if (values.force && action !== "promote") usageError("--force goes with promote.");
  const config = configOf(values);
  const folder = dataFolderAt(config.dataDir, config);
  const roles =
    action === "list" ? await readRoles(folder.hostKeys) : await change(config, folder, action, values.force);
  const keys = await listKeys(folder.hostKeys, roles);
  printResult(
    values.json,
    keys,
    alignColumns([
      ["ROLE", "FINGERPRINT", "PUBLIC KEY"],
      ...keys.map((one) => [one.role, one.fingerprint, one.publicKey]),
    ]),
  );
  return exitCode.done;
}

/** The audit row comes last: a change without its trace can be seen in the folder, a trace without a change nowhere. */
async function change(
  config: Parameters<typeof withSession>[0],
  folder: DataFolder,
  action: keyof typeof steps,
  isForced: boolean,
): Promise<HostKeyRoles> {
  return await withSession(config, async ({ database }) => {
    // A folder that was never opened has no current keys yet.
    await openRoles(folder.hostKeys);
    if (action === "promote" && !isForced) await assertSeen(database, folder);
    const roles = await steps[action].run(folder.hostKeys);
    await followInDemo(folder);
    await recordAudit(database, commandLineActor(), {
      partnerId: null,
      event: steps[action].event,
      details: { ...roles },
    });
    return roles;
  });
}

/**
 * A client that pins the door's key refuses the next one until it was told of it: by a login meanwhile, or by hand.
 * @throws Fault HOST_KEYS_UNSEEN where somebody has not been, and nobody at the terminal says to go on
 */
async function assertSeen(database: Queryable, folder: DataFolder): Promise<void> {
  // Without next keys promoting itself says so.
  if ((await readRoles(folder.hostKeys)).next === null) return;
  const unseen = await listPartnersNotSeenSince(database, "host-keys.prepared");
  if (unseen.length === 0) return;
  const shown = unseen.slice(0, namedMax).join(", ");
  const more = unseen.length > namedMax ? ` and ${formatCount(unseen.length - namedMax)} more` : "";
  const who = `${countOf(unseen.length, "partner")} with an SFTP key ${unseen.length === 1 ? "has" : "have"} not logged in since the next host keys were prepared: ${shown}${more}.`;
  if (!(await confirm(`${who} Their clients may refuse the door. Promote all the same?`)))
    throw new Fault("HOST_KEYS_UNSEEN", who);
}

/** The demo's known_hosts names every key that is announced. */
async function followInDemo(folder: DataFolder): Promise<void> {
  const { sftpPort, sftpHost = "127.0.0.1" } = await readDemoAddresses(folder);
  if (typeof sftpPort !== "number") return;
  const hostKeys = await openRoles(folder.hostKeys);
  await writeSmallFile(
    path.join(folder.demo, "known_hosts"),
    hostKeys.knownHosts([...new Set([sftpHost, "127.0.0.1", "localhost"])], sftpPort),
  );
}

async function readDemoAddresses(folder: DataFolder): Promise<{ sftpPort?: number | null; sftpHost?: string }> {
  const file = path.join(folder.demo, "partner.json");
  const remedy = "It is written anew at each start of the service; if none runs, remove it.";
  const text = await readSmallFile(file, remedy);
  if (text === null) return {};
  try {
    return JSON.parse(text) as { sftpPort?: number | null; sftpHost?: string };
  } catch (error) {
    throw brokenFile(file, "is broken: it is not JSON", remedy, error);
  }
}

async function listKeys(
  folder: string,
  roles: HostKeyRoles,
): Promise<{ role: string; fingerprint: string; publicKey: string }[]> {
  const found = [];
  for (const [role, set] of Object.entries(roles)) {
    if (set === null) continue;
    const { publicKeys } = await openHostKeys(folder, set);
    found.push(
      ...publicKeys.map((publicKey) => ({ role, fingerprint: readPublicKey(publicKey).fingerprint, publicKey })),
    );
  }
  return found;
}
