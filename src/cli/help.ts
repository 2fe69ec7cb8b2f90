/** What helps at the command line: the overview, each command's usage, all of it, a man page, completion, and guesses. */
import { Fault } from "../errors.ts";
import { completionFor, type CompletionTree, shells } from "./terminal/completion.ts";
import { exitCode } from "./terminal/exit-code.ts";
import { columnsOf, fitText } from "./terminal/fit.ts";
import { nearest } from "./terminal/near.ts";
import { alignColumns } from "./terminal/result.ts";
import { manPage } from "./terminal/man-page.ts";
import { nextWords, type Synopsis, synopsesOf } from "./terminal/synopsis.ts";

export type CommandTable = Readonly<Record<string, { summary: string; load(): Promise<{ usage: string }> }>>;

/** What `tideline help` takes beside a command's name. */
const helpOptions = ["--all", "--man", "--completion"] as const;

export async function help(commands: CommandTable, argv: readonly string[]): Promise<number> {
  const [what, shell] = argv;
  if (what === "--all") say(await everything(commands));
  else if (what === "--man") process.stdout.write(manPage(overview(commands), await usages(commands)));
  else if (what === "--completion") process.stdout.write(await completion(commands, shell));
  else if (what === undefined) say(overview(commands));
  else if (what.startsWith("-"))
    throw new Fault("COMMAND_USAGE", `tideline help takes a command or ${helpOptions.join(", ")}, not "${what}".`);
  else say(await one(commands, what));
  return exitCode.done;
}

function say(text: string): void {
  process.stdout.write(`${fitText(text, columnsOf(process.stdout))}\n`);
}

/** @throws Fault COMMAND_USAGE, with what may have been meant */
export function assertKnown(commands: CommandTable, name: string): void {
  if (Object.hasOwn(commands, name)) return;
  throw new Fault("COMMAND_USAGE", `There is no command "${name}".${didYouMean(name, Object.keys(commands))}`);
}

function didYouMean(name: string, names: readonly string[]): string {
  const meant = nearest(name, names);
  return meant === null ? "" : ` Did you mean "${meant}"?`;
}

async function one(commands: CommandTable, name: string): Promise<string> {
  assertKnown(commands, name);
  const entry = commands[name];
  return `tideline ${name}: ${entry?.summary ?? ""}\n\n${(await entry?.load())?.usage.trim() ?? ""}`;
}

async function everything(commands: CommandTable): Promise<string> {
  const each = await Promise.all(Object.keys(commands).map((name) => one(commands, name)));
  return [overview(commands), ...each].join("\n\n");
}

async function usages(commands: CommandTable): Promise<{ name: string; summary: string; usage: string }[]> {
  const named = Object.entries(commands);
  return await Promise.all(
    named.map(async ([name, { summary, load }]) => ({ name, summary, usage: (await load()).usage.trim() })),
  );
}

async function completion(commands: CommandTable, shell: string | undefined): Promise<string> {
  const wanted = shells.find((known) => known === shell);
  if (wanted === undefined)
    throw new Fault("COMMAND_USAGE", `--completion is for ${shells.join(", ")}, not "${shell ?? ""}".`);
  return completionFor(wanted, await completionTree(commands));
}

/** All words and options there are, by what stands before them. */
export async function completionTree(commands: CommandTable): Promise<CompletionTree> {
  const synopses = (await usages(commands)).flatMap(({ name, usage }) => synopsesOf(name, usage));
  const words = nextWords(synopses);
  words.set("", [...Object.keys(commands), "help", "--help", "--version"]);
  words.set("help", [...Object.keys(commands), ...helpOptions]);
  const options = new Map(synopses.map((synopsis) => [synopsis.words, synopsis.options]));
  const choices = new Map([["--completion", shells]]);
  return {
    words,
    options: new Map([...options, ["help", choices]]),
    summaries: Object.fromEntries(Object.entries(commands).map(([name, { summary }]) => [name, summary])),
  };
}

function overview(commands: CommandTable): string {
  const rows = Object.entries(commands).map(([name, entry]) => [`  ${name}`, entry.summary]);
  return [
    "tideline COMMAND [OPTIONS]",
    "",
    ...alignColumns([
      ...rows,
      ["  help [COMMAND]", "this list, or one command's options; --all prints all, --man a man page"],
      ["  help --completion SHELL", "what completes commands in bash, zsh or fish"],
      ["  --version", "of Tideline"],
    ]),
    "",
    "Results go to standard output, progress and problems to standard error; --json prints one JSON document, and a failure as one, { error: … }, on standard error.",
    `Exit codes: ${exitCode.done} done, ${exitCode.failed} failed, ${exitCode.usage} not understood, ${exitCode.refused} done but something was refused, ${exitCode.interrupted} stopped by Ctrl-C.`,
  ].join("\n");
}

/**
 * Of a command that is only called with further words: its usage where none was given, what may have been meant where there
 * is no such one. @throws Fault COMMAND_USAGE
 */
export function assertWords(command: string, usage: string, argv: readonly string[]): void {
  const synopses = synopsesOf(command, usage);
  if (synopses.length === 0 || synopses.some(({ words }) => words === command)) return;
  const next = nextWords(synopses);
  let before = command;
  for (const word of argv) {
    const known = next.get(before);
    if (known === undefined) return;
    if (word.startsWith("-")) return;
    if (!known.includes(word)) {
      const there = `there ${known.length === 1 ? "is" : "are"} ${known.join(", ")}.`;
      throw new Fault("COMMAND_USAGE", `There is no "tideline ${before} ${word}"; ${there}${didYouMean(word, known)}`);
    }
    before = `${before} ${word}`;
  }
  const known = next.get(before);
  if (known !== undefined)
    throw new Fault("COMMAND_USAGE", `tideline ${before} goes on with one of ${known.join(", ")}.`);
}

/** What to add to a message about an unknown option: the one that was probably meant, of that way to call the command. */
export function optionMeant(command: string, usage: string, argv: readonly string[], message: string): string {
  const [, given] = /^Unknown option '(--?[^']+)'/.exec(message) ?? [];
  if (given === undefined) return "";
  const line = [command, ...argv].join(" ");
  const fitting = synopsesOf(command, usage).filter(({ words }) => line === words || line.startsWith(`${words} `));
  const longest = Math.max(0, ...fitting.map(({ words }) => words.length));
  const options = fitting
    .filter(({ words }) => words.length === longest)
    .flatMap((one: Synopsis) => [...one.options.keys()]);
  return didYouMean(given, options);
}
