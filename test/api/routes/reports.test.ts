/**
 * A next-of-kin report is asked for, made of the transactions present, fetched by its user alone, and leaves no content
 * behind.
 */
import test, { type ExecutionContext } from "ava";
import { createEvents } from "../../../src/events.ts";
import { refreshUser } from "../../../src/recognition/run.ts";
import { forgetReports, makeReports, type Reporting } from "../../../src/reports/run.ts";
import { makeReport } from "../../../workers/report.ts";
import { standingOn } from "../../time/clocks.ts";
import { elementsOf, readPdf } from "../../reports/pdf.ts";
import { monthlyPaid, openRecognised, recogniserOf, type RecognisedWorld, today, workerOf } from "../recognised.ts";
import { partnerPath } from "../world.ts";

const months = ["2025-12", "2026-01", "2026-02", "2026-03", "2026-04", "2026-05"];

/** The service's own making, in this thread. */
function reportingOf({ database }: RecognisedWorld, given: Partial<Reporting> = {}): Reporting {
  const recognising = recogniserOf(database, today);
  return {
    database,
    clock: standingOn(today),
    events: createEvents({ level: "silent" }),
    makeReport: (task) => makeReport(workerOf(database), task),
    refreshUser: (userId) => refreshUser(recognising, userId),
    ...given,
  };
}

async function request(
  t: ExecutionContext,
  world: RecognisedWorld,
  token: string,
  body: object = { type: "NEXT_OF_KIN" },
): Promise<string> {
  const answer = await world.call("POST", `${partnerPath}/reports`, { token, body });
  t.is(answer.status, 200);
  return (answer.json as { documentId: string }).documentId;
}

test.serial("a report is asked for, made of the transactions present, and fetched as a PDF", async (t) => {
  const world = await openRecognised(t);
  const anna = await world.customer("anna", "2026-05-31", monthlyPaid("NETFLIX.COM", -114, months));
  const documentId = await request(t, world, anna.token, { type: "NEXT_OF_KIN", effectiveDate: "2026-06-02" });
  const waiting = await world.call("GET", `${partnerPath}/reports/${documentId}`, { token: anna.token });
  t.is(waiting.status, 202);
  t.is(waiting.headers["retry-after"], "2");
  t.is(waiting.headers.location, `${partnerPath}/reports/${documentId}`);
  // Came after the request, and nobody has recognised it yet.
  await anna.pay(monthlyPaid("SPOTIFY", -109, months));

  t.is(await makeReports(reportingOf(world)), 1);

  const { rows } = await world.database.query<{ document: Buffer; sha256: Buffer }>(
    "select document, sha256 from reports where id = $1",
    [documentId],
  );
  const answer = await world.call("GET", `${partnerPath}/reports/${documentId}`, {
    token: anna.token,
    headers: { accept: "application/pdf" },
  });
  t.is(answer.status, 200);
  t.is(answer.headers["content-type"], "application/pdf");
  t.is(answer.headers["content-length"], String(rows[0]?.document.length));
  t.is(
    answer.headers["content-disposition"],
    `attachment; filename="next-of-kin-${documentId}.pdf"; filename*=UTF-8''next-of-kin-${documentId}.pdf`,
  );
  const { root, catalog } = readPdf(rows[0]!.document);
  t.regex(catalog, /\/Lang \(da-DK\)/);
  t.deepEqual(
    elementsOf(root, "Table").map((table) =>
      elementsOf(table, "TR").map(({ children }) => children.map(({ text }) => text.trim())),
    ),
    [
      [
        ["Kundenummer", "anna"],
        ["Dokument", documentId],
        ["Data til og med", "15. juni 2026"],
        ["Dato oplyst i bestillingen", "2. juni 2026"],
        ["Betalinger fra – til", "5. december 2025 – 5. maj 2026"],
        ["Konti og kort", "–"],
      ],
      [
        ["Produkt og virksomhed", "Betales med", "Senest betalt", "Om året", "Seneste og næste", "Opsigelse"],
        [
          "Netflix NETFLIX.COM",
          "kort •••• nt-1",
          "114,00 hver måned",
          "1.368,00",
          "5. maj 2026 næste 16. jun. 2026",
          "kan opsiges",
        ],
        [
          "Spotify",
          "kort •••• nt-1",
          "109,00 hver måned",
          "1.308,00",
          "5. maj 2026 næste 16. jun. 2026",
          "kan opsiges",
        ],
        ["I alt", "", "", "2.676,00", "", ""],
      ],
    ],
  );
});

