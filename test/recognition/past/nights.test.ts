/**
 * A user's services, ids and links are the same whether each night reads what was kept and what came since, and leaves
 * alone who has nothing to tell on the new day, or reads the whole ledger; and at the end the same as of one run over
 * all of it.
 */
import test from "ava";
import { generateHousehold } from "../../../fixtures/population.ts";
import { inTransaction } from "../../../src/database/database.ts";
import type { RawTransaction } from "../../../src/interface/record.ts";
import type { Service, ServiceResponse } from "../../../src/interface/services.ts";
import { keepAccounts } from "../../../src/ledger/account-access.ts";
import { type LedgerTransaction, readHistory } from "../../../src/ledger/history.ts";
import { copyColumns } from "../../../src/ledger/row-block.ts";
import { withdraw } from "../../../src/ledger/withdraw.ts";
import { businessDays } from "../../../src/partners/business-days.ts";
import { moveDayOn } from "../../../src/recognition/store.ts";
import { ledgerRow } from "../../../src/recognition/past/kept-row.ts";
import { readPasts } from "../../../src/recognition/past/past.ts";
import { recogniseChanged } from "../../../src/recognition/run.ts";
import { addDays } from "../../../src/time/calendar.ts";
import { recogniserOf } from "../../api/recognised.ts";
import { standingOn } from "../../time/clocks.ts";
import { addUser } from "../../parties.ts";
import fc, { runs } from "../../property.ts";
import { type LoadingWorld, openLoading } from "../../workers/world.ts";
import { visibleTextOf } from "../visible-list.ts";

/** What happens on a day before the night. */
type Event =
  | { kind: "rows"; count: number }
  | { kind: "late rows"; count: number }
  | { kind: "known rows"; count: number }
  | { kind: "correction"; at: number; amount: number }
  | { kind: "another IBAN"; iban: string }
  | { kind: "withdrawal" }
  | { kind: "access removed" }
  | { kind: "a run of somebody else"; count: number };

/** Days that go by, and what happens then. */
type Night = { days: number; events: Event[] };

