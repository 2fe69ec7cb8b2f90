/** Accepting small files costs the same however many came before. */
import { hash, randomUUIDv7 } from "node:crypto";
import test from "ava";
import { insertFiles } from "../../src/deliveries/landed-files.ts";
import { addPartner } from "../parties.ts";
import { createTestDatabase } from "../world.ts";

test("files of a first day are not searched for among all of their partner's, before the server has counted these", async (t) => {
  const { database } = await createTestDatabase(t);
  const partnerId = await addPartner(database);
  // What a connection has planned it goes on with.
  const client = await database.connect();
  const file = (index: number) => {
    const body = Buffer.from(`file ${index}`);
    return {
      delivery: {
        id: randomUUIDv7(),
        partnerId,
        door: "sftp" as const,
        format: "jsonl",
        name: `${index}.jsonl`,
        requestId: null,
        correlationId: "c",
        sizeBytes: body.length,
        sha256: hash("sha256", body, "buffer"),
        vaultReference: `2026-01-01/${index}`,
        refusal: null,
      },
      body,
    };
  };
  const read = async () => {
    await client.query("select pg_stat_force_next_flush()");
    const { rows } = await client.query<{ n: number }>(
      "select sum(idx_tup_read)::float8 as n from pg_stat_user_indexes where relname = 'deliveries'",
    );
    return rows[0]?.n ?? 0;
  };
  try {
    for (let index = 0; index < 20; index += 1) await insertFiles(client, [file(index)]);
    await insertFiles(
      client,
      Array.from({ length: 2000 }, (_, index) => file(100 + index)),
    );
    const before = await read();
    for (let index = 0; index < 20; index += 1) await insertFiles(client, [file(5000 + index)]);
    t.true((await read()) - before < 20 * 100);
    const again = await insertFiles(client, [{ ...file(7), delivery: { ...file(7).delivery, name: "again.jsonl" } }]);
    t.deepEqual(
      [...again.values()].map(({ name }) => name),
      ["7.jsonl"],
    );
  } finally {
    client.release(true);
  }
});
