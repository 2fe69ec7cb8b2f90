/**
 * Callers who read in the same moment share a statement and nothing else; and what lies compressed is answered so to
 * who takes it.
 */
import { request } from "node:https";
import { gunzipSync } from "node:zlib";
import test, { type ExecutionContext } from "ava";
import { openServedDocuments, type Asked } from "../../../src/api/documents/served.ts";
import { openDatabase } from "../../../src/database/database.ts";
import { readsFrom } from "../../../src/database/replica.ts";
import { TenantClaims } from "../../../src/database/tenant-claims.ts";
import { presentTenant } from "../../../src/database/tenant.ts";
import { urlsOfRoles } from "../../world.ts";
import { openBudgets, type BudgetWorld } from "../budget-world.ts";
import { monthlyPaid } from "../recognised.ts";
import { partnerPath } from "../world.ts";

const spring = ["2026-02", "2026-03", "2026-04", "2026-05", "2026-06"];

async function callerOf({ database }: BudgetWorld, userId: number): Promise<Asked["caller"]> {
  const { rows } = await database.query<Asked["caller"]>(
    'select partner_id as "partnerId", subject from users where id = $1',
    [userId],
  );
  return rows[0]!;
}

/** Reads over connections of the API's own, and how many statements they were. */
function open(t: ExecutionContext, { database, url }: BudgetWorld) {
  const claims = new TenantClaims(database);
  const callers = openDatabase(urlsOfRoles(url).api, {
    sizeMax: 2,
    applicationName: "test api",
    tenant: { present: presentTenant, claims },
  });
  t.teardown(async () => {
    await callers.end();
    await claims.close();
  });
  let statements = 0;
  callers.on("acquire", () => (statements += 1));
  return { served: openServedDocuments(readsFrom(callers)), claims, statements: () => statements };
}

test.serial("of several callers in one statement each gets the own document, and who is gone gets none", async (t) => {
  const world = await openBudgets(t);
  const bert = await world.customer("bert", "2026-06-14", monthlyPaid("BERTS RADIO", -77, spring));
  const gone = await world.customer("gone", "2026-06-14", monthlyPaid("GONES RADIO", -78, spring));
  const budget = await world.budgetOf(world.anna);
  await world.database.query("update users set deleted_at = now() where id = $1", [gone.userId]);
  const [asAnna, asBert, asGone] = [
    await callerOf(world, world.anna.userId),
    await callerOf(world, bert.userId),
    await callerOf(world, gone.userId),
  ];
  const { served, statements } = open(t, world);
  const read = (caller: Asked["caller"], name: Asked["name"], budgetId: string | null = null) =>
    served.read({ caller, name, budgetId, known: [] });
  const [ofAnna, ofBert, ofGone, ofElsewhere, upcoming, own, foreign] = await Promise.all([
    read(asAnna, "services"),
    read(asBert, "services"),
    read(asGone, "services"),
    read({ partnerId: "elsewhere", subject: asBert.subject }, "services"),
    read(asBert, "upcoming"),
    read(asAnna, "budget", budget.id),
    read(asBert, "budget", budget.id),
  ]);
  t.is(statements(), 1);
  t.false(textOf(ofAnna?.packed).includes("BERTS RADIO"));
  t.true(textOf(ofBert?.packed).includes("BERTS RADIO"));
  t.deepEqual([ofGone, ofElsewhere], [null, null]);
  t.true(upcoming?.document?.toString().startsWith("[{"));
  t.is(JSON.parse(textOf(own?.packed)).id, budget.id);
  t.deepEqual({ ...foreign }, { userId: bert.userId, version: null, packed: null, document: null, isShown: false });
});

