/** What operators and outsiders read without a user: health, metrics, keys, the document and its reference page. */
import { readFile } from "node:fs/promises";
import { hash } from "node:crypto";
import test from "ava";
import { openApiDocument } from "../../src/api/server.ts";
import { errorCatalogue } from "../../src/errors.ts";
import { judgeReadiness } from "../../src/observation/readiness.ts";
import { rotateBatchKey } from "../../src/partners/keys/batch-keys.ts";
import { openWorld, partnerPath } from "./world.ts";

test.serial("a live process says so with its version", async (t) => {
  const { call } = await openWorld(t);
  t.deepEqual((await call("GET", "/health/live")).json, { status: "alive", version: "0.0.0-test" });
});

test.serial("readiness is 200 or 503 with what was found", async (t) => {
  let found = "ok";
  const { call } = await openWorld(t, {
    isReady: async () => judgeReadiness([{ name: "database", found, needs: "everything" }]),
  });
  const yes = await call("GET", "/health/ready");
  t.is(yes.status, 200);
  t.deepEqual(yes.json, { status: "ready", checks: { database: "ok" } });
  found = "does not answer";
  const no = await call("GET", "/health/ready");
  t.is(no.status, 503);
  t.is(no.headers["retry-after"], "2");
  t.deepEqual(no.json, { status: "not-ready", checks: { database: "does not answer" } });
});

test.serial("what ends writes alone leaves reads ready, and each is asked for by a path of its own", async (t) => {
  let [database, vault] = ["ok", "ok"];
  const { call } = await openWorld(t, {
    isReady: async () =>
      judgeReadiness([
        { name: "database", found: database, needs: "everything" },
        { name: "vault", found: vault, needs: "writes" },
      ]),
  });
  const statuses = async () => {
    const asked = ["", "/reads", "/writes"].map(async (of) => (await call("GET", `/health/ready${of}`)).status);
    return await Promise.all(asked);
  };
  t.deepEqual(await statuses(), [200, 200, 200]);
  vault = "is away";
  t.deepEqual(await statuses(), [503, 200, 503]);
  t.deepEqual((await call("GET", "/health/ready/reads")).json, {
    status: "ready",
    checks: { database: "ok", vault: "is away" },
  });
  database = "does not answer";
  t.deepEqual(await statuses(), [503, 503, 503]);
});

test.serial("metrics count requests by route pattern, never by path", async (t) => {
  const { call } = await openWorld(t);
  await call("GET", `${partnerPath}/services/anna-secret`);
  await call("GET", "/nowhere/anna-secret");
  const { status, headers, text } = await call("GET", "/metrics");
  t.is(status, 200);
  t.regex(headers["content-type"] ?? "", /^text\/plain/);
  t.regex(
    text,
    /tideline_http_request_seconds_count\{method="GET",route="\/partner\/:partnerId\/2\.0\.0\/services\/:serviceId",status="401"\} 1/,
  );
  t.regex(text, /route="unmatched",status="404"\} 1/);
  t.notRegex(text, /anna-secret/);
});

test.serial("senders find the keys to encrypt to, public parts only", async (t) => {
  const { call, database, keyEncryptionKey } = await openWorld(t);
  await rotateBatchKey(database, keyEncryptionKey, "north", new Date());
  const answer = await call("GET", `${partnerPath}/.well-known/jwks.json`);
  t.is(answer.status, 200);
  t.is(answer.headers["cache-control"], "public, max-age=300");
  const { keys } = answer.json as { keys: Record<string, string>[] };
  t.is(keys.length, 2, "the current and the next");
  for (const key of keys) {
    t.deepEqual(Object.keys(key).sort(), ["alg", "e", "kid", "kty", "n", "use"]);
    t.like(key, { kty: "RSA", use: "enc", alg: "RSA-OAEP" });
  }
  t.deepEqual((await call("GET", "/partner/south/2.0.0/.well-known/jwks.json")).json, { keys: [] });
});

test.serial(
  "the OpenAPI document is served, and the committed one is the generated one (npm run openapi)",
  async (t) => {
    const { call } = await openWorld(t);
    const generated = await openApiDocument();
    t.like(generated, { openapi: "3.1.0", info: { version: "2.0.0" } });
    t.deepEqual((await call("GET", "/openapi.json")).json, generated);
    t.deepEqual(
      JSON.parse(await readFile(new URL("../../src/api/openapi/openapi.json", import.meta.url), "utf8")),
      generated,
    );
  },
);

