/**
 * What a bank's integrator is handed, from the command line and from the console: wherever the doors run, in this process,
 * beside it or elsewhere in the fleet. Processes tell where theirs listen and what proves them (observation/processes.ts).
 */
import type { Queryable } from "../database/database.ts";
import { openRoles } from "../landing/sftp/connection/host-key-roles.ts";
import { knownHosts } from "../landing/sftp/connection/host-keys.ts";
import { baseUrlOf, hostnameOf } from "../machine/addresses.ts";
import type { DataFolder } from "../machine/data-folder.ts";
import { readDoors } from "../machine/doors.ts";
import { type Vouching, whoVouches } from "../machine/tls/vouching.ts";
import { listDoors } from "../observation/processes.ts";
import type { Handover } from "../partners/handover.ts";
import { publicBatchKeys } from "../partners/keys/batch-keys.ts";
import { publicPgpKeys } from "../partners/keys/pgp-keys.ts";
import { readPartnerOverview } from "../partners/overview.ts";

/** As whoever asks is configured. */
export type Here = {
  folder: Pick<DataFolder, "doors" | "hostKeys">;
  publicUrl?: string | undefined;
  host: string;
  httpsPort: number;
  sftpPort: number;
  /** PEM, of its own data folder: where no process tells of another. */
  ownAuthority(): Promise<string>;
};

/** What an operator says, before everything that is found. */
export type Said = {
  baseUrl?: string | undefined;
  sftpHost?: string | undefined;
  sftpPort?: number | undefined;
  /** PEM */
  authority?: string | undefined;
};

/**
 * refused: clients that trust the authority would refuse the door, for that reason, and nobody is handed it; "public": the
 * door's certificate is one that every client takes; "away": nobody answers there, so that nothing was tried.
 */
export type FoundHandover =
  | { kind: "found"; handover: Handover; door: "vouched" | "public" | "away" }
  | { kind: "refused"; baseUrl: string; reason: string };

/** @returns null without such a partner. @throws Fault FILE_BROKEN */
export async function findHandover(
  database: Queryable,
  partnerId: string,
  here: Here,
  said: Said = {},
): Promise<FoundHandover | null> {
  const partner = await readPartnerOverview(database, partnerId);
  if (partner === null) return null;
  const [fleet, noted] = [await listDoors(database), await readDoors(here.folder.doors)];
  const baseUrl =
    said.baseUrl ?? here.publicUrl ?? fleet.api?.baseUrl ?? noted.baseUrl ?? baseUrlOf(here.host, here.httpsPort);
  const host = said.sftpHost ?? hostnameOf(baseUrl);
  const port = said.sftpPort ?? fleet.sftp?.port ?? noted.sftpPort ?? here.sftpPort;
  const hostKeys = fleet.sftp?.hostKeys ?? (await openRoles(here.folder.hostKeys)).publicKeys;
  const { door, authority } = await whoseDoor(baseUrl, said.authority, fleet.api?.authority, here.ownAuthority);
  if (door.kind === "not vouched") return { kind: "refused", baseUrl, reason: door.reason };
  const [[batchKey], [pgpKey]] = [await publicBatchKeys(database, partnerId), await publicPgpKeys(database, partnerId)];
  return {
    kind: "found",
    door: door.kind,
    handover: {
      partnerId,
      brands: partner.brands.map(({ id }) => id),
      baseUrl,
      httpsPort: Number(new URL(baseUrl).port || 443),
      sftp: { host, port, knownHosts: knownHosts(hostKeys, [host], port) },
      // Named by an operator it goes along, whether clients need it or not.
      authority: door.kind === "public" && said.authority === undefined ? null : authority,
      batchKey,
      pgpKey: pgpKey?.armored,
    },
  };
}

/** The first authority with which clients would take the door: what a process told at its start may be renewed since. */
async function whoseDoor(
  baseUrl: string,
  said: string | undefined,
  told: string | null | undefined,
  own: Here["ownAuthority"],
): Promise<{ door: Vouching; authority: string }> {
  const first = said ?? told ?? (await own());
  const found = await whoVouches(baseUrl, first);
  if (found.kind !== "not vouched" || said !== undefined || first !== told) return { door: found, authority: first };
  const second = await own();
  const again = await whoVouches(baseUrl, second);
  return again.kind === "not vouched" ? { door: found, authority: first } : { door: again, authority: second };
}
