/**
 * README.md and docs/: what they list is what there is, and each of their blocks is run somewhere or says that it is
 * not.
 */
import { access } from "node:fs/promises";
import path from "node:path";
import test from "ava";
import { knobs } from "../config/knobs.ts";
import { commands } from "../src/cli/command-line.ts";
import { errorCatalogue } from "../src/errors.ts";
import { documentNames, isShown, readBlocks, readDocument, repository } from "./documents.ts";

test("the table of errors is the catalogue", async (t) => {
  const expected = Object.entries(errorCatalogue).map(([code, entry]) => [
    `\`${code}\``,
    String(entry.status ?? "–"),
    entry.retry ? "yes" : "no",
    entry.sentence,
    entry.remedy,
  ]);
  t.deepEqual(tableUnder(await readDocument("docs/errors.md"), "| code | status |"), expected);
});

test("the README's table of commands is the command line's", async (t) => {
  const expected = Object.entries(commands).map(([name, entry]) => [`\`${name}\``, entry.summary]);
  t.deepEqual(tableUnder(await readDocument("README.md"), "| command | does |"), expected);
});

test("what the security pages call a proof is there", async (t) => {
  const least = { "docs/security.md": 20, "docs/asvs.md": 100 };
  for (const [name, proofsMin] of Object.entries(least)) {
    const named = /`(?:node )?((?:src|workers|config|migrations|fixtures|deploy|test|docs)\/[^` ]+|tsconfig\.json)`/g;
    const proofs = [...(await readDocument(name)).matchAll(named)].map(([, file = ""]) => file);
    t.true(proofs.length > proofsMin, name);
    for (const file of new Set(proofs)) await t.notThrowsAsync(access(path.join(repository, file)), `${name}: ${file}`);
  }
});

test("each line of the ASVS stands once, as met by a file that is named, met in part or not met, and all are counted", async (t) => {
  const page = await readDocument("docs/asvs.md");
  const rows = page
    .split("\n")
    .filter((line) => /^\| \d+\.\d+\.\d+ /.test(line))
    .map((line) => line.split(" | "));
  const standings = ["met", "part", "not met"];
  const counted = new Map<string, number[]>();
  for (const [line = "", , standing = "", how = "", ...more] of rows) {
    t.deepEqual([standings.includes(standing), more], [true, []], line);
    if (standing === "met") t.regex(how, /`(?:src|workers|config|test|npm run)|\]\(/, line);
    for (const chapter of [/\d+/.exec(line)?.[0] ?? "", "all"]) {
      const counts = counted.get(chapter) ?? [0, 0, 0];
      counted.set(chapter, counts.with(standings.indexOf(standing), (counts[standings.indexOf(standing)] ?? 0) + 1));
    }
  }
  t.is(new Set(rows.map(([line]) => line)).size, rows.length);
  const told = tableUnder(page, "| chapter | met | part |").map(([chapter = "", ...counts]) => [
    /^V?(\d+|all)/.exec(chapter)?.[1],
    counts.map(Number),
  ]);
  t.deepEqual(
    told,
    told.map(([chapter]) => [chapter, counted.get(String(chapter)) ?? [0, 0, 0]]),
  );
  t.is(told.length, 18, "seventeen chapters, and all");
});

test("the README is short", async (t) => {
  t.true((await readDocument("README.md")).split("\n").length <= 151, "150 lines and the last line's end");
});

test("each block of the documents says whether it is run, written, printed or a sketch", async (t) => {
  const names = await documentNames();
  t.true(names.includes("docs/bank.md"));
  for (const name of names) {
    const blocks = readBlocks(await readDocument(name));
    t.true(
      blocks.every(({ role }) => role !== "service") || name === "README.md",
      `${name} starts no service of its own`,
    );
  }
});

