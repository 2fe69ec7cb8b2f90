/**
 * Reads of stored documents answer what the database holds at that moment, whatever was read before, by whom, and
 * whatever was done since; and 304 exactly when the caller has it.
 */
import test, { type ExecutionContext } from "ava";
import type { FastifyRequest } from "fastify";
import { eraseDeleted } from "../../../src/data-subjects/erase.ts";
import { createEvents } from "../../../src/events.ts";
import type { Database } from "../../../src/database/database.ts";
import { rememberDocuments } from "../../../src/api/documents/remembered.ts";
import { readStored } from "../../../src/api/documents/stored.ts";
import { unpack } from "../../../src/interface/packed.ts";
import { userData } from "../../budgets/household.ts";
import fc, { runs } from "../../property.ts";
import { openBudgets, type BudgetCaller, type BudgetWorld } from "../budget-world.ts";
import { type Customer, monthlyPaid } from "../recognised.ts";
import { partnerPath } from "../world.ts";

type Reader = Customer & {
  name: string;
  budget: BudgetCaller;
  /** What each path was answered last. */ seen: Map<string, { tag: string; text: string }>;
};
type Readers = { world: BudgetWorld; anna: Reader; bert: Reader };

const pathsOf = ({ budget }: Reader): string[] => [
  "/services",
  "/services?visibility=HIDDEN",
  "/upcoming-payments",
  "/income",
  `/budgets/${budget.id}`,
  `/budgets/${budget.id}/details`,
];

/**
 * Two customers of one brand, each with a service of its own and a budget; the account whose access may end holds the
 * service.
 */
async function openReaders(t: ExecutionContext): Promise<Readers> {
  const world = await openBudgets(t);
  const bert = await world.customer(
    "bert",
    "2026-06-14",
    monthlyPaid("BERTS RADIO", -77, ["2026-02", "2026-03", "2026-04", "2026-05", "2026-06"]),
  );
  await world.database.query(
    "insert into accounts (user_id, id, name, iban) select id, unnest(array['account-1', 'account-2']), '', '' from users",
  );
  const reader = async (name: string, customer: Customer): Promise<Reader> => ({
    ...customer,
    name,
    budget: await world.budgetOf(customer, { userData }),
    seen: new Map(),
  });
  return { world, anna: await reader("anna", world.anna), bert: await reader("bert", bert) };
}

/** By path; null: nothing that could be read. */
async function storedOf(database: Database, { userId, budget }: Reader): Promise<(string | null)[]> {
  const { rows } = await database.query<
    Record<"visible" | "details", Buffer | null> & Record<"hidden" | "upcoming" | "income" | "document", string | null>
  >(
    `select m.services_visible_packed as visible, m.services_hidden::text as hidden, m.upcoming::text as upcoming, i.document::text as income, d.document::text, d.details_packed as details
       from users u
       left join read_models m on m.user_id = u.id and m.import_complete
       left join income_models i on i.user_id = m.user_id
       left join budgets b on b.id = $2 and b.snapshot_id is not null
       left join budget_documents d on d.budget_id = b.id
      where u.id = $1
        and u.deleted_at is null`,
    [userId, budget.id],
  );
  const {
    visible = null,
    hidden = null,
    upcoming = null,
    income = null,
    document = null,
    details = null,
  } = rows[0] ?? {};
  return [
    visible && unpack(visible).toString(),
    hidden,
    upcoming,
    income,
    document,
    details && unpack(details).toString(),
  ];
}

/** Each path twice, then with the tag of this read and of the last one. */
async function assertReadsAreStored(t: ExecutionContext, world: BudgetWorld, reader: Reader): Promise<void> {
  const stored = await storedOf(world.database, reader);
  for (const [index, path] of pathsOf(reader).entries()) {
    const read = (headers?: Record<string, string>) =>
      world.call("GET", `${partnerPath}${path}`, {
        token: reader.token,
        ...(headers === undefined ? {} : { headers }),
      });
    const expected = stored[index] ?? null;
    const what = `${reader.name} ${path}`;
    const [first, second] = [await read(), await read()];
    if (expected === null) {
      t.deepEqual([first.status, second.status], [401, 401], what);
      continue;
    }
    t.deepEqual(
      [first.status, first.text === expected, second.status, second.text === expected],
      [200, true, 200, true],
      what,
    );
    t.is(first.headers["cache-control"], "private, no-cache");
    const tag = first.headers.etag ?? "";
    t.regex(tag, /^"[0-9a-f]{32}"$/);
    const same = await read({ "if-none-match": tag });
    t.deepEqual([same.status, same.text, same.headers.etag], [304, "", tag], what);
    const last = reader.seen.get(path);
    if (last !== undefined) {
      const again = await read({ "if-none-match": last.tag });
      t.is(again.status, last.tag === tag ? 304 : 200, what);
      if (again.status === 200) t.is(again.text, expected, what);
      else t.is(last.text, expected, `${what}: 304 for what the caller does not have`);
    }
    reader.seen.set(path, { tag, text: expected });
  }
}

