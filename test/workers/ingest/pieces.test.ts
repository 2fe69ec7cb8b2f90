/**
 * A file of which an earlier one brought pieces is counted without being read, and says, leaves and does exactly what it
 * would have if it had been read: whatever came, went, was corrected or erased in between.
 */
import test from "ava";
import fc, { runs } from "../../property.ts";
import { makeKey } from "../sealing.ts";
import { type LoadingWorld, openLoading, transaction } from "../world.ts";
import { readEpoch, removeOldPieces } from "../../../src/partners/loaded-pieces.ts";
import { many, openTwin, small, type Twin } from "./pieces-twin.ts";

/** Whatever ends pieces: which trigger tells of it, on which table. */
type Ending = {
  what: string;
  trigger: string;
  table: string;
  happens(twin: Twin, world: LoadingWorld): Promise<void>;
};

const described = (uid: string, name: string, cardType: string | null, amount = -12.5, from = 0) =>
  Array.from({ length: 30 }, (_, n) => ({
    ...transaction(uid, `t${from + n}`, { amount }),
    account: { id: `a-${uid}`, name, iban: "" },
    card: { id: `c-${uid}`, pan4: "1234", ...(cardType === null ? {} : { cardType }) },
  }));

const bring = async (twin: Twin, records: readonly unknown[]): Promise<void> => {
  await twin.load(await twin.deliver(records, true));
};

const removeOf = async (twin: Twin, { database }: LoadingWorld, table: "accounts" | "cards"): Promise<void> => {
  await database.query(
    `delete from ${table} where user_id in (select id from users where partner_id = $1 and bank_user_id = 'u1')`,
    [twin.partnerId],
  );
};

const endings: readonly Ending[] = [
  {
    what: "a withdrawal",
    trigger: "loaded_pieces_end_with_removal",
    table: "transactions",
    happens: (twin) => twin.withdraw(0),
  },
  {
    what: "a correction",
    trigger: "loaded_pieces_end_with_correction",
    table: "transactions",
    happens: (twin) => bring(twin, described("u1", "Konto", "DEBIT", 7)),
  },
  {
    what: "another name of an account in a file",
    trigger: "loaded_pieces_end_with_change",
    table: "accounts",
    happens: (twin) => bring(twin, described("u1", "Loan", "DEBIT", 1, 500)),
  },
  {
    what: "another name of an account by its user",
    trigger: "loaded_pieces_end_with_change",
    table: "accounts",
    happens: (twin) => twin.rename("u1", "a-u1", "Other"),
  },
  {
    what: "an account that its user does not let be seen any more",
    trigger: "loaded_pieces_end_with_change",
    table: "accounts",
    happens: (twin) => twin.review("u1", []),
  },
  {
    what: "a removed account",
    trigger: "loaded_pieces_end_with_removal",
    table: "accounts",
    happens: (twin, world) => removeOf(twin, world, "accounts"),
  },
  {
    what: "a card of another kind",
    trigger: "loaded_pieces_end_with_change",
    table: "cards",
    happens: (twin) => bring(twin, described("u1", "Konto", "CREDIT", 1, 500)),
  },
  {
    what: "a removed card",
    trigger: "loaded_pieces_end_with_removal",
    table: "cards",
    happens: (twin, world) => removeOf(twin, world, "cards"),
  },
  {
    what: "a deleted user",
    trigger: "loaded_pieces_end_with_user",
    table: "users",
    happens: (twin) => twin.deleteUser("u1"),
  },
  {
    what: "a user who was deleted and made again",
    trigger: "loaded_pieces_end_with_user",
    table: "users",
    async happens(twin) {
      await twin.deleteUser("u1");
      await twin.addUser("u1");
    },
  },
  {
    what: "a user who is called otherwise",
    trigger: "loaded_pieces_end_with_user",
    table: "users",
    async happens({ partnerId }, { database }) {
      await database.query("update users set bank_user_id = 'u9' where partner_id = $1 and bank_user_id = 'u1'", [
        partnerId,
      ]);
    },
  },
];

