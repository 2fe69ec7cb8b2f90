/** What is read and written once for many who have a page open, and what is sent to them of it. */
import test from "ava";
import { changedOf } from "../../src/console/changed.ts";
import { createConsole } from "../../src/console/server.ts";
import type { Database, Queryable } from "../../src/database/database.ts";
import { openLive, tellEveryMs } from "../../src/console/live.ts";
import { openShared } from "../../src/console/shared.ts";
import { inSlices } from "../../src/console/slices.ts";
import { halves, here, html } from "../../src/console/templates/html.ts";
import { openDependencies, origin, signIn } from "./world.ts";

const person = { isTold: false };
const told = { isTold: true };

/** Work that ends when the test says so. */
function work() {
  const ends: ((value: string) => void)[] = [];
  const make = () => new Promise<string>((resolve) => ends.push(resolve));
  return { make, begun: () => ends.length, end: (at: number, value: string) => ends[at]?.(value) };
}

test("those who were told of a change have one result together, and each scope its own", async (t) => {
  const shared = openShared();
  const { make, begun, end } = work();
  const all = [1, 2, 3].map(() => shared.of("all", told, make));
  const north = shared.of("north", told, make);
  t.is(begun(), 2);
  end(0, "of all");
  end(1, "of north");
  t.deepEqual(await Promise.all(all), ["of all", "of all", "of all"]);
  t.is(await north, "of north");
  t.is(await shared.of("all", told, make), "of all");
  t.is(begun(), 2);
});

test("a person who asks has what was begun after the question, with all who asked since", async (t) => {
  const shared = openShared();
  const { make, begun, end } = work();
  const first = shared.of("all", person, make);
  const [second, third] = [shared.of("all", person, make), shared.of("all", person, make)];
  t.is(begun(), 1);
  end(0, "before");
  t.is(await first, "before");
  while (begun() < 2) await Promise.resolve();
  end(1, "after");
  t.deepEqual(await Promise.all([second, third]), ["after", "after"]);
  t.is(begun(), 2);
});

test("nobody who is told of a change has what was begun before it, and nobody what is seconds old", async (t) => {
  let now = 0;
  const shared = openShared(() => now);
  let made = 0;
  const make = async () => `${(made += 1)}`;
  t.is(await shared.of("all", told, make), "1");
  shared.renew();
  t.is(await shared.of("all", told, make), "2");
  now = 2999;
  t.is(await shared.of("all", told, make), "2");
  now = 3001;
  t.is(await shared.of("all", told, make), "3");
  const { make: slow, end } = work();
  const before = shared.of("other", told, slow);
  shared.renew();
  const after = shared.of("other", told, make);
  end(0, "old");
  t.is(await before, "old");
  t.is(await after, "4");
});

test("what failed is tried again by who asks next, also by those who waited", async (t) => {
  const shared = openShared();
  const failing = async () => {
    throw new Error("the database is away");
  };
  const first = shared.of("all", person, failing);
  const waits = shared.of("all", person, async () => "there");
  await t.throwsAsync(first, { message: "the database is away" });
  t.is(await waits, "there");
  await t.throwsAsync(shared.of("new", told, failing));
  t.is(await shared.of("new", told, async () => "there"), "there");
});

test("an open page is sent the pieces that it does not have, and none where nothing changed", (t) => {
  const now = new Date("2026-11-23T02:14:07Z");
  const [a, b, c] = [html`<p>a</p>`, html`<p>b</p>`, html`<p>c</p>`];
  const first = changedOf([a, b], "none", now);
  const marks = (first.pieces ?? []).map((piece) => piece[0] as string);
  t.deepEqual(first.pieces, [
    [marks[0]!, "<p>a</p>"],
    [marks[1]!, "<p>b</p>"],
  ]);
  t.deepEqual(changedOf([html`<p>a</p>`, b], marks.join(""), now), {
    asOf: "2026-11-23T02:14:07.000Z",
    shown: "23 Nov 2026 02:14 UTC",
  });
  const second = changedOf([a, c, b], marks.join(""), now).pieces ?? [];
  t.deepEqual([second[0], second[2]], marks);
  t.is(second[1]?.[1], "<p>c</p>");
  t.deepEqual(changedOf([b], marks.join(""), now).pieces, [marks[1]!]);
});

test("a frame stands around what is put between its halves, and what is filled in is escaped", (t) => {
  const [before, after] = halves`<table title="${"<a>"}">
    <tbody>${here}</tbody>
  </table>${"<b>"}`;
  t.is(`${before}|${after}`, '<table title="&lt;a&gt;">\n<tbody>|</tbody>\n</table>&lt;b&gt;');
});

test("a page of thousands of rows has as few marks as a header takes", (t) => {
  const rows = Array.from(
    { length: 5000 },
    (_, at) =>
      html`<tr>
        <td>${at}</td>
      </tr>`,
  );
  const { pieces = [] } = changedOf(rows, "none", new Date());
  t.true(pieces.length <= 300);
  t.is(pieces.map(([, text]) => text).join(""), rows.join(""));
});

