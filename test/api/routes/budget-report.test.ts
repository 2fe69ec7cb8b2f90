/** A budget's report is a PDF of the budget's own figures, the same bytes for the same budget, for its user alone. */
import { createHash } from "node:crypto";
import { request as httpsRequest } from "node:https";
import test from "ava";
import { attachment } from "../../../src/api/file.ts";
import { preferred } from "../../../src/api/negotiation.ts";
import { putLogo } from "../../../src/partners/provisioning.ts";
import { makeBudgetReport } from "../../../workers/report.ts";
import { drawnLogo } from "../../reports/logo.ts";
import { elementsOf, readPdf } from "../../reports/pdf.ts";
import { type BudgetWorld, openBudgets } from "../budget-world.ts";
import { workerOf } from "../recognised.ts";
import { openWorld, partnerPath, type World } from "../world.ts";

/** The answer's bytes as they came. */
function fetchReport(
  world: World,
  token: string,
  budgetId: string,
  body: object,
  accept?: string,
): Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      ...(accept === undefined ? {} : { accept }),
    };
    const call = httpsRequest(
      {
        host: "127.0.0.1",
        port: world.port,
        ca: world.authority,
        servername: "localhost",
        method: "POST",
        path: `${partnerPath}/budgets/${budgetId}/report`,
        headers,
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
        );
      },
    );
    call.on("error", reject);
    call.end(JSON.stringify(body));
  });
}

async function auditOf({ database }: BudgetWorld) {
  const { rows } = await database.query<{ actor: string; details: Record<string, unknown> }>(
    "select actor, details from audit_events where event = 'budget.report-made' order by id",
  );
  return rows;
}

test.serial("a budget's report is answered as a PDF with the figures that the budget has", async (t) => {
  const world = await openBudgets(t);
  const budget = await world.budgetOf(world.anna);
  const document = await budget.read();
  const { status, headers, bytes } = await fetchReport(
    world,
    world.anna.token,
    budget.id,
    { reportId: "SAG 2026/1 Ærø" },
    "application/pdf",
  );
  t.is(status, 200);
  t.is(headers["content-type"], "application/pdf");
  t.is(
    headers["content-disposition"],
    `attachment; filename="budget-SAG_2026_1__r_.pdf"; filename*=UTF-8''budget-SAG%202026_1%20%C3%86r%C3%B8.pdf`,
  );
  const { root, text } = readPdf(bytes);
  t.is(document.amountCategorized, 11_092.33);
  const total = elementsOf(root, "TR").find(({ children }) => children[0]?.text === "Udgifter med kategori");
  t.is(total?.children[1]?.text, "11.092,33");
  t.true(text.includes("SAG 2026/1 Ærø"));
  t.true(text.includes("North Bank"));
  t.deepEqual(await auditOf(world), [
    {
      actor: "partner:north",
      details: {
        budgetId: budget.id,
        reportId: "SAG 2026/1 Ærø",
        sha256: createHash("sha256").update(bytes).digest("hex"),
        pages: readPdf(bytes).pages.length,
      },
    },
  ]);
  t.notRegex(JSON.stringify(world.logged), /SAG 2026|Fjordtel/);
});

test.serial("a report bears the brand's logo on each page, and its name to those who do not see it", async (t) => {
  const world = await openBudgets(t);
  const budget = await world.budgetOf(world.anna);
  const { rows } = await world.database.query<{ id: string }>("select id from brands where partner_id = 'north'");
  const [brand] = rows;
  const made = async () => (await fetchReport(world, world.anna.token, budget.id, { customerName: "Anna Holm" })).bytes;
  const figuresOf = (bytes: Buffer) => elementsOf(readPdf(bytes).root, "Figure").map(({ alt }) => alt);
  const pictures = (bytes: Buffer) => bytes.toString("latin1").split("/Subtype /Image").length - 1;
  const plain = await made();
  t.false(figuresOf(plain).includes("North Bank"));
  t.true(await putLogo(world.database, "north", brand?.id ?? "", { mediaType: "image/png", bytes: drawnLogo.bytes }));
  const logo = await made();
  t.true(figuresOf(logo).includes("North Bank"));
  // In the file once, with its transparency, on however many pages.
  t.is(pictures(logo), 2);
  t.true(logo.equals(await made()));
  await putLogo(world.database, "north", brand?.id ?? "", null);
  t.true(plain.equals(await made()));
});

test.serial("the same budget gives the same bytes until something about it changes", async (t) => {
  const world = await openBudgets(t);
  const budget = await world.budgetOf(world.anna);
  const made = async () => (await fetchReport(world, world.anna.token, budget.id, {})).bytes;
  const first = await made();
  t.true(first.equals(await made()));
  t.is((await budget.call("POST", "/comment", { comment: "Seen." })).status, 200);
  t.false(first.equals(await made()));
});

test.serial("the caller's Accept decides what the file is called, and what is neither is refused", async (t) => {
  const world = await openBudgets(t);
  const budget = await world.budgetOf(world.anna);
  const typeFor = async (accept: string | undefined) => {
    const { status, headers } = await fetchReport(world, world.anna.token, budget.id, {}, accept);
    return [status, headers["content-type"]];
  };
  t.deepEqual(await typeFor(undefined), [200, "application/pdf"]);
  t.deepEqual(await typeFor("*/*"), [200, "application/pdf"]);
  t.deepEqual(await typeFor("application/octet-stream"), [200, "application/octet-stream"]);
  t.deepEqual(await typeFor("application/json"), [406, "application/problem+json"]);
  const { headers } = await fetchReport(world, world.anna.token, budget.id, { reportId: "  " });
  t.regex(String(headers["content-disposition"]), new RegExp(`filename="budget-${budget.id}\\.pdf"`));
});