test.serial(
  "a mortgage is listed among the fixed expenses, though its payments look like a subscription's",
  async (t) => {
    const world = await openRecognised(t);
    const anna = await world.customer("anna", "2026-05-31", [
      ...monthlyPaid("NETFLIX.COM", -114, months),
      ...monthlyPaid("Totalkredit", -10_166, months, { type: "DIRECT_DEBIT", description: "Totalkredit" }),
    ]);
    const documentId = await request(t, world, anna.token);
    t.is(await makeReports(reportingOf(world)), 1);
    const { rows } = await world.database.query<{ document: Buffer }>("select document from reports where id = $1", [
      documentId,
    ]);
    const agreements = elementsOf(readPdf(rows[0]!.document).root, "Table")
      .slice(1)
      .map((table) => elementsOf(table, "TR")[1]?.children.map(({ text }) => text.trim()));
    t.deepEqual(
      agreements.map((cells) => [cells?.[0], cells?.at(-1)]),
      [
        ["Netflix NETFLIX.COM", "kan opsiges"],
        ["Totalkredit", "efter aftale med virksomheden"],
      ],
    );
  },
);

test.serial("the trace of a report holds its digest, and the log nothing of its content", async (t) => {
  const world = await openRecognised(t);
  const anna = await world.customer("anna", "2026-05-31", monthlyPaid("NETFLIX.COM", -114, months));
  const documentId = await request(t, world, anna.token);
  await makeReports(reportingOf(world));
  const { rows } = await world.database.query<{ details: object; sha256: string }>(
    "select details, encode(r.sha256, 'hex') as sha256 from audit_events join reports r on r.id::text = details->>'documentId' where event = 'report.made'",
  );
  t.is(rows.length, 1);
  t.deepEqual(rows[0]?.details, { documentId, type: "NEXT_OF_KIN", sha256: rows[0]?.sha256, pages: 2 });
  t.notRegex(JSON.stringify(world.logged), /netflix|anna/i);
});

test.serial("asking again before it is begun is the same request; afterwards it is another", async (t) => {
  const world = await openRecognised(t);
  const anna = await world.customer("anna", "2026-05-31", monthlyPaid("NETFLIX.COM", -114, months));
  const first = await request(t, world, anna.token);
  t.is(await request(t, world, anna.token), first);
  t.not(await request(t, world, anna.token, { type: "NEXT_OF_KIN", effectiveDate: "2026-06-01" }), first);
  t.is(await makeReports(reportingOf(world)), 2);
  t.not(await request(t, world, anna.token), first);
});

test.serial("a user without a single transaction gets a report that says so", async (t) => {
  const world = await openRecognised(t);
  const { token } = await world.newUser("berta");
  const documentId = await request(t, world, token);
  t.is(await makeReports(reportingOf(world)), 1);
  const { rows } = await world.database.query<{ document: Buffer }>("select document from reports where id = $1", [
    documentId,
  ]);
  t.true(
    readPdf(rows[0]!.document).text.includes("Banken havde ingen posteringer for kunden, da rapporten blev lavet."),
  );
});

