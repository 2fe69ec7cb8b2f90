/** What src/README.md and docs/architecture.md say of the house, read so that it can be held against the house. */
import { leaves, rooms } from "./rooms.ts";

const begin = "<!-- rooms: written by `node test/house/write.ts` -->";
const end = "<!-- end of rooms -->";

/** The map: a row a room, from above to below, as data comes in below and is served above. */
export function roomTable(): string {
  const rows = rooms.toReversed().map(({ name, holds, standsOn }) => {
    const below = leaves.includes(name) ? "" : standsOn.map((one) => `\`${one}\``).join(" ");
    return `| ${pathOf(name)} | ${holds} | ${below} |`;
  });
  return ["| room | holds | stands on, besides the leaves |", "| --- | --- | --- |", ...rows].join("\n");
}

const besideSrc = ["config", "fixtures", "workers"];

function pathOf(name: string): string {
  const isFile = name.endsWith(".ts");
  return `\`${besideSrc.includes(name) ? "../" : ""}${name}${isFile ? "" : "/"}\`${leaves.includes(name) ? " (leaf)" : ""}`;
}

/** @throws RangeError where the page has no place for the table. */
export function tableIn(page: string): string {
  const [from, to] = bounds(page);
  return page.slice(from, to).trim();
}

export function withTable(page: string): string {
  const [from, to] = bounds(page);
  return `${page.slice(0, from)}\n${roomTable()}\n${page.slice(to)}`;
}

function bounds(page: string): [number, number] {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new RangeError("the page has no table of rooms");
  return [from + begin.length, to];
}

/** "No file but A, B and C imports D or E", or "No file but A reaches into D": into what D keeps to itself. */
export type Sentence = { sentence: string; files: string[]; does: "imports" | "reaches into"; what: string[] };

const noFileBut = /^- No file but (?<files>.+) (?<does>imports|reaches into) (?<what>.+?)\.(?: .*)?$/;

/** Every such sentence of a page. @throws RangeError for one that begins like it and cannot be read. */
export function sentencesIn(page: string): Sentence[] {
  return page
    .replaceAll(/\n {2}(?=\S)/g, " ")
    .split("\n")
    .filter((line) => line.startsWith("- No file but "))
    .map((sentence) => {
      const { files, does, what } = noFileBut.exec(sentence)?.groups ?? {};
      if (files === undefined || what === undefined) throw new RangeError(`cannot be checked: ${sentence}`);
      return {
        sentence,
        files: namesIn(files),
        does: does === "imports" ? does : "reaches into",
        what: namesIn(what),
      };
    });
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? "");
}