test.serial("nobody reads another user's budget, and an id that is none names nothing", async (t) => {
  const world = await openBudgets(t);
  const budget = await world.budgetOf(world.anna);
  const berta = await world.newUser("berta");
  for (const [id, token] of [
    [budget.id, berta.token],
    ["0f5c9a1e-54a2-4bb2-9d1a-7f2f1c1b2c3d", world.anna.token],
    ["none", world.anna.token],
  ] as const) {
    const answer = await world.call("POST", `${partnerPath}/budgets/${id}/report`, { token, body: {} });
    t.is(answer.status, 404);
    t.like(answer.json, { code: "BUDGET_UNKNOWN" });
  }
  t.deepEqual(await auditOf(world), []);
});

test.serial("a budget of which nothing is known yet has no report", async (t) => {
  const world = await openBudgets(t);
  const berta = await world.newUser("berta");
  const budget = await world.budgetOf(berta);
  const answer = await budget.call("POST", "/report", {});
  t.is(answer.status, 409);
  t.like(answer.json, { code: "BUDGET_NOT_INITIALISED" });
});

test.serial("a report id of more than fifty characters is refused", async (t) => {
  const world = await openBudgets(t);
  const budget = await world.budgetOf(world.anna);
  t.is((await budget.call("POST", "/report", { reportId: "x".repeat(51) })).status, 400);
  t.is((await budget.call("POST", "/report", { reportId: "\u0000" })).status, 400);
  t.is((await budget.call("POST", "/report", { reportId: 5 })).status, 400);
  t.is((await budget.call("POST", "/report", { reportId: "x".repeat(50) })).status, 200);
  t.is((await budget.call("POST", "/report")).status, 200);
});

test.serial(
  "two applicants who named each other have a page of both, from either side; one alone has none",
  async (t) => {
    const world = await openBudgets(t);
    const [first, second] = [await world.budgetOf(world.anna), await world.budgetOf(world.anna)];
    t.is((await first.call("POST", "/coapplicants", { type: "SEPARATE_FINANCES", budgetId: second.id })).status, 200);
    for (const budget of [first, second]) {
      const { bytes } = await fetchReport(world, world.anna.token, budget.id, {});
      t.true(
        elementsOf(readPdf(bytes).root, "TR").every(({ children }) => children[3]?.text !== "50.000,00"),
        "nobody's figures but its own",
      );
    }
    t.is((await second.call("POST", "/coapplicants", { type: "SEPARATE_FINANCES", budgetId: first.id })).status, 200);
    for (const [own, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const { bytes } = await fetchReport(world, world.anna.token, own.id, {});
      const { root, text } = readPdf(bytes);
      t.true(text.replaceAll("\n", " ").includes(`Andet budget: ${other.id}`));
      const income = elementsOf(root, "TR").find(
        ({ children }) =>
          children.length === 4 && children[0]?.text === "Indtægter" && children[3]?.text === "50.000,00",
      );
      t.truthy(income);
    }
  },
);

test.serial("when too many reports wait, the caller is told when to come again", async (t) => {
  const world = await openWorld(t, { makeBudgetReport: async () => "BUSY" });
  const { token } = await world.newUser("anna");
  const answer = await world.call("POST", `${partnerPath}/budgets/0f5c9a1e-54a2-4bb2-9d1a-7f2f1c1b2c3d/report`, {
    token,
    body: {},
  });
  t.is(answer.status, 503);
  t.is(answer.headers["retry-after"], "10");
});

test.serial("the thread's own answer names what is missing", async (t) => {
  const world = await openBudgets(t);
  const task = {
    owner: { userId: world.anna.userId, partnerId: "south" },
    budgetId: "0f5c9a1e-54a2-4bb2-9d1a-7f2f1c1b2c3d",
    reportId: null,
    customerName: null,
    edition: "ADVISER" as const,
    baseUrl: "https://bank.example",
  };
  t.deepEqual(await makeBudgetReport(workerOf(world.database), task), { state: "UNKNOWN" });
});

test("a file's name leads into no folder and out of no header", (t) => {
  t.is(
    attachment("budget-../../etc\\x\r\nSet-Cookie: a=b.pdf"),
    `attachment; filename="budget-.._.._etc_x__Set-Cookie__a_b.pdf"; filename*=UTF-8''budget-.._.._etc_x__Set-Cookie%3A%20a%3Db.pdf`,
  );
  t.is(attachment(`a"b'(1)*.pdf`), `attachment; filename="a_b__1__.pdf"; filename*=UTF-8''a%22b%27%281%29%2A.pdf`);
  t.is(attachment("\ud800.pdf"), `attachment; filename="_.pdf"; filename*=UTF-8''%EF%BF%BD.pdf`);
});

test("of several media types the one that the caller likes best is answered, and of equal ones the first", (t) => {
  const offered = ["application/pdf", "application/octet-stream"];
  t.is(preferred("application/octet-stream;q=0.9, application/pdf;q=0.5", offered), "application/octet-stream");
  t.is(preferred("application/octet-stream, application/pdf", offered), "application/pdf");
  t.is(preferred("application/*;q=0.2, application/pdf;q=0", offered), "application/octet-stream");
  t.is(preferred("text/html, */*;q=0", offered), null);
  t.is(preferred("", offered), "application/pdf");
});