test("those who have a page open are told one after the other", async (t) => {
  let changes = 0;
  const database = { query: async () => ({ rows: [{ signature: String(Math.min((changes += 1), 2)) }] }) };
  let renewed = 0;
  const live = openLive(database as unknown as Queryable, { changed: () => (renewed += 1) });
  const heard: number[] = [];
  const gone: number[] = [];
  await new Promise<void>((resolve) => {
    for (let n = 0; n < 5; n += 1)
      live.listen(() => {
        // What is old is told to be old before anybody asks.
        t.is(renewed, 2);
        if (heard.push(performance.now()) === 4) resolve();
        if (heard.length === 1) stop?.();
      });
    const stop = live.listen(() => gone.push(1));
  });
  live.close();
  t.deepEqual(gone, []);
  for (const [at, time] of heard.entries()) if (at > 0) t.true(time - (heard[at - 1] ?? 0) >= tellEveryMs - 5);
});

test("work in slices lets others have their turn, and two who work have one slice a turn between them", async (t) => {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const begunIn: number[] = [];
  const long = (one: number) => {
    begunIn.push(turns);
    const until = performance.now() + 3;
    while (performance.now() < until);
    return one * 2;
  };
  const [first, second] = await Promise.all([inSlices([1, 2, 3, 4], long), inSlices([5, 6, 7, 8], long)]);
  isOver = true;
  t.deepEqual([...first, ...second], [2, 4, 6, 8, 10, 12, 14, 16]);
  t.is(new Set(begunIn).size, 8);
});

test("many who have Today open make one night of their scope, and nothing of it reaches another scope or session", async (t) => {
  const { dependencies } = await openDependencies(t);
  const { database } = dependencies;
  let nights = 0;
  const reading = new Proxy(dependencies.reading, {
    get(target, name, receiver) {
      if (name !== "query") return Reflect.get(target, name, receiver);
      return (text: string, values: unknown[]) => {
        if (text.includes("slotsText")) nights += 1;
        return target.query(text, values);
      };
    },
  }) as Database;
  const { app, live } = await createConsole({ version: "0.0.0", publicUrl: origin }, { ...dependencies, reading });
  t.teardown(async () => {
    live.close();
    await app.close();
  });
  for (const partner of ["north", "south"])
    await database.query(
      `insert into deliveries (id, partner_id, door, format, name, correlation_id, size_bytes, sha256, state, records, records_new, records_refused, finished_at)
       values (gen_random_uuid(), $1, 'sftp', 'jsonl', $2, 'c', 10, sha256($1::text::bytea), 'loaded', 2, 1, 1, now())`,
      [partner, `only-${partner}.jsonl`],
    );
  const scopes = [null, ["north"], ["south"], ["south", "north"]] as const;
  const visitors = [];
  for (const [at, partnerIds] of scopes.entries())
    for (const role of ["viewer", "operator", "operator"] as const)
      visitors.push({
        partnerIds,
        role,
        one: await signIn(app, database, `v${at}-${visitors.length}`, role, partnerIds),
      });
  nights = 0;
  const answers = await Promise.all(visitors.map(({ one }) => one.get("/console", { "x-console-live": "none" })));
  t.is(nights, scopes.length);

  const tokens = new Set<string>();
  for (const [at, { partnerIds, role }] of visitors.entries()) {
    const { pieces } = JSON.parse(answers[at]?.html ?? "") as { pieces: [string, string][] };
    const text = pieces.map((piece) => piece[1]).join("");
    for (const partner of ["north", "south"]) {
      const isOwn = partnerIds === null || (partnerIds as readonly string[]).includes(partner);
      t.is(text.includes(`only-${partner}.jsonl`), isOwn, `${partner} to ${partnerIds}`);
      t.is(text.includes(`>${partner}<`), isOwn, `${partner}'s row to ${partnerIds}`);
    }
    // One table around its rows, whichever pieces it comes in.
    t.regex(text, /<tbody>\s*<tr>/);
    t.notRegex(text, /<tbody>\s*<\/tbody>|<\/table>\s*<\/div>\s*<tr>/);
    const own = new Set([...text.matchAll(/name="form"\s+value="([^"]*)"/g)].map((found) => found[1] ?? ""));
    t.is(own.size, role === "viewer" ? 0 : 1);
    for (const token of own) {
      t.false(tokens.has(token));
      tokens.add(token);
    }
  }
});

test("who did something sees it at once, and so does whoever is told of it then", async (t) => {
  const { dependencies } = await openDependencies(t);
  const { database } = dependencies;
  const { app, live } = await createConsole({ version: "0.0.0", publicUrl: origin }, dependencies);
  t.teardown(async () => {
    live.close();
    await app.close();
  });
  const { rows } = await database.query<{ id: string }>(
    `insert into deliveries (id, partner_id, door, format, name, correlation_id, size_bytes, sha256, state, records, records_new, records_refused, finished_at)
     values (gen_random_uuid(), 'north', 'sftp', 'jsonl', 'partly.jsonl', 'c', 10, sha256('x'), 'loaded', 2, 1, 1, now())
     returning id`,
  );
  const [acts, looks] = [
    await signIn(app, database, "acts", "admin", null),
    await signIn(app, database, "looks", "operator", null),
  ];
  const shows = async () => {
    const { html: text } = await looks.get("/console", { "x-console-live": "none" });
    return text.includes("partly.jsonl");
  };
  t.true(await shows());
  await acts.get("/console");
  t.is((await acts.post(`/console/deliveries/${rows[0]?.id}/drop`)).status, 303);
  t.false(await shows());
});