for (const { what, trigger, table, happens } of endings)
  test(`${what} ends pieces, and without its trigger would not`, async (t) => {
    const world = await openLoading(t);
    const key = makeKey("twin");
    const records = [...described("u1", "Konto", "DEBIT"), ...described("u2", "Konto", "DEBIT")];
    for (const lacksTrigger of [false, true]) {
      if (lacksTrigger) await world.database.query(`drop trigger ${trigger} on ${table}`);
      const told = [];
      for (const [name, pieces] of [
        ["reading", null],
        ["knowing", small],
      ] as const) {
        const settings = { onConflict: "correct" };
        const twin = await openTwin(world, key, { partnerId: `${name}-${lacksTrigger}`, settings, pieces });
        await bring(twin, records);
        await bring(twin, records);
        await happens(twin, world);
        await bring(twin, records);
        told.push(await twin.tell());
      }
      const difference = Object.keys(differenceOf(told[1] ?? {}, told[0] ?? {}));
      if (lacksTrigger) t.true(difference.length > 0);
      else t.deepEqual(difference, []);
    }
  });

/** Records of one user that stand behind each other. `said`: which of two contents; `name`: of the account; "": none. */
type Segment = { uid: string; from: number; count: number; said: 0 | 1; name: string; card: boolean };

const segment: fc.Arbitrary<Segment> = fc.record({
  uid: fc.constantFrom("u1", "u1", "u2", "u2", "u3", "u3", "nobody"),
  from: fc.constantFrom(0, 0, 10, 30),
  count: fc.integer({ min: 1, max: 30 }),
  said: fc.constantFrom(0 as const, 0 as const, 0 as const, 1 as const),
  name: fc.constantFrom("", "Konto", "Konto", "Loan"),
  card: fc.boolean(),
});

type Step =
  | { do: "load" | "deliver"; segments: readonly Segment[]; extra: "none" | "marker" | "broken"; compress: boolean }
  /** A file once more, alone or with another behind or before it; of all delivered that one, counted from the last. */
  | { do: "again"; nth: number; more: readonly Segment[]; before: boolean; compress: boolean }
  | { do: "loadWaiting" }
  | { do: "erase" | "passTime" }
  | { do: "withdraw"; nth: number }
  | { do: "review"; uid: string; keeps: boolean }
  | { do: "rename" | "deleteUser" | "addUser" | "completeImport"; uid: string };

const uid = fc.constantFrom("u1", "u2", "u3");
const nth = fc.constantFrom(0, 0, 0, 1, 2, 3);
const file = {
  segments: fc.array(segment, { minLength: 1, maxLength: 4 }),
  extra: fc.constantFrom("none" as const, "none" as const, "none" as const, "marker" as const, "broken" as const),
  compress: fc.boolean(),
};
const again = fc.record({
  do: fc.constant("again" as const),
  nth,
  more: fc.oneof(fc.constant([]), fc.array(segment, { maxLength: 1 })),
  before: fc.boolean(),
  compress: fc.boolean(),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("load" as const), ...file }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("deliver" as const), ...file }) },
  { weight: 8, arbitrary: again },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("erase" as const, "passTime" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("loadWaiting" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("withdraw" as const), nth }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("review" as const), uid, keeps: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom(
        "rename" as const,
        "deleteUser" as const,
        "addUser" as const,
        "addUser" as const,
        "completeImport" as const,
      ),
      uid,
    }),
  },
);

function recordsOf(segments: readonly Segment[]): unknown[] {
  return segments.flatMap(({ uid: of, from, count, said, name, card }) =>
    Array.from({ length: count }, (_, n) => ({
      ...transaction(of, `t${from + n}`, said === 1 && n % 7 === 3 ? { amount: -1 } : {}),
      ...(name === "" ? {} : { account: { id: `a-${of}`, name, iban: "" } }),
      ...(card ? { card: { id: `c-${of}`, pan4: "1234", ...(name === "Loan" ? { cardType: "DEBIT" } : {}) } } : {}),
    })),
  );
}

/** What a twin was sent so far, and which of it is still to be loaded. */
type Course = { files: unknown[][]; waiting: number[] };