const yearMs = 366 * 86_400_000;
let payments = 0;

/** What changes documents, each by the way in which it happens. */
const changes: Readonly<Record<string, (readers: Readers, reader: Reader) => Promise<unknown>>> = {
  payment: async ({ world }, reader) => {
    payments += 1;
    await reader.pay([
      {
        txid: `extra ${payments}`,
        day: "2026-06-0" + ((payments % 9) + 1),
        amount: -10 * payments,
        name: "Fakta",
        mcc: 5411,
      },
    ]);
    await world.recogniseOn("2026-06-15");
  },
  nextDay: ({ world }) => world.recogniseOn("2026-06-16"),
  sameDay: ({ world }) => world.recogniseOn("2026-06-15"),
  hide: async (_readers, reader) => hideFirst(reader, "VISIBLE"),
  show: async (_readers, reader) => hideFirst(reader, "HIDDEN"),
  accountsRemoved: ({ world }, { token }) =>
    world.call("PUT", `${partnerPath}/accounts`, { token, body: ["account-2"] }),
  comment: (_readers, { budget }) => budget.call("POST", "/comment", { comment: `Comment ${(payments += 1)}` }),
  sameComment: (_readers, { budget }) => budget.call("POST", "/comment", { comment: "Always the same" }),
  household: (_readers, { budget }) =>
    budget.call("POST", "/user-data", {
      ...userData,
      personal: { ...userData.personal, dateOfBirth: "1980-01-0" + (((payments += 1) % 9) + 1) },
    }),
  completion: (_readers, { budget }) => budget.call("POST", "/completions", { status: "ACCEPTED" }),
};

async function hideFirst(reader: Reader, from: "VISIBLE" | "HIDDEN"): Promise<void> {
  const [service] = (await reader.list(from)).services;
  if (service !== undefined) await reader.hide(service.id, from === "VISIBLE");
}

test.serial("after any changes in any order, every read tells what is stored", async (t) => {
  t.timeout(180_000);
  const readers = await openReaders(t);
  const both = [readers.anna, readers.bert];
  const step = fc.record({ change: fc.constantFrom(...Object.keys(changes)), whose: fc.constantFrom(...both) });
  // Each run goes on where the one before ended: what is remembered by then is of any age.
  const property = fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 5 }), async (steps) => {
    for (const { change, whose } of steps) {
      await changes[change]?.(readers, whose);
      for (const reader of both) await assertReadsAreStored(t, readers.world, reader);
    }
  });
  await fc.assert(property, { ...runs(5), endOnFailure: true });
  for (const change of Object.keys(changes)) {
    await changes[change]?.(readers, readers.anna);
    await assertReadsAreStored(t, readers.world, readers.anna);
  }
});

test.serial("a deleted user, and then an erased one, reads nothing any more, with a tag or without", async (t) => {
  const { world, anna, bert } = await openReaders(t);
  for (const reader of [anna, bert]) await assertReadsAreStored(t, world, reader);
  await world.database.query("update users set deleted_at = now() where id = $1", [anna.userId]);
  const assertGone = async () => {
    await assertReadsAreStored(t, world, anna);
    for (const [path, { tag }] of anna.seen) {
      for (const headers of [{ "if-none-match": tag }, { "if-none-match": "*" }]) {
        t.is((await world.call("GET", `${partnerPath}${path}`, { token: anna.token, headers })).status, 401, path);
      }
    }
    await assertReadsAreStored(t, world, bert);
  };
  await assertGone();
  await eraseDeleted(
    { database: world.database, events: createEvents({ level: "silent" }), now: new Date(Date.now() + yearMs) },
    "test",
  );
  t.is((await world.database.query("select 1 from read_models where user_id = $1", [anna.userId])).rowCount, 0);
  await assertGone();
});

test.serial("another user's budget and another user's versions open nothing", async (t) => {
  const { world, anna, bert } = await openReaders(t);
  for (const reader of [anna, bert]) await assertReadsAreStored(t, world, reader);
  for (const form of ["", "/details"]) {
    const tag = anna.seen.get(`/budgets/${anna.budget.id}${form}`)?.tag ?? "";
    for (const headers of [{}, { "if-none-match": tag }, { "if-none-match": "*" }]) {
      const answer = await world.call("GET", `${partnerPath}/budgets/${anna.budget.id}${form}`, {
        token: bert.token,
        headers,
      });
      t.deepEqual([answer.status, answer.headers.etag], [404, undefined]);
    }
  }
  const own = await world.call("GET", `${partnerPath}/services`, {
    token: bert.token,
    headers: { "if-none-match": anna.seen.get("/services")?.tag ?? "" },
  });
  t.deepEqual([own.status, own.text], [200, bert.seen.get("/services")?.text]);
});

