/**
 * `npm run openapi`: writes the OpenAPI document beside the routes it is generated from; a test holds the two equal.
 */
import { writeFile } from "node:fs/promises";
import { openApiDocument } from "../server.ts";

await writeFile(new URL("openapi.json", import.meta.url), `${JSON.stringify(await openApiDocument(), null, 2)}\n`);
