/** The client's types are those of the OpenAPI document as it is now. */
import { readFile } from "node:fs/promises";
import test from "ava";
import { clientOperations, clientSchemas } from "../../src/api/openapi/client-types.ts";
import { openApiDocument } from "../../src/api/server.ts";
import { operations } from "../../src/client/generated/operations.ts";

const read = (name: string) => readFile(new URL(`../../src/client/generated/${name}.ts`, import.meta.url), "utf8");

test("schemas and operations are up to date (npm run openapi)", async (t) => {
  const document = await openApiDocument();
  t.is(await read("schemas"), clientSchemas(document));
  t.is(await read("operations"), clientOperations(document));
});

test("every operation of a partner is there, with how it is answered", async (t) => {
  const { paths = {} } = await openApiDocument();
  const ids = Object.entries(paths).flatMap(([path, item]) =>
    path.startsWith("/partner/")
      ? (["get", "put", "post", "delete"] as const).flatMap((method) => item?.[method]?.operationId ?? [])
      : [],
  );
  t.deepEqual(Object.keys(operations).toSorted(), ids.toSorted());
  t.is(ids.length, 37);
  t.like(operations.listServices, { method: "GET", path: "/services", answers: "json", waits: true });
  t.like(operations.readReport, { method: "GET", answers: "bytes", waits: true });
  t.like(operations.deleteUser, { method: "DELETE", answers: "nothing", waits: false });
});