test.serial("nobody reads another user's report, nor one that does not exist", async (t) => {
  const world = await openRecognised(t);
  const anna = await world.newUser("anna");
  const berta = await world.newUser("berta");
  const documentId = await request(t, world, anna.token);
  await makeReports(reportingOf(world));
  for (const [id, token] of [
    [documentId, berta.token],
    ["0f5c9a1e-54a2-4bb2-9d1a-7f2f1c1b2c3d", anna.token],
    ["no-uuid", anna.token],
  ] as const) {
    const answer = await world.call("GET", `${partnerPath}/reports/${id}`, { token });
    t.is(answer.status, 404);
    t.like(answer.json, { code: "REPORT_UNKNOWN" });
  }
  t.is((await world.call("GET", `${partnerPath}/reports/${documentId}`)).status, 401);
  t.is((await world.call("GET", `/partner/south/2.0.0/reports/${documentId}`, { token: anna.token })).status, 403);
});

test.serial("wrong requests are refused and leave nothing behind", async (t) => {
  const world = await openRecognised(t);
  const { token } = await world.newUser("anna");
  for (const body of [
    {},
    { type: "OTHER" },
    { type: "NEXT_OF_KIN", effectiveDate: "2026-02-30" },
    { type: "NEXT_OF_KIN", effectiveDate: "0001-01-01" },
    { type: "NEXT_OF_KIN", effectiveDate: 5 },
  ]) {
    const answer = await world.call("POST", `${partnerPath}/reports`, { token, body });
    t.is(answer.status, 400, JSON.stringify(body));
    t.like(answer.json, { code: "REQUEST_INVALID" });
  }
  const documentId = await request(t, world, token);
  t.is(
    (await world.call("GET", `${partnerPath}/reports/${documentId}`, { token, headers: { accept: "text/html" } }))
      .status,
    406,
  );
  t.is((await world.database.query("select 1 from reports")).rowCount, 1);
});

test.serial("a report that fails is tried three times, each later, and then told as failed", async (t) => {
  const world = await openRecognised(t);
  const { token } = await world.newUser("anna");
  const documentId = await request(t, world, token);
  const failing = reportingOf(world, { makeReport: () => Promise.reject(new Error("a font is gone")) });
  const state = async () =>
    (await world.database.query<{ state: string; attempts: number }>("select state, attempts from reports")).rows[0];
  t.is(await makeReports(failing), 0);
  t.deepEqual(await state(), { state: "waiting", attempts: 1 });
  // Not yet due again.
  t.is(await makeReports(reportingOf(world)), 0);
  for (const attempts of [2, 3]) {
    await world.database.query("update reports set started_at = started_at - interval '1 hour'");
    t.is(await makeReports(failing), 0);
    t.is((await state())?.attempts, attempts);
  }
  const answer = await world.call("GET", `${partnerPath}/reports/${documentId}`, { token });
  t.is(answer.status, 409);
  t.like(answer.json, { code: "REPORT_FAILED" });
});

test.serial("what a dead process left in hand is made by another one, and its late outcome is not taken", async (t) => {
  const world = await openRecognised(t);
  const { token } = await world.newUser("anna");
  const documentId = await request(t, world, token);
  const reporting = reportingOf(world);
  let overtaken = 0;
  // While the first has it in hand, its time runs out and a second one makes it.
  await makeReports({
    ...reporting,
    makeReport: async (task) => {
      await world.database.query("update reports set started_at = now() - interval '1 hour'");
      overtaken = await makeReports(reporting);
      return { ...(await reporting.makeReport(task)), bytes: Buffer.from("late") };
    },
  });
  t.is(overtaken, 1);
  const { rows } = await world.database.query<{ document: Buffer; audited: number }>(
    "select document, (select count(*) from audit_events where event = 'report.made') as audited from reports where id = $1",
    [documentId],
  );
  t.regex(rows[0]!.document.toString("latin1", 0, 8), /^%PDF-1\.7/);
  t.is(rows[0]?.audited, 1);
});

test.serial("a stop says nothing of the report in hand", async (t) => {
  const world = await openRecognised(t);
  await request(t, world, (await world.newUser("anna")).token);
  const stopping = Object.assign(new Error("The service stops."), { name: "Stopping" });
  await t.throwsAsync(makeReports(reportingOf(world, { makeReport: () => Promise.reject(stopping) })), {
    is: stopping,
  });
  t.deepEqual((await world.database.query("select state, attempts from reports")).rows, [
    { state: "waiting", attempts: 0 },
  ]);
  t.is(await makeReports(reportingOf(world)), 1);
});

