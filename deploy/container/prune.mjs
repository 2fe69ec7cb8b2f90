// Takes from a folder of packages what nothing loads at run time: type declarations, source maps, manuals, tests.
// Licences and notices stay.
import { readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";

const isUnread = /\.(d\.[cm]?ts|map|md|markdown|flow|tsbuildinfo)$/i;
const isKept = /^(licen[cs]e|notice|copying|authors)/i;
let bytes = 0;
for (const entry of readdirSync(process.argv[2], { recursive: true, withFileTypes: true })) {
  const file = path.join(entry.parentPath, entry.name);
  if (!entry.isFile() || !isUnread.test(entry.name) || isKept.test(entry.name)) continue;
  bytes += statSync(file).size;
  rmSync(file);
}
console.log(`removed ${(bytes / 1e6).toFixed(1)} MB`);
