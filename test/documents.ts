/**
 * The documents' code, as their tests read it. What a fence holds stands behind its language:
 *
 *   sh                 commands, run in order in one shell a document; nothing may fail
 *   sh needs=PROGRAM   the same where the program is installed, and said to be skipped where it is not
 *   sh service         what starts the service that all documents share
 *   LANGUAGE file=NAME a file that the reader writes, where the shell then is
 *   LANGUAGE output    what the commands before it print, `…` standing for anything
 *   LANGUAGE sketch    not run: it needs what a test cannot have
 */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

export const repository = path.resolve(import.meta.dirname, "..");

const roles = ["run", "service", "file", "output", "sketch"] as const;

export type Block = {
  /** Of the fence, from 1. */
  line: number;
  language: string;
  role: (typeof roles)[number];
  /** Of a file; of a program that commands need. */
  name: string | null;
  text: string;
};

/** README.md and what lies in docs/, by their paths. */
export async function documentNames(): Promise<string[]> {
  const names = (await readdir(path.join(repository, "docs"))).filter((name) => name.endsWith(".md")).toSorted();
  return ["README.md", ...names.map((name) => `docs/${name}`)];
}

export async function readDocument(name: string): Promise<string> {
  return await readFile(path.join(repository, name), "utf8");
}

/** @throws Error naming the line of a fence that says nothing of what it holds */
export function readBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let open: { line: number; info: string; lines: string[] } | null = null;
  for (const [at, line] of text.split("\n").entries()) {
    const fence = /^ *```(.*)$/.exec(line);
    if (!fence) open?.lines.push(line);
    else if (open === null) open = { line: at + 1, info: fence[1] ?? "", lines: [] };
    else {
      blocks.push(toBlock(open.line, open.info, open.lines, blocks.at(-1)));
      open = null;
    }
  }
  if (open !== null) throw new Error(`the fence in line ${open.line} is not closed`);
  return blocks;
}

function toBlock(line: number, info: string, lines: string[], before: Block | undefined): Block {
  const [language = "", ...words] = info.trim().split(/ +/);
  const [word = ""] = words;
  const block = { line, language, name: null, text: `${lines.join("\n")}\n` };
  if (words.length <= 1 && language === "sh") {
    if (word === "") return { ...block, role: "run" };
    if (word === "service") return { ...block, role: word };
    if (word.startsWith("needs=")) return { ...block, role: "run", name: word.slice("needs=".length) };
  }
  if (words.length === 1 && language !== "") {
    if (word === "sketch") return { ...block, role: "sketch" };
    if (word.startsWith("file=")) return { ...block, role: "file", name: word.slice("file=".length) };
    const saysSomething = lines.some((one) => one.trim() !== "…");
    if (word === "output" && saysSomething && (before?.role === "run" || before?.role === "service"))
      return { ...block, role: "output" };
  }
  throw new Error(`the fence in line ${line} does not say whether "${info}" is run, written, printed or a sketch`);
}

/** What differs from one run to the next, and how it is written when it is compared. */
const varying: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "<uuid>"],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)\b/g, "<instant>"],
  [/\b[0-9a-f]{64}\b/g, "<sha256>"],
  [/\bSHA256:[A-Za-z0-9+/]{43}/g, "<fingerprint>"],
  [/\b(?:[0-9A-F]{4} *){10}\b/g, "<fingerprint>"],
];

/**
 * Whether a document shows what a command printed: ids, instants and digests may be others, `…` is anything, on a line
 * alone any lines.
 */
export function isShown(shown: string, printed: string): boolean {
  const pattern = normal(shown)
    .split("\n")
    .map((line) =>
      line.trim() === "…"
        ? "(?:.*\\n)*?"
        : `${line
            .split("…")
            .map((part) => RegExp.escape(part))
            .join(".*")}\\n`,
    )
    .join("");
  return new RegExp(`^${pattern}$`).test(`${normal(printed)}\n`);
}

function normal(text: string): string {
  const lines = text.split("\n").map((line) => line.trimEnd());
  return varying.reduce((said, [found, name]) => said.replaceAll(found, name), lines.join("\n").trimEnd());
}
