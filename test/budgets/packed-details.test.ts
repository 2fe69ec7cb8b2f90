/** A budget's details are kept packed, and as JSON where a program of the release before wrote them. */
import { createHash, randomUUID } from "node:crypto";
import test from "ava";
import knex from "knex";
import { down, up } from "../../migrations/250_packed_details.ts";
import type { Database } from "../../src/database/database.ts";
import { packHere, unpack } from "../../src/interface/packed.ts";
import { addPartner, addUser } from "../parties.ts";
import { createTestDatabase } from "../world.ts";

const document = '{"status":"READY"}';
const detailsOf = (title: string): string => `{"expenses":[{"title":"${title}"}]}`;
const digestOf = (details: string | null): string =>
  createHash("md5")
    .update(document + (details ?? ""))
    .digest("hex");

async function addBudget(database: Database, userId: number, partnerId: string): Promise<string> {
  const id = randomUUID();
  await database.query(
    "insert into budgets (id, partner_id, user_id, created_time) values ($1, $2, $3, '2026-01-01T10:00:00')",
    [id, partnerId, userId],
  );
  return id;
}

/** A statement as both releases' are, in which this one tells the digest and the one before does not. */
async function write(
  database: Database,
  budgetId: string,
  details: string | null,
  release: "this" | "before",
): Promise<void> {
  const isThis = release === "this";
  await database.query(
    `insert into budget_documents (budget_id, partner_id, user_id, document, details, document_packed, details_packed, packed_of${isThis ? ", digest" : ""})
     select id, partner_id, user_id, $2, $3, $4, $5, $6${isThis ? ", $6" : ""} from budgets where id = $1
     on conflict (budget_id) do update
        set document = excluded.document,
            details = excluded.details,
            document_packed = excluded.document_packed,
            details_packed = excluded.details_packed,
            packed_of = excluded.packed_of${isThis ? ", digest = excluded.digest" : ""}`,
    [
      budgetId,
      document,
      details === null || !isThis ? details : "{}",
      packHere(Buffer.from(document)),
      details === null ? null : packHere(Buffer.from(details)),
      digestOf(details),
    ],
  );
}

/** packed null: what is packed is of another version, or there is nothing. */
async function keptOf(database: Database, budgetId: string): Promise<unknown> {
  const { rows } = await database.query<{ details: string | null; digest: string; packed: Buffer | null }>(
    `select details::text, digest, case when packed_of = digest then details_packed end as packed
       from budget_documents
      where budget_id = $1`,
    [budgetId],
  );
  return rows[0] && { ...rows[0], packed: rows[0].packed && unpack(rows[0].packed).toString() };
}

const packedAlone = (details: string) => ({ details: "{}", digest: digestOf(details), packed: details });
const asBefore = (details: string | null) => ({ details, digest: digestOf(details), packed: details });

test("details that a program of the release before writes get their digest from the database, and the other way round", async (t) => {
  const { database } = await createTestDatabase(t);
  const partnerId = await addPartner(database);
  const id = await addBudget(database, await addUser(database, partnerId, "u1"), partnerId);
  for (const release of ["this", "before"] as const) {
    // Before there are figures, and with ever others.
    for (const details of [null, detailsOf("é".repeat(3000)), detailsOf("another")]) {
      await write(database, id, details, release);
      t.deepEqual(
        await keptOf(database, id),
        details !== null && release === "this" ? packedAlone(details) : asBefore(details),
      );
    }
  }
  // One that alters details by hand: what is packed counts for nothing then.
  await database.query("update budget_documents set details = $1", [detailsOf("by hand")]);
  t.deepEqual(await keptOf(database, id), { ...asBefore(detailsOf("by hand")), packed: null });
  await write(database, id, detailsOf("again"), "this");
  t.deepEqual(await keptOf(database, id), packedAlone(detailsOf("again")));
});

test("no details go without being packed under their digest", async (t) => {
  const { database } = await createTestDatabase(t);
  const partnerId = await addPartner(database);
  const id = await addBudget(database, await addUser(database, partnerId, "u1"), partnerId);
  await write(database, id, detailsOf("one"), "this");
  for (const wrong of ["digest = 'other'", "packed_of = null", "packed_of = 'other'", "details_packed = null"])
    await t.throwsAsync(database.query(`update budget_documents set ${wrong}`), { code: "23514" }, wrong);
  await t.throwsAsync(database.query("update budget_documents set digest = null"), { code: "23502" });
});

test("what the release before kept stays as it is, and going back finds all details again", async (t) => {
  const { database, url } = await createTestDatabase(t);
  const partnerId = await addPartner(database);
  const userId = await addUser(database, partnerId, "u1");
  const [before, after, early] = [
    await addBudget(database, userId, partnerId),
    await addBudget(database, userId, partnerId),
    await addBudget(database, userId, partnerId),
  ];
  const connection = knex({ client: "pg", connection: url, pool: { min: 0, max: 1 } });
  try {
    await down(connection);
    await write(database, before, detailsOf("before"), "before");
    await up(connection);
    t.deepEqual(await keptOf(database, before), asBefore(detailsOf("before")));
    await write(database, after, detailsOf("Høj €"), "this");
    await write(database, early, null, "this");
    await down(connection);
    t.deepEqual(await keptOf(database, before), asBefore(detailsOf("before")));
    t.deepEqual(await keptOf(database, after), asBefore(detailsOf("Høj €")));
    t.deepEqual(await keptOf(database, early), asBefore(null));
  } finally {
    await connection.destroy();
  }
});