test.serial(
  "the document names every endpoint that is served, and every answer of each carries the correlation id",
  async (t) => {
    const { paths = {} } = await openApiDocument();
    const prefix = "/partner/{partnerId}/2.0.0";
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item ?? {}).map((method) => `${method.toUpperCase()} ${path}`),
    );
    t.deepEqual(operations.filter((each) => each.includes(prefix)).sort(), [
      `DELETE ${prefix}/budgets/{budgetId}/categories/{categoryId}/adjustments`,
      `DELETE ${prefix}/budgets/{budgetId}/questions/{actionId}`,
      `DELETE ${prefix}/users`,
      `GET ${prefix}/.well-known/jwks.json`,
      `GET ${prefix}/budget-categories`,
      `GET ${prefix}/budgets/{budgetId}`,
      `GET ${prefix}/budgets/{budgetId}/details`,
      `GET ${prefix}/budgets/{budgetId}/expenses/{expenseId}`,
      `GET ${prefix}/budgets/{budgetId}/questions/next`,
      `GET ${prefix}/budgets/{budgetId}/user-data`,
      `GET ${prefix}/income`,
      `GET ${prefix}/reports/{documentId}`,
      `GET ${prefix}/services`,
      `GET ${prefix}/services/{serviceId}`,
      `GET ${prefix}/transactions`,
      `GET ${prefix}/upcoming-payments`,
      `POST ${prefix}/budgets`,
      `POST ${prefix}/budgets/{budgetId}/categories/{categoryId}/adjustments`,
      `POST ${prefix}/budgets/{budgetId}/coapplicants`,
      `POST ${prefix}/budgets/{budgetId}/comment`,
      `POST ${prefix}/budgets/{budgetId}/completions`,
      `POST ${prefix}/budgets/{budgetId}/questions/{actionId}`,
      `POST ${prefix}/budgets/{budgetId}/questions/{actionId}/skips`,
      `POST ${prefix}/budgets/{budgetId}/report`,
      `POST ${prefix}/budgets/{budgetId}/user-data`,
      `POST ${prefix}/crowdsourcing`,
      `POST ${prefix}/psd2/confirmations`,
      `POST ${prefix}/psd2/initiate`,
      `POST ${prefix}/reports`,
      `POST ${prefix}/transactions`,
      `POST ${prefix}/users`,
      `POST ${prefix}/users/logins`,
      `PUT ${prefix}/accounts`,
      `PUT ${prefix}/accounts-balances`,
      `PUT ${prefix}/alerts/seen`,
      `PUT ${prefix}/budgets/{budgetId}/debts`,
      `PUT ${prefix}/services/{serviceId}/hidden`,
    ]);
    const answers = Object.values(paths)
      .flatMap((item) => Object.values(item ?? {}))
      .flatMap((operation) =>
        typeof operation === "object" && "responses" in operation ? Object.values(operation.responses ?? {}) : [],
      );
    t.true(answers.length > 50);
    for (const answer of answers) t.true("headers" in answer && "X-Correlation-ID" in (answer.headers ?? {}));
  },
);

test.serial("the reference page explains every code that a problem links to, without scripts", async (t) => {
  const { call } = await openWorld(t);
  const { status, text, headers } = await call("GET", "/reference");
  t.is(status, 200);
  t.is(headers["content-type"], "text/html; charset=utf-8");
  const [page = "", ...scripts] = text.split("<script>");
  t.notRegex(page, /(src|href|action)="(https?:)?\/\/|url\(|<form|style="/);
  t.is(scripts.length, 1);
  for (const [code, { status: httpStatus }] of Object.entries(errorCatalogue))
    if (httpStatus !== null) t.true(text.includes(`id="${code}"`), code);
  for (const [, target = ""] of text.matchAll(/href="#([^"]+)"/g)) t.true(text.includes(`id="${target}"`), target);
});

test.serial(
  "the reference page's policy names its own style and script by what they hold, and calls to itself alone",
  async (t) => {
    const { call } = await openWorld(t);
    const { text, headers } = await call("GET", "/reference");
    const digestOf = (name: string) =>
      hash("sha256", new RegExp(`<${name}>(.*?)</${name}>`, "s").exec(text)?.[1] ?? "", "base64");
    t.is(
      headers["content-security-policy"],
      `default-src 'none'; style-src 'sha256-${digestOf("style")}'; script-src 'sha256-${digestOf("script")}'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
    );
  },
);

test.serial("calls under way end before the server closes, and new ones find it closed", async (t) => {
  let release = () => {};
  let arrived = () => {};
  const waiting = new Promise<void>((resolve) => (arrived = resolve));
  const held = new Promise<void>((resolve) => (release = resolve));
  const { call, close } = await openWorld(t, {
    isReady: async () => {
      arrived();
      await held;
      return judgeReadiness([]);
    },
  });
  const slow = call("GET", "/health/ready");
  await waiting;
  const closed = close(10_000);
  release();
  t.is((await slow).status, 200);
  await closed;
  await t.throwsAsync(call("GET", "/health/live"), { code: "ECONNREFUSED" });
});
