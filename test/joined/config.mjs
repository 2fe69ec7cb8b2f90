/** How AVA runs a plan: a process for each of its parts, in its order. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const { ava } = JSON.parse(readFileSync("package.json", "utf8"));
const firsts = JSON.parse(readFileSync(process.env.JOINED_TESTS_PLAN, "utf8")).map(([first]) => first);
const places = new Map(firsts.map((file, at) => [path.resolve(file), at]));

export default {
  ...ava,
  files: firsts,
  require: [fileURLToPath(new URL("load.ts", import.meta.url))],
  sortTestFiles: (a, b) => places.get(a) - places.get(b),
};
