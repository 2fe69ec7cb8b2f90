/** `tideline host-keys …`: changes the SFTP door's host keys without a client noticing. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { dataFolderAt, type DataFolder } from "../../machine/data-folder.ts";
import {
  type HostKeyRoles,
  openRoles,
  prepareHostKeys,
  promoteHostKeys,
  readRoles,
  retireHostKeys,
} from "../../landing/sftp/connection/host-key-roles.ts";
import { openHostKeys } from "../../landing/sftp/connection/host-keys.ts";
import { commandLineActor, recordAudit } from "../../partners/audit.ts";
import { readPublicKey } from "../../partners/keys/sftp-keys.ts";
import { commonOptions, configOf, oneOf, readArguments } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { alignColumns, printResult } from "../terminal/result.ts";
import { withSession } from "./session.ts";

export const usage = `
tideline host-keys list | prepare | promote | retire [--data-dir DIR] [--json]

prepare  makes the next Ed25519 and RSA keys; clients are told of them after each login, and OpenSSH's (UpdateHostKeys)
         write them into known_hosts. Give them to partners with other clients: list prints them.
promote  the door proves itself with the next keys; the previous ones are still announced.
retire   removes the previous keys for good.
A running service follows within seconds. Let each partner log in between prepare and promote. Several SFTP machines need
the same host-keys folder.
`;

type Step = { run(folder: string): Promise<HostKeyRoles>; event: string };
const steps: Readonly<Record<"prepare" | "promote" | "retire", Step>> = {
  prepare: { run: prepareHostKeys, event: "host-keys.prepared" },
  promote: { run: promoteHostKeys, event: "host-keys.promoted" },
  retire: { run: retireHostKeys, event: "host-keys.retired" },
};

export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, commonOptions);
  const action = oneOf(positionals[0] ?? "list", ["list", "prepare", "promote", "retire"], "The action");
  const config = configOf(values);
  const folder = dataFolderAt(config.dataDir);
  const roles = action === "list" ? await readRoles(folder.hostKeys) : await change(config, folder, action);
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
): Promise<HostKeyRoles> {
  return await withSession(config, async ({ database }) => {
    // A folder that was never opened has no current keys yet.
    await openRoles(folder.hostKeys);
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

/** The demo's known_hosts names every key that is announced. */
async function followInDemo(folder: DataFolder): Promise<void> {
  const text = await readFile(path.join(folder.demo, "partner.json"), "utf8").catch(() => null);
  const { sftpPort, sftpHost = "127.0.0.1" } = (text === null ? {} : JSON.parse(text)) as {
    sftpPort?: number | null;
    sftpHost?: string;
  };
  if (typeof sftpPort !== "number") return;
  const hostKeys = await openRoles(folder.hostKeys);
  await writeFile(
    path.join(folder.demo, "known_hosts"),
    hostKeys.knownHosts([...new Set([sftpHost, "127.0.0.1", "localhost"])], sftpPort),
    { mode: 0o600 },
  );
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