test.serial("what is not ready has no version, and nothing of an earlier state is told", async (t) => {
  const { world, anna } = await openReaders(t);
  await assertReadsAreStored(t, world, anna);
  await world.database.query("update read_models set import_complete = false");
  const early = await world.call("GET", `${partnerPath}/services`, {
    token: anna.token,
    headers: { "if-none-match": "*" },
  });
  t.deepEqual([early.status, early.text, early.headers.etag], [202, "", undefined]);
  await world.database.query("update budget_documents set details = null");
  const unmade = await world.call("GET", `${partnerPath}/budgets/${anna.budget.id}`, {
    token: anna.token,
    headers: { "if-none-match": "*" },
  });
  t.deepEqual([unmade.status, unmade.text, unmade.headers.etag], [202, "", undefined]);
});

for (const [given, status] of [
  ['"TAG"', 304],
  ['W/"TAG"', 304],
  ['"other", "TAG"', 304],
  ["*", 304],
  ['"other"', 200],
  ["TAG, ", 304],
  ['"{}", "\\"', 200],
  ['""', 200],
  [Array.from({ length: 300 }, (_, n) => `"${n}"`).join(), 200],
] as const) {
  test.serial(`If-None-Match ${given.slice(0, 30)} is ${status}`, async (t) => {
    const world = await openBudgets(t);
    const { token } = world.anna;
    const { headers, text } = await world.call("GET", `${partnerPath}/services`, { token });
    const answer = await world.call("GET", `${partnerPath}/services`, {
      token,
      headers: { "if-none-match": given.replace("TAG", (headers.etag ?? "").replaceAll('"', "")) },
    });
    t.deepEqual([answer.status, answer.text], [status, status === 304 ? "" : text]);
  });
}

test("a version that is remembered, or that the caller has, asks the database for no text", async (t) => {
  const documents = rememberDocuments(100_000);
  t.teardown(() => documents.close());
  const asked: string[][] = [];
  let present = { version: "v1", document: "[1]" };
  const readAs = async (subject: string, tag?: string) => {
    const request = {
      headers: tag === undefined ? {} : { "if-none-match": tag },
      getDecorator: () => ({ partnerId: "north", subject }),
    } as unknown as FastifyRequest;
    const found = await readStored(documents, request, "list", async (versions) => {
      asked.push([...versions]);
      const { version, document } = present;
      return { version, document: versions.includes(version) ? null : Buffer.from(document) };
    });
    return found?.document && { tag: found.document.tag, bytes: found.document.present?.bytes.toString() ?? null };
  };
  t.deepEqual(await readAs("anna"), { tag: "v1", bytes: "[1]" });
  t.deepEqual(await readAs("anna"), { tag: "v1", bytes: "[1]" });
  t.deepEqual(await readAs("bert", '"v1"'), { tag: "v1", bytes: null });
  t.deepEqual(await readAs("bert"), { tag: "v1", bytes: "[1]" });
  present = { version: "v2", document: "[2]" };
  t.deepEqual(await readAs("anna", '"v1"'), { tag: "v2", bytes: "[2]" });
  t.deepEqual(await readAs("anna", '"v0"'), { tag: "v2", bytes: "[2]" });
  t.deepEqual(asked, [[], ["v1"], ["v1"], [], ["v1", "v1"], ["v2", "v0"]]);
});

test("a document that is being sent stays whole while another version takes its place", async (t) => {
  const documents = rememberDocuments(1_000_000);
  t.teardown(() => documents.close());
  const request = {
    headers: {},
    getDecorator: () => ({ partnerId: "north", subject: "anna" }),
  } as unknown as FastifyRequest;
  const long = (letter: string) => Buffer.alloc(100_000, letter);
  const read = async (version: string, document: Buffer | null, meanwhile?: () => Promise<unknown>) => {
    const found = await readStored(documents, request, "list", async () => {
      await meanwhile?.();
      return { version, document };
    });
    return found?.document?.present ?? null;
  };
  const first = await read("v1", long("1"));
  let second: Awaited<ReturnType<typeof read>> = null;
  // It is known, and replaced before the database has said that it is in force.
  const known = await read("v1", null, async () => (second = await read("v2", long("2"))));
  t.is(known, first);
  t.is(first?.bytes.toString(), "1".repeat(100_000));
  first?.giveBack();
  t.is(first?.bytes.length, 100_000);
  const third = await read("v3", long("3"));
  known?.giveBack();
  t.is(first?.bytes.length, 0);
  t.is(second!.bytes.toString(), "2".repeat(100_000));
  t.is(third?.bytes.toString(), "3".repeat(100_000));
});
