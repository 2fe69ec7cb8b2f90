/** docs/partner.http, which holds every call of the interface: read as its runner reads it. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import test from "ava";
import { httpFile } from "../../../src/api/openapi/http-file.ts";
import { openApiDocument } from "../../../src/api/server.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const text = await readFile(path.join(root, "docs/partner.http"), "utf8");

/** Methods and places in the file, with whatever stands for a parameter left open. */
function callsIn(file: string): string[] {
  return [...file.matchAll(/^(GET|POST|PUT|DELETE) \{\{(\w+)(?:\.url)?\}\}(\S+)$/gm)].map(
    ([, method, base, place = ""]) =>
      `${method} ${base === "api" ? "/partner/{}/2.0.0" : ""}${place.replaceAll(/\{\{[^}]+\}\}/g, "{}")}`,
  );
}

test("each operation of openapi.json and the receiver's is called once, and nothing else is", async (t) => {
  const document = JSON.parse(await readFile(path.join(root, "src/api/openapi/openapi.json"), "utf8")) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const documented = Object.entries(document.paths).flatMap(([place, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${place.replaceAll(/\{[^}]+\}/g, "{}")}`),
  );
  t.is(documented.length, 45);
  t.deepEqual(callsIn(text).toSorted(), [...documented, "POST /notifications"].toSorted());
});

test("each call says by which status it is answered, as a success but where it cannot be one", (t) => {
  const statuses = [...text.matchAll(/^\?\? status == (\d+)$/gm)].map(([, status]) => status);
  t.is(statuses.length, 46);
  t.deepEqual(
    statuses.filter((status) => !status?.startsWith("2")),
    ["404"],
  );
});

test("docs/partner.http is what the routes say now: npm run openapi writes it", async (t) => {
  t.is(text, httpFile(await openApiDocument()));
});

test("an operation that no call is written for fails the generation by its name", async (t) => {
  const document = await openApiDocument();
  const operation = { operationId: "closeAccount", responses: {} };
  t.throws(() => httpFile({ ...document, paths: { ...document.paths, "/accounts/closed": { post: operation } } }), {
    message: "http-file.ts and the document differ in closeAccount",
  });
});
