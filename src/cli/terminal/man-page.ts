/** The manual's page, tideline(1), of the same texts as help: roff with the macros of man(7). */

type Chapter = { name: string; summary: string; usage: string };

export function manPage(overview: string, chapters: readonly Chapter[]): string {
  return [
    '.TH TIDELINE 1 "" "Tideline" "Tideline\'s commands"',
    ".SH NAME",
    "tideline \\- lands encrypted batches of bank transactions, loads them once, and serves recurring payments and budgets",
    ".SH SYNOPSIS",
    ".B tideline",
    "COMMAND [OPTIONS]",
    ".SH OVERVIEW",
    asItIs(overview),
    ...chapters.flatMap(({ name, summary, usage }) => [
      `.SH ${name.toUpperCase()}`,
      escaped(`${summary}.`),
      ".PP",
      asItIs(usage),
    ]),
    "",
  ].join("\n");
}

/** Lines and columns as they are. */
function asItIs(text: string): string {
  return [".nf", ...text.split("\n").map(escaped), ".fi"].join("\n");
}

/** A backslash, a dash that is to be copied, what is not ASCII, and what a line must not begin with. */
function escaped(line: string): string {
  const plain = line
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/[^ -~]/gu, (one) => `\\[u${one.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}]`);
  return /^[.']/.test(plain) ? `\\&${plain}` : plain;
}
