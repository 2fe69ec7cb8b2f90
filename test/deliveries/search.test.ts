/** Deliveries are found by what an operator knows of them. */
import { randomUUID } from "node:crypto";
import test, { type ExecutionContext } from "ava";
import { inTransaction } from "../../src/database/database.ts";
import { insertDelivery } from "../../src/deliveries/deliveries.ts";
import { countCameBySlot, readBacklog, slotsOf } from "../../src/deliveries/night.ts";
import { type DeliveryFilter, everyDelivery, searchDeliveries } from "../../src/deliveries/search.ts";
import { putPartner } from "../../src/partners/provisioning.ts";
import { createTestDatabase } from "../world.ts";

const ids = {
  monday: "0e000000-0000-4000-8000-000000000001",
  tuesday: "0e000000-0000-4000-8000-000000000002",
  pushed: "0e000000-0000-4000-8000-000000000003",
  broken: "0e000000-0000-4000-8000-000000000004",
};

async function openNight(t: ExecutionContext) {
  const { database } = await createTestDatabase(t);
  for (const id of ["north", "south"]) await putPartner(database, { id, name: id });
  const land = async (id: string, partnerId: string, door: "sftp" | "https", name: string | null, at: string) => {
    await insertDelivery(database, {
      id,
      partnerId,
      door,
      format: door === "sftp" ? "jsonl" : "request",
      name,
      requestId: door === "https" ? randomUUID() : null,
      correlationId: `c-${id.slice(-1)}`,
      sizeBytes: 100,
      sha256: Buffer.alloc(32, id),
      vaultReference: door === "sftp" ? "day/x" : null,
      refusal: null,
    });
    await database.query("update deliveries set accepted_at = $2 where id = $1", [id, at]);
  };
  await land(ids.monday, "north", "sftp", "Nightly_20261116.jsonl", "2026-11-16T01:10:00Z");
  await land(ids.tuesday, "north", "sftp", "Nightly_20261117.jsonl", "2026-11-17T01:10:00Z");
  await land(ids.pushed, "south", "https", null, "2026-11-17T01:50:00Z");
  await land(ids.broken, "south", "sftp", "50%_of_it.jsonl", "2026-11-17T02:10:00Z");
  await database.query(
    "update deliveries set state = 'loaded', records = 5, records_new = 3, records_refused = 2, finished_at = now() where id = $1",
    [ids.tuesday],
  );
  await database.query(
    "update deliveries set state = 'refused', refusal_code = 'FILE_DAMAGED', refusal_reason = 'x', finished_at = now() where id = $1",
    [ids.broken],
  );
  return { database };
}

const named = Object.fromEntries(Object.entries(ids).map(([name, id]) => [id, name]));

test("each filter finds what it says, newest first", async (t) => {
  const { database } = await openNight(t);
  const found = async (filter: Partial<DeliveryFilter>) =>
    (await searchDeliveries(database, { ...everyDelivery, ...filter }, 10)).map(({ id }) => named[id]);
  t.deepEqual(await found({}), ["broken", "pushed", "tuesday", "monday"]);
  t.deepEqual(await found({ partnerId: "north" }), ["tuesday", "monday"]);
  t.deepEqual(await found({ partnerIds: ["north"], partnerId: "south" }), []);
  t.deepEqual(await found({ door: "https" }), ["pushed"]);
  t.deepEqual(await found({ state: "open" }), ["pushed", "monday"]);
  t.deepEqual(await found({ result: "partly" }), ["tuesday"]);
  t.deepEqual(await found({ result: "nothing" }), ["broken"]);
  t.deepEqual(await found({ result: "held" }), ["broken", "tuesday"]);
  t.deepEqual(await found({ name: "nightly_2026" }), ["tuesday", "monday"]);
  // Signs of a pattern are letters of a name.
  t.deepEqual(await found({ name: "50%" }), ["broken"]);
  t.deepEqual(await found({ name: "%" }), ["broken"]);
  t.deepEqual(await found({ name: ids.pushed }), ["pushed"]);
  t.deepEqual(await found({ correlationId: "c-2" }), ["tuesday"]);
  const [since, until] = [new Date("2026-11-17T00:00:00Z"), new Date("2026-11-17T01:50:00Z")];
  t.deepEqual(await found({ since, until }), ["tuesday"]);
});

test("part of a name is looked for in an index of names in small letters, and in no row", async (t) => {
  const { database } = await openNight(t);
  const asked: [string, unknown[]][] = [];
  const listening = new Proxy(database, {
    get(target, name, receiver) {
      if (name !== "query") return Reflect.get(target, name, receiver);
      return async (text: string, values: unknown[]) => {
        asked.push([text, values]);
        return await target.query(text, values);
      };
    },
  });
  await searchDeliveries(listening, { ...everyDelivery, name: "IGHTLY_2026" }, 10);
  t.is(asked.length, 1);
  const [[text, values] = ["", []]] = asked;
  const { plan, found } = await inTransaction(database, async (transaction) => {
    // Of four rows any plan is cheap.
    await transaction.query(
      "set local enable_seqscan = off; set local enable_bitmapscan = off; set local enable_sort = off",
    );
    const { rows } = await transaction.query<{ "QUERY PLAN": string }>(`explain ${text}`, values);
    const { rows: found } = await transaction.query<{ id: string }>(text, values);
    return { plan: rows.map((row) => row["QUERY PLAN"]).join("\n"), found: found.map(({ id }) => named[id]) };
  });
  t.deepEqual(found, ["tuesday", "monday"]);
  t.regex(plan, /Index Only Scan using deliveries_names_folded on deliveries/);
  // The bracket around it: as it stands in the index, and not as it would be worked out.
  t.regex(plan, /strpos\(\(lower\(/);
});

test("pages follow one another without a gap", async (t) => {
  const { database } = await openNight(t);
  const first = await searchDeliveries(database, everyDelivery, 3);
  const rest = await searchDeliveries(database, everyDelivery, 3, first.at(-1)?.position ?? null);
  t.deepEqual(
    [...first, ...rest].map(({ id }) => named[id]),
    ["broken", "pushed", "tuesday", "monday"],
  );
});

test("a night is counted by partner and half hour, and what is open by partner", async (t) => {
  const { database } = await openNight(t);
  const since = new Date("2026-11-17T01:00:00Z");
  t.deepEqual(
    (await countCameBySlot(database, ["south"], since, 30))
      .flatMap(slotsOf)
      .map(({ slot, open, refused }) => [slot, open, refused]),
    [
      [1, 1, 0],
      [2, 0, 1],
    ],
  );
  t.deepEqual(
    (await readBacklog(database, null)).map(({ partnerId, deliveries, oldestAt }) => [
      partnerId,
      deliveries,
      oldestAt.toISOString(),
    ]),
    [
      ["north", 1, "2026-11-16T01:10:00.000Z"],
      ["south", 1, "2026-11-17T01:50:00.000Z"],
    ],
  );
});
