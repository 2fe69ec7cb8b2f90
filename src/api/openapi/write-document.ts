/**
 * `npm run openapi`: writes the OpenAPI document beside the routes it is generated from, and from it the client's types
 * and the calls that docs/partner.http holds; tests hold them equal.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { openApiDocument } from "../server.ts";
import { httpFile } from "./http-file.ts";
import { clientOperations, clientSchemas } from "./client-types.ts";

const document = await openApiDocument();
const generated = new URL("../../client/generated/", import.meta.url);
await writeFile(new URL("openapi.json", import.meta.url), `${JSON.stringify(document, null, 2)}\n`);
await mkdir(generated, { recursive: true });
await writeFile(new URL("schemas.ts", generated), clientSchemas(document));
await writeFile(new URL("operations.ts", generated), clientOperations(document));
await writeFile(new URL("../../../docs/partner.http", import.meta.url), httpFile(document));