test.serial(
  "a claim that does not hold fails the statement, and a key that was forgotten is entered again",
  async (t) => {
    const world = await openBudgets(t);
    const caller = await callerOf(world, world.anna.userId);
    const { served, claims } = open(t, world);
    const [claim, alone] = [await claims.ofSeveral([caller]), await claims.of(caller)];
    const bare = openDatabase(urlsOfRoles(world.url).api, { sizeMax: 1, applicationName: "test bare" });
    t.teardown(() => bare.end());
    const readWith = (claimed: string, names = ["services"]) =>
      bare.query(`select * from documents_of_callers($1, $2, array_fill(null::uuid, $3), $4)`, [
        claimed,
        names,
        [names.length],
        names.map(() => ""),
      ]);
    t.is((await readWith(claim)).rows[0].user_id, world.anna.userId);
    const two = await readWith(claim, ["services", "budget"]);
    t.deepEqual(
      two.rows.map((row) => row.user_id),
      [world.anna.userId, null],
      "who asks for more than the claim covers is nobody",
    );
    const somebody = "00000000-0000-4000-8000-000000000007";
    for (const wrong of [
      "",
      claim.replace(/north$/, "south"),
      claim.replace(caller.subject, somebody),
      `${claim} ${somebody}north`,
      "0".repeat(64) + claim.slice(64),
      claim.slice(0, 100) + String(Number(claim.slice(100, 110)) + 1) + claim.slice(110),
      alone,
      `${alone.slice(0, 110)}several ${alone.slice(110)}`,
    ])
      for (const name of ["services", "income", "budget"])
        await t.throwsAsync(readWith(wrong, [name]), { code: "TD001" }, `${name} with ${wrong}`);
    await bare.query("select set_config('tideline.tenant', $1, false)", [claim]);
    await t.throwsAsync(bare.query("select id from users"), undefined, "it is no claim of one tenant");
    await world.database.query("delete from tenant_keys");
    await t.throwsAsync(readWith(claim), { code: "TD001" });
    t.is((await served.read({ caller, name: "services", known: [] }))?.userId, world.anna.userId);
  },
);

test.serial("documents that another version wrote without compressing them are answered as they stand", async (t) => {
  const world = await openBudgets(t);
  const caller = await callerOf(world, world.anna.userId);
  await world.database.query("update read_models set services_visible = '{\"services\":[]}'");
  const { served } = open(t, world);
  const found = await served.read({ caller, name: "services", known: [] });
  t.deepEqual([found?.packed, found?.document?.toString()], [null, '{"services":[]}']);
  const known = found?.version ?? "";
  const again = await served.read({ caller, name: "services", known: [known, "x' or true --"] });
  t.deepEqual([again?.version, again?.packed, again?.document], [known, null, null]);
});

test.serial("who takes gzip gets it with a tag of its own, and others the same text without", async (t) => {
  const world = await openBudgets(t);
  const { token } = world.anna;
  const budget = await world.budgetOf(world.anna);
  for (const path of ["/services", `/budgets/${budget.id}`, `/budgets/${budget.id}/details`]) {
    const plain = await world.call("GET", `${partnerPath}${path}`, { token });
    t.is(plain.headers.vary, "accept-encoding");
    const read = (headers: Record<string, string>) => rawRead(world, token, path, headers);
    for (const accepted of ["gzip", "br;q=1, gzip;q=0.5", "*"]) {
      const packed = await read({ "accept-encoding": accepted });
      t.deepEqual([packed.status, packed.headers["content-encoding"]], [200, "gzip"], accepted);
      t.is(gunzipSync(packed.bytes).toString(), plain.text);
      t.is(packed.headers.etag, plain.headers.etag?.replace(/"$/, '-gzip"'));
      const same = await read({ "accept-encoding": accepted, "if-none-match": packed.headers.etag ?? "" });
      t.deepEqual([same.status, same.headers.etag, same.bytes.length], [304, packed.headers.etag, 0]);
    }
    for (const accepted of ["identity", "br", "gzip;q=0", "*;q=0"]) {
      const unpacked = await read({ "accept-encoding": accepted });
      t.deepEqual([unpacked.headers["content-encoding"], unpacked.bytes.toString()], [undefined, plain.text], accepted);
    }
  }
  const small = await rawRead(world, token, "/upcoming-payments", { "accept-encoding": "gzip" });
  t.is(small.headers["content-encoding"], undefined);
});

function textOf(packed: Buffer | null | undefined): string {
  return packed ? gunzipSync(packed).toString() : "";
}

type Raw = { status: number; headers: Record<string, string | undefined>; bytes: Buffer };

function rawRead(
  { port, authority }: BudgetWorld,
  token: string,
  path: string,
  headers: Record<string, string>,
): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const options = {
      host: "127.0.0.1",
      port,
      ca: authority,
      servername: "localhost",
      path: `${partnerPath}${path}`,
      headers: { authorization: `Bearer ${token}`, ...headers },
    };
    const call = request(options, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Raw["headers"],
          bytes: Buffer.concat(pieces),
        }),
      );
    });
    call.on("error", reject);
    call.end();
  });
}
