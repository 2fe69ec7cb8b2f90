/** What the benchmark of loading stands on: a migrated database, a partner with keys and users, a thread that loads. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { Piscina } from "piscina";
import { type Database, openDatabase } from "../../../src/database/database.ts";
import { migrate } from "../../../src/database/migrate.ts";
import { rotateBatchKey } from "../../../src/partners/keys/batch-keys.ts";
import { rotatePgpKey } from "../../../src/partners/keys/pgp-keys.ts";
import { createSealer, type Sealer } from "../../../src/sealing/sealer.ts";
import { addPartner } from "../../parties.ts";
import { recordsPerUser } from "./records.ts";

export type World = {
  url: string;
  database: Database;
  pool: Piscina;
  sealer: Sealer;
  pgpKey: string;
  partnerId: string;
  vaultDirectory: string;
  /** By the partner's id of the user. */
  userIds: ReadonlyMap<string, number>;
  close(): Promise<void>;
};

/** @param records how many there will be, for their users */
export async function openWorld(clusterUrl: string, folder: string, records: number): Promise<World> {
  const url = new URL(clusterUrl);
  url.pathname = "/bench";
  const administrator = new pg.Client({ connectionString: clusterUrl });
  await administrator.connect();
  await administrator.query("create database bench");
  await administrator.end();
  await migrate(url.href);
  return await openWorldOn(url.href, folder, async (database) => {
    const partnerId = await addPartner(database);
    return { partnerId, userIds: await addUsers(database, partnerId, Math.ceil(records / recordsPerUser)) };
  });
}

export type Senders = Pick<World, "partnerId" | "userIds">;

/** The same on a database that is there. @param findSenders whose files are loaded */
export async function openWorldOn(
  url: string,
  folder: string,
  findSenders: (database: Database) => Promise<Senders>,
): Promise<World> {
  const database = openDatabase(url, { sizeMax: 2, applicationName: "bench" });
  const vaultDirectory = path.join(folder, "vault");
  await mkdir(vaultDirectory, { recursive: true });
  const { partnerId, userIds } = await findSenders(database);
  const keyEncryptionKey = Buffer.alloc(32, 1);
  const sealer = await createSealer(await rotateBatchKey(database, keyEncryptionKey, partnerId, new Date()));
  const pool = new Piscina({
    filename: new URL("../../../workers/main.ts", import.meta.url).href,
    maxThreads: 1,
    workerData: { databaseUrl: url, keyEncryptionKey, vaultDirectory },
  });
  const { armored: pgpKey } = await rotatePgpKey(
    database,
    keyEncryptionKey,
    { id: partnerId, name: "Bank" },
    new Date(),
  );
  const close = async () => {
    await pool.destroy();
    await database.end();
  };
  return { url, database, pool, sealer, pgpKey, partnerId, vaultDirectory, userIds, close };
}

async function addUsers(database: Database, partnerId: string, count: number): Promise<Map<string, number>> {
  const { rows } = await database.query<{ bank_user_id: string; id: number }>(
    `insert into users (partner_id, brand_id, bank_user_id, locale)
     select $1, 'bank-dk', 'user-' || n, 'da-DK' from generate_series(0, $2) as n
     returning bank_user_id, id`,
    [partnerId, count],
  );
  return idsByName(rows);
}

/** Users that are there already, called as records call them. */
export async function findSenders(database: Database, partnerId: string): Promise<Senders> {
  const { rows } = await database.query<{ bank_user_id: string; id: number }>(
    "select bank_user_id, id from users where partner_id = $1",
    [partnerId],
  );
  return { partnerId, userIds: idsByName(rows) };
}

function idsByName(rows: readonly { bank_user_id: string; id: number }[]): Map<string, number> {
  return new Map(rows.map((row) => [row.bank_user_id, row.id]));
}
