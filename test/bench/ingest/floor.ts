/**
 * The floor: COPY of the same rows as ready plain text over one connection, into the same table with the same index,
 * one transaction for all of them. Once as psql's \copy sends them, from a file, and once from this process's memory,
 * which leaves the processors to the server.
 */
import { execFile } from "node:child_process";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { from as copyFrom } from "pg-copy-streams";
import { inTransaction } from "../../../src/database/database.ts";
import { type BenchRecord, type Range, recordsOf } from "./records.ts";
import type { World } from "./world.ts";

const columns = [
  "user_id",
  "txid",
  "booked_on",
  "tx_time",
  "raw_type",
  "description",
  "amount",
  "currency",
  "merchant_name",
  "merchant_city",
  "merchant_post_code",
  "merchant_country",
  "merchant_mcc",
  "account_id",
  "card_id",
  "delivery_position",
  "original_amount",
  "original_currency",
  "merchant_cid",
  "merchant_address",
].join(", ");

const rowsPerPiece = 1000;
const nothing = "\\N";

/** @returns seconds that COPY takes for rows that lie in memory, up to the end of the commit */
export async function copyFromMemory({ database, userIds }: World, range: Range): Promise<number> {
  const pieces = [...plainText(recordsOf(range), userIds)];
  return await inTransaction(database, async (transaction) => {
    const startedAt = performance.now();
    await pipeline(
      Readable.from(pieces, { objectMode: false }),
      transaction.query(copyFrom(`copy transactions (${columns}) from stdin`)),
    );
    await transaction.query("commit");
    return (performance.now() - startedAt) / 1000;
  });
}

/** The rows as a file for psql, beside the vault: user after user, as a dump of such a table is. */
export function writePlainText(world: World, range: Range): Promise<string> {
  return writePlainRecords(world, recordsOf(range), `${range.from}-${range.count}.txt`);
}

/** The same of any records, in their order. @returns the file's path */
export async function writePlainRecords(
  { vaultDirectory, userIds }: World,
  records: Iterable<BenchRecord>,
  name: string,
): Promise<string> {
  const file = path.join(path.dirname(vaultDirectory), name);
  await pipeline(Readable.from(plainText(records, userIds), { objectMode: false }), createWriteStream(file));
  return file;
}

export function removePlainText(file: string): Promise<void> {
  return rm(file);
}

/** @returns seconds that psql says its \copy took, connecting left out; null where there is no psql */
export async function copyByPsql({ url }: World, file: string): Promise<number | null> {
  const statements = ["-c", "\\timing on", "-c", `\\copy transactions (${columns}) from '${file}'`];
  try {
    const { stdout } = await promisify(execFile)(
      "psql",
      [url, "--no-psqlrc", "--set", "ON_ERROR_STOP=1", ...statements],
      { env: { ...process.env, LC_ALL: "C" } },
    );
    const millis = /Time: ([\d.]+) ms/.exec(stdout)?.[1];
    if (millis === undefined) throw new Error(`psql did not say how long it took: ${stdout}`);
    return Number(millis) / 1000;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

function* plainText(records: Iterable<BenchRecord>, userIds: ReadonlyMap<string, number>): Generator<Buffer> {
  let lines: string[] = [];
  for (const { uid, account, card, tx } of records) {
    const { merchant } = tx;
    lines.push(
      `${[
        userIds.get(uid),
        tx.txid,
        tx.txTime.slice(0, 10),
        tx.txTime,
        tx.type,
        tx.description,
        tx.amount,
        tx.currency,
        merchant.name,
        merchant.city ?? nothing,
        merchant.postCode ?? nothing,
        merchant.country ?? nothing,
        merchant.mcc,
        account.id,
        card?.id ?? nothing,
        1,
        nothing,
        nothing,
        nothing,
        nothing,
      ].join("\t")}\n`,
    );
    if (lines.length < rowsPerPiece) continue;
    yield Buffer.from(lines.join(""));
    lines = [];
  }
  yield Buffer.from(lines.join(""));
}