test("the documents name no error code, variable or page that does not exist", async (t) => {
  const codes = new Set(Object.keys(errorCatalogue));
  const ofHttpFile = [...(await readDocument("docs/partner.http")).matchAll(/process\.env\.(TIDELINE_[A-Z_]+)/g)];
  const variables = new Set([
    ...Object.values(knobs).map(({ environment }) => environment),
    ...ofHttpFile.map(([, variable = ""]) => variable),
  ]);
  for (const name of await documentNames()) {
    const text = await readDocument(name);
    for (const [, variable = ""] of text.matchAll(/\b(TIDELINE_[A-Z_]+|[A-Z]+_URL)\b/g))
      t.true(variables.has(variable) || ofTests.has(variable), `${name}: ${variable}`);
    for (const [, code = ""] of text.matchAll(/`((?:FILE|TOKEN|LOGIN|USER|LOAD|TX)_[A-Z_]+)`/g))
      t.true(codes.has(code) || ofNotifications.has(code), `${name}: ${code}`);
    for (const [, target = ""] of text.matchAll(/\]\((?!https:)([^)#]+)?(?:#[^)]*)?\)/g)) {
      if (target !== "")
        await t.notThrowsAsync(access(path.join(repository, path.dirname(name), target)), `${name}: ${target}`);
    }
  }
});

/** Of npm test itself. */
const ofTests = new Set(["TIDELINE_TEST_SEED", "TIDELINE_TEST_TIMES"]);
const ofNotifications = new Set(["USER_UPDATE_REQUIRED"]);

test("links into a page find their heading", async (t) => {
  for (const name of await documentNames()) {
    const text = await readDocument(name);
    for (const [, target, anchor = ""] of text.matchAll(/\]\((?!https:)([^)#]*)#([^)]+)\)/g)) {
      const page =
        target === "" || target === undefined ? text : await readDocument(path.join(path.dirname(name), target));
      const anchors = [...page.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
        title
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N} -]/gu, "")
          .replaceAll(" ", "-"),
      );
      t.true(anchors.includes(anchor), `${name}: #${anchor}`);
    }
  }
});

test("what proves a clone types what the documents say", async (t) => {
  t.regex(await readDocument(".ci/run"), /^within \d+ node test\/outside\/documents\.ts$/m);
});

test("a fence that does not say what it holds is not accepted", (t) => {
  const fenced = (info: string) => `Text\n\n\`\`\`${info}\nls\n\`\`\`\n`;
  t.like(readBlocks(fenced("sh"))[0], { role: "run", line: 3, text: "ls\n" });
  t.like(readBlocks(fenced("sh needs=psftp"))[0], { role: "run", name: "psftp" });
  t.like(readBlocks(fenced("sh sketch"))[0], { role: "sketch" });
  t.like(readBlocks(fenced("json file=a.json"))[0], { role: "file", name: "a.json" });
  t.like(readBlocks(fenced("sh") + fenced("text output"))[1], { role: "output" });
  for (const info of ["", "json", "text output", "bash", "sh later", "sh sketch please"])
    t.throws(() => readBlocks(fenced(info)), { message: /line 3/ }, info);
  t.throws(() => readBlocks("```sh\nls\n"), { message: /line 1/ });
  t.throws(
    () => readBlocks("```sh\nls\n```\n```text output\n…\n```\n"),
    { message: /line 4/ },
    "what anything would match",
  );
});

test("what is shown is what is printed but for ids, instants, digests and what stands for anything", (t) => {
  t.true(isShown("a\n", "a\n"));
  t.true(
    isShown(
      "id 01a203f0-b0af-7871-b7b5-22392ba51b6a at 2026-11-22T15:47:15.251Z\n",
      "id 7ab203f0-b0af-7871-b7b5-22392ba51b6a at 2026-12-01T00:00:00.001Z",
    ),
  );
  t.true(isShown("first\n…\nlast\n", "first\nsecond\nthird\nlast\n"));
  t.true(isShown("first\n…\n", "first\n"));
  t.true(isShown("size … bytes\n", "size 12 bytes  \n"));
  t.false(isShown("a\n", "b\n"));
  t.false(isShown("a\n", "a\nb\n"));
  t.false(isShown("a.c\n", "abc\n"));
  t.false(isShown("size … bytes\n", "size 12\nbytes\n"));
});

/** Cells of the rows below a table's head and its rule. */
function tableUnder(text: string, head: string): string[][] {
  const lines = text.slice(text.indexOf(head)).split("\n").slice(2);
  const end = lines.findIndex((line) => !line.startsWith("|"));
  return lines.slice(0, end < 0 ? undefined : end).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll("\\|", "|")),
  );
}