async function take(twin: Twin, course: Course, done: Step): Promise<void> {
  const bring = async (records: unknown[], compress: boolean, loads: boolean) => {
    course.files.push(records);
    await twin.deliver(records, compress);
    if (loads) await twin.load(course.files.length - 1);
    else course.waiting.push(course.files.length - 1);
  };
  const pick = (back: number) => course.files[Math.max(0, course.files.length - 1 - back)] ?? [];
  switch (done.do) {
    case "load":
    case "deliver": {
      const records = recordsOf(done.segments);
      if (done.extra === "marker") records.splice(records.length / 2, 0, { uid: "u1", type: "IMPORT_COMPLETED" });
      if (done.extra === "broken") records.splice(records.length / 2, 0, { uid: "u1", type: "TX", tx: 7 });
      return await bring(records, done.compress, done.do === "load");
    }
    case "again": {
      const more = recordsOf(done.more);
      const known = pick(done.nth);
      return await bring(done.before ? [...more, ...known] : [...known, ...more], done.compress, true);
    }
    case "loadWaiting":
      for (const waiting of course.waiting.splice(0)) await twin.load(waiting);
      return;
    case "withdraw":
      if (course.files.length > 0) await twin.withdraw(Math.max(0, course.files.length - 1 - done.nth));
      return;
    case "review":
      return await twin.review(done.uid, done.keeps ? [`a-${done.uid}`] : []);
    case "rename":
      return await twin.rename(done.uid, `a-${done.uid}`, "Other");
    case "erase":
    case "passTime":
      return await twin[done.do]();
    case "deleteUser":
    case "addUser":
    case "completeImport":
      return await twin[done.do](done.uid);
  }
}

/** Rows by table that only one of them has. */
function differenceOf(knew: Record<string, string[]>, read: Record<string, string[]>): Record<string, unknown> {
  const without = (rows: readonly string[] = [], others: readonly string[] = []) => {
    const left = [...others];
    return rows.filter((row) => !left.includes(row) || left.splice(left.indexOf(row), 1).length === 0);
  };
  const tables = new Set([...Object.keys(knew), ...Object.keys(read)]);
  return Object.fromEntries(
    Array.from(tables, (table) => ({
      table,
      knew: without(knew[table], read[table]),
      read: without(read[table], knew[table]),
    }))
      .filter((one) => one.knew.length + one.read.length > 0)
      .map(({ table, ...rows }) => [table, rows]),
  );
}

for (const [format, onConflict] of [
  ["jwe", "keep"],
  ["jwe", "correct"],
  ["jsonl", "keep"],
  ["jsonl", "correct"],
] as const)
  test(`whatever happens between, every table says the same with pieces as without: ${format}, ${onConflict}`, async (t) => {
    const world = await openLoading(t);
    const key = makeKey("twin");
    let pair = 0;
    let known = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
        pair += 1;
        const twins: Twin[] = [];
        for (const [name, pieces] of [
          ["reading", null],
          ["knowing", small],
        ] as const)
          twins.push(
            await openTwin(world, key, { partnerId: `${name}-${pair}`, settings: { onConflict }, pieces, format }),
          );
        const courses = twins.map((): Course => ({ files: [], waiting: [] }));
        for (const done of steps) {
          for (const [at, twin] of twins.entries()) await take(twin, courses[at] as Course, done);
          const [read = {}, knew = {}] = await Promise.all(twins.map((twin) => twin.tell()));
          t.deepEqual(differenceOf(knew, read), {}, JSON.stringify(done));
        }
        known += await (twins[1] as Twin).piecesKept();
      }),
      runs(15),
    );
    t.true(known > 30, `${known} pieces were kept`);
  });

test("what is void goes with an erasure and with retention, and what is old with retention; epochs stay what they are", async (t) => {
  const world = await openLoading(t);
  const [one, other] = [
    await openTwin(world, makeKey("one"), { partnerId: "one", settings: {}, pieces: small }),
    await openTwin(world, makeKey("other"), { partnerId: "other", settings: {}, pieces: small }),
  ];
  for (const twin of [one, other]) {
    await twin.deliver([...many("u1", 30), ...many("u2", 30)], true);
    await twin.load(0);
  }
  const before = await other.piecesKept();
  await one.deleteUser("u2");
  t.true((await one.piecesKept()) > 0);
  await one.erase();
  t.is(await one.piecesKept(), 0);
  t.is(await other.piecesKept(), before);

  await other.rename("u1", "a-u1", "Other");
  await other.rename("u1", "a-u1", "Another");
  await other.rename("u1", "a-u1", "A third");
  const epoch = await readEpoch(world.database, "other");
  t.is(epoch, 2);
  await other.passTime();
  t.is(await other.piecesKept(), 0);
  t.is(await readEpoch(world.database, "other"), epoch);
  t.is((await world.database.query("select 1 from piece_epochs where partner_id = 'other'")).rowCount, 1);

  await other.deliver(many("u1", 40), true);
  await other.load(1);
  t.true((await other.piecesKept()) > 0);
  await removeOldPieces(world.database, "other", new Date(Date.now() + 1000));
  t.is(await other.piecesKept(), 0);
});
