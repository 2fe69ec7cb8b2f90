/** `node test/house/write.ts`: writes the table of rooms into docs/architecture.md. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { withTable } from "./readme.ts";
import { root } from "./tree.ts";

const page = path.join(root, "docs/architecture.md");
await writeFile(page, withTable(await readFile(page, "utf8")));