test.serial("a report that takes its process along each time is given up", async (t) => {
  const world = await openRecognised(t);
  const { token } = await world.newUser("anna");
  const documentId = await request(t, world, token);
  await world.database.query(
    "update reports set state = 'making', attempts = 3, started_at = now() - interval '1 hour'",
  );
  t.is(await makeReports(reportingOf(world)), 0);
  t.is((await world.call("GET", `${partnerPath}/reports/${documentId}`, { token })).status, 409);
});

test.serial(
  "a report that fails goes back to those that wait even where the same was asked for meanwhile",
  async (t) => {
    const world = await openRecognised(t);
    const { token } = await world.newUser("anna");
    const first = await request(t, world, token);
    const second = async () => {
      t.not(await request(t, world, token), first);
      throw new Error("a font is gone");
    };
    t.is(
      await makeReports(
        reportingOf(world, {
          makeReport: async (task) =>
            task.documentId === first ? await second() : await Promise.reject(new Error("that too")),
        }),
      ),
      0,
    );
    t.deepEqual((await world.database.query("select state, attempts from reports")).rows, [
      { state: "waiting", attempts: 1 },
      { state: "waiting", attempts: 1 },
    ]);
  },
);

test.serial("a report of a user who is deleted meanwhile is not tried any more", async (t) => {
  const world = await openRecognised(t);
  const anna = await world.customer("anna", "2026-05-31", monthlyPaid("NETFLIX.COM", -114, months));
  const documentId = await request(t, world, anna.token);
  t.is((await world.call("DELETE", `${partnerPath}/users`, { token: anna.token })).status, 202);
  const tried: string[] = [];
  t.is(
    await makeReports(
      reportingOf(world, {
        makeReport: (task) => (tried.push(task.documentId), Promise.reject(new Error("her report was tried"))),
      }),
    ),
    0,
  );
  t.false(tried.includes(documentId));
});

test.serial("a user who is deleted while the report is being made is no failure", async (t) => {
  const world = await openRecognised(t);
  const anna = await world.customer("anna", "2026-05-31", monthlyPaid("NETFLIX.COM", -114, months));
  const bert = await world.customer("bert", "2026-05-31", monthlyPaid("NETFLIX.COM", -114, months));
  await request(t, world, anna.token);
  const seen: string[] = [];
  const events = {
    ...createEvents({ level: "silent" }),
    emit: (name: string) => void seen.push(name),
  } as Reporting["events"];
  const makeReport: Reporting["makeReport"] = async () => {
    await world.call("DELETE", `${partnerPath}/users`, { token: anna.token });
    throw new Error("the user is gone");
  };
  t.is(await makeReports(reportingOf(world, { events, makeReport })), 0);
  t.deepEqual(seen, []);
  await request(t, world, bert.token);
  t.is(
    await makeReports(reportingOf(world, { events, makeReport: () => Promise.reject(new Error("another reason")) })),
    0,
  );
  t.deepEqual(seen, ["report.failed"]);
});

test.serial("documents go after thirty days, and at once when their user is deleted", async (t) => {
  const world = await openRecognised(t);
  const [anna, berta] = [await world.newUser("anna"), await world.newUser("berta")];
  await request(t, world, anna.token);
  await request(t, world, berta.token);
  const reporting = reportingOf(world);
  await makeReports(reporting);
  t.is(await forgetReports(reporting), 0);
  await world.database.query("update reports set finished_at = now() - interval '31 days' where user_id = $1", [
    anna.userId,
  ]);
  t.is(await forgetReports(reporting), 1);
  t.is((await world.call("DELETE", `${partnerPath}/users`, { token: berta.token })).status, 202);
  t.is(await forgetReports(reporting), 1);
});
