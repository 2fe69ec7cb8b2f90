/** What a test's title begins with where its file shares a process: what AVA writes before it is of another file. */
import { stripVTControlCharacters } from "node:util";

/** Invisible, and in no title. */
export const marker = "\u2063";

/** AVA's tick, cross or dash, with its colours and what else it says of the test. */
const sign = /^\s*\S*[✔✘-]\S*(?: \[[a-z ]+\]\S*)? /u;
const duration = / \S*\((?:[\d.]+(?:ms|[hms]) ?)+\)\S*$/u;

/** A line of AVA's report as it were had the file run alone; its duration, in which it waited for its turn, is left out. */
export function unmarked(line: string): string {
  const at = line.lastIndexOf(marker);
  if (at < 0) return line;
  const before = stripVTControlCharacters(line.slice(0, at));
  if (!/^\s*$|^\s*[✔✘-](?: \[[a-z ]+\]:?)? $| › $/u.test(before)) return line.replaceAll(marker, "");
  const own = line.slice(at + marker.length).replace(duration, "");
  return `${/^\s*[✔✘-] /u.test(before) ? (sign.exec(line)?.[0] ?? "") : "  "}${own}`;
}