const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 30, arbitrary: fc.record({ kind: fc.constant("rows" as const), count: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("rows" as const), count: fc.integer({ min: 60, max: 120 }) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("late rows" as const), count: fc.nat({ max: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("known rows" as const), count: fc.nat({ max: 4 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("correction" as const), at: fc.nat(), amount: fc.nat({ max: 9_999 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("another IBAN" as const), iban: fc.constantFrom("DK1", "DK2") }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "withdrawal" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "access removed" as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("a run of somebody else" as const),
      count: fc.integer({ min: 1, max: 4 }),
    }),
  },
);
const night: fc.Arbitrary<Night> = fc.record({
  days: fc.constantFrom(1, 1, 1, 2, 4, 6),
  events: fc.oneof(fc.array(event, { minLength: 1, maxLength: 2 }), fc.constant<Event[]>([])),
});
const split = fc.record({
  seed: fc.nat({ max: 10_000 }),
  first: fc.integer({ min: 0, max: 200 }),
  nights: fc.array(night, { minLength: 6, maxLength: 8 }),
});

const firstDay = "2026-03-01";
const subjects = Array.from({ length: 100 }, (_, n) => `6ba7b810-9dad-11d1-80b4-00c04fd4${String(n).padStart(4, "0")}`);

test("any split of a history into nights makes, of what was kept, the same bytes as of the whole ledger", async (t) => {
  const [keeping, whole] = [await openBank(t), await openBank(t)];
  let tried = 0;
  await fc.assert(
    fc.asyncProperty(split, async ({ seed, first, nights }) => {
      const subject = subjects[tried % subjects.length]!;
      tried += 1;
      const pair = [await keeping.customer(subject, seed), await whole.customer(subject, seed)] as const;
      let day = firstDay;
      for (const { days, events } of [{ days: 0, events: [{ kind: "rows" as const, count: first }] }, ...nights]) {
        day = addDays(day, days);
        for (const customer of pair) for (const one of events) await customer.live(one, day);
        await pair[1].forget();
        await pair[0].beginDay(day);
        await pair[1].recognise(day);
        t.deepEqual(await pair[0].figures(), await pair[1].figures());
        const { kept, ledger } = await pair[0].rows();
        t.deepEqual(kept ?? ledger, ledger);
      }
      t.deepEqual(await pair[0].documents(), await pair[1].documentsOfOneRun(day));
    }),
    runs(6),
  );
  t.true(keeping.nightsOfPasts > 10, `of ${keeping.nightsOfPasts} nights the past was kept`);
  t.true(keeping.nightsHeld > 2, `in ${keeping.nightsHeld} nights the figures moved on as they were`);
  t.is(whole.nightsOfPasts, 0);
});

type Customer = {
  live(event: Event, day: string): Promise<void>;
  forget(): Promise<void>;
  recognise(day: string): Promise<void>;
  /** A run where the figures do not just move on to the day. */
  beginDay(day: string): Promise<void>;
  /** Everything that is stored about the user, but when. */
  figures(): Promise<unknown>;
  /** The user's rows as they are kept, null when they are not, and as the ledger has them; by txid. */
  rows(): Promise<{ kept: LedgerTransaction[] | null; ledger: LedgerTransaction[] }>;
  /** Services without what is numbered by arrival or by the first run that saw them. */
  documents(): Promise<string[]>;
  documentsOfOneRun(day: string): Promise<string[]>;
};

type Bank = {
  customer(subject: string, seed: number): Promise<Customer>;
  readonly nightsOfPasts: number;
  readonly nightsHeld: number;
};

async function openBank(t: Parameters<typeof openLoading>[0]): Promise<Bank> {
  const world = await openLoading(t, { onConflict: "correct" });
  let customers = 0;
  let [nightsOfPasts, nightsHeld] = [0, 0];
  return {
    get nightsHeld() {
      return nightsHeld;
    },
    get nightsOfPasts() {
      return nightsOfPasts;
    },
    async customer(subject, seed) {
      const uid = `customer ${customers++}`;
      const userId = await addUser(world.database, world.partnerId, uid);
      await world.database.query("update users set subject = $2 where id = $1", [userId, subject]);
      const records = generateHousehold(seed, 0, { months: 5, until: "2026-06-30", brand: "demo-dk" }).transactions.map(
        (record) => ({ ...record, uid }),
      );
      return customerOf(world, userId, uid, records, {
        past: () => (nightsOfPasts += 1),
        held: () => (nightsHeld += 1),
      });
    },
  };
}

function customerOf(
  world: LoadingWorld,
  userId: number,
  uid: string,
  records: readonly RawTransaction[],
  note: { past(): void; held(): void },
): Customer {
  const { database } = world;
  let [next, last] = [0, records.length];
  const deliveries: string[] = [];
  const load = async (some: readonly unknown[]): Promise<void> => {
    if (some.length > 0) deliveries.push((await world.load(some)).id);
  };
  const recogniseOn = async (day: string): Promise<void> => {
    await database.query(
      "update changed_users set touched_at = touched_at - interval '1 minute', arrived_until = arrived_until - interval '1 minute'",
    );
    await recogniseChanged(recogniserOf(database, day));
  };
  const live: Record<Event["kind"], (event: never, day: string) => Promise<unknown>> = {
    rows: async ({ count }: { count: number }) => {
      await load(records.slice(next, Math.min(last, next + count)));
      next = Math.min(last, next + count);
    },
    "late rows": async ({ count }: { count: number }) => {
      const from = Math.max(next, last - count);
      await load(records.slice(from, last));
      last = from;
    },
    "known rows": ({ count }: { count: number }) => load(records.slice(Math.max(0, next - count), next)),
    correction: async ({ at, amount }: { at: number; amount: number }) => {
      const record = next === 0 ? undefined : records[at % next];
      if (record?.tx) await load([{ ...record, tx: { ...record.tx, amount: -amount / 100 } }]);
    },
    "another IBAN": ({ iban }: { iban: string }) =>
      database.query("update accounts set iban = $2 where user_id = $1", [userId, iban]),
    withdrawal: async () => {
      const id = deliveries.pop();
      if (id !== undefined) await inTransaction(database, (transaction) => withdraw(transaction, id, "test"));
    },
    "access removed": () =>
      inTransaction(database, (transaction) =>
        keepAccounts(transaction, { id: userId, partnerId: world.partnerId }, []),
      ),
    // One that knows nothing of pasts: it takes the user off the list and writes the read model.
    "a run of somebody else": async (come: { count: number }, day: string) => {
      await live.rows(come as never, day);
      const { rows } = await database.query("select * from packed_pasts where user_id = $1", [userId]);
      await recogniseOn(day);
      const [past] = rows as { base: Buffer; recent: Buffer; made_at: Date }[];
      if (past !== undefined)
        await database.query("update packed_pasts set base = $2, recent = $3, made_at = $4 where user_id = $1", [
          userId,
          past.base,
          past.recent,
          past.made_at,
        ]);
    },
  };
  const documentsOf = async (id: number): Promise<string[]> => {
    const text = await visibleTextOf(database, id);
    const { services } = text === null ? { services: [] } : (JSON.parse(text) as ServiceResponse);
    return services.map(withoutNumbers).toSorted();
  };
  const customer: Customer = {
    live: (one, day) => live[one.kind](one as never, day) as Promise<void>,
    forget: async () => void (await database.query("delete from packed_pasts where user_id = $1", [userId])),
    async recognise(day) {
      await database.query(
        "insert into changed_users (user_id, arrived, arrived_until) values ($1, '[]', now()) on conflict do nothing",
        [userId],
      );
      const before = await recentBytes(world, userId);
      await recogniseOn(day);
      if (before !== null && (await recentBytes(world, userId))! > before) note.past();
    },
    async beginDay(day) {
      const today = await businessDays(database, standingOn(day));
      const moved = await inTransaction(database, (transaction) => moveDayOn(transaction, today, 100));
      if (moved.includes(userId)) note.held();
      else await customer.recognise(day);
    },
    async figures() {
      const { rows } = await database.query(
        `select (select json_agg(to_jsonb(s) - 'user_id' - 'detected_at' - 'hidden_decided_at' - 'digest' order by s.id) from services s where s.user_id = $1) as services,
                (select json_agg(json_build_array(payment ->> 'sourceTransactionId', (payment ->> 'id')::bigint = t.id) order by payment ->> 'sourceTransactionId')
                   from services s
                  cross join json_array_elements(s.document -> 'payments') as payment
                   join transactions t on t.user_id = s.user_id and t.txid = payment ->> 'sourceTransactionId'
                  where s.user_id = $1) as links,
                (select json_agg(to_jsonb(w) - 'user_id' - 'raised_at' order by w.id) from membership_alerts w where w.user_id = $1) as warnings,
                (select to_jsonb(i) - 'user_id' - 'digest' from income_models i where i.user_id = $1) as income,
                (select to_jsonb(m) - 'user_id' - 'computed_at' - 'holds_until' - 'digest' from read_models m where m.user_id = $1) as model`,
        [userId],
      );
      return JSON.parse(JSON.stringify(rows[0]).replaceAll(/"id":\d+/g, '"id":0'));
    },
    async rows() {
      const models = await database.query<{ computedAt: string }>(
        'select computed_at::text as "computedAt" from read_models where user_id = $1',
        [userId],
      );
      const owner = { id: userId, computedAt: models.rows[0]!.computedAt, arrived: [] };
      const stored = await inTransaction(database, (transaction) => readPasts(transaction, [owner]));
      return {
        kept: stored.of(userId)?.history.map(ledgerRow).toSorted(byTxid) ?? null,
        ledger: ((await readHistory(database, [userId])).get(userId) ?? []).toSorted(byTxid),
      };
    },
    documents: () => documentsOf(userId),
    async documentsOfOneRun(day) {
      const copy = await addUser(database, world.partnerId, `copy of ${uid}`);
      const columns = copyColumns.replace("user_id, ", "");
      await database.query(
        `insert into transactions (user_id, ${columns}) select $2, ${columns} from transactions where user_id = $1`,
        [userId, copy],
      );
      await database.query(
        "insert into accounts (user_id, id, name, iban, removed_after) select $2, id, name, iban, removed_after from accounts where user_id = $1",
        [userId, copy],
      );
      await database.query("insert into changed_users (user_id) values ($1)", [copy]);
      await recogniseOn(day);
      return await documentsOf(copy);
    },
  };
  return customer;
}

function byTxid(a: LedgerTransaction, b: LedgerTransaction): number {
  return a.txid < b.txid ? -1 : 1;
}

function withoutNumbers(service: Service): string {
  return JSON.stringify({
    ...service,
    id: null,
    payments: service.payments.map((payment) => ({ ...payment, id: null })),
    refunds: service.refunds?.map((refund) => ({ ...refund, id: null })),
  });
}

/** How many bytes are kept of what came since the whole was read; null: nothing is kept. */
async function recentBytes(world: LoadingWorld, userId: number): Promise<number | null> {
  const { rows } = await world.database.query<{ bytes: number }>(
    "select octet_length(recent) as bytes from packed_pasts where user_id = $1",
    [userId],
  );
  return rows[0]?.bytes ?? null;
}
