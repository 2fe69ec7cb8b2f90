/**
 * What a command takes, read from its own usage: the lines that begin with `tideline NAME`, and those below them that go on
 * with options. Help, completion and guesses at what was meant have it from there, so that none of them can say otherwise.
 */

/** choices: the values there are; file and folder: a path; value: anything; nothing: a flag. */
export type OptionValue = "nothing" | "value" | "file" | "folder" | readonly string[];

/** What stands behind some words of a command line. */
export type Synopsis = {
  /** Such as "user list"; of a command without further words its name. */
  words: string;
  /** By name, with its dashes. */
  options: ReadonlyMap<string, OptionValue>;
};

/** One for each way to call the command, in the usage's order; ways of the same words together. */
export function synopsesOf(command: string, usage: string): Synopsis[] {
  const found = new Map<string, Map<string, OptionValue>>();
  const everywhere = optionsIn(/\bEach takes ([^.]*)\./.exec(usage)?.[1] ?? "");
  for (const line of joinedLines(usage)) {
    for (const words of wordsOf(line)) {
      // Usage that tells of another command, too.
      if (words.split(" ")[0] !== command) continue;
      const options = found.get(words) ?? new Map<string, OptionValue>(everywhere);
      for (const [name, value] of optionsIn(line)) options.set(name, value);
      found.set(words, options);
    }
  }
  return [...found].map(([words, options]) => ({ words, options }));
}

/** Each call on one line, with what further lines add to it. */
function joinedLines(usage: string): string[] {
  const lines: string[] = [];
  let isOpen = false;
  for (const line of usage.trim().split("\n")) {
    if (line.startsWith("tideline ")) {
      lines.push(line.slice("tideline ".length));
      isOpen = true;
    } else if (isOpen && /^ {6,}(?:each: )?(?:\[|\(|\||-)/.test(line)) {
      lines.push(`${lines.pop() ?? ""} ${line.trim()}`);
    } else {
      isOpen = false;
    }
  }
  return lines;
}

const word = /^[a-z][a-z0-9-]*$/;

/** "receiver show|remove P" and "show | confirm ID" are two ways each. */
function wordsOf(line: string): string[] {
  let ways = [[] as string[]];
  for (const part of line.replaceAll(" | ", "|").split(" ")) {
    const alternatives = part.replace(/,$/, "").split("|");
    if (!alternatives.every((one) => word.test(one))) break;
    ways = ways.flatMap((way) => alternatives.map((one) => [...way, one]));
    if (part.endsWith(",")) break;
  }
  return ways.map((way) => way.join(" "));
}

function optionsIn(line: string): Map<string, OptionValue> {
  const options = new Map<string, OptionValue>();
  // One behind a bar has the value of the next: --users|--services FILE.
  for (const [, name = "", value = ""] of line.matchAll(
    /(?<![\w-])(--[a-z][a-z0-9-]*)(?: (?![-[(|]|and\b|or\b)([^\s\])]+))?/g,
  ))
    if (!options.has(name) || value !== "") options.set(name, valueOf(value.replace(/[,.…]+$/, "")));
  return options;
}

function valueOf(text: string): OptionValue {
  if (text === "") return "nothing";
  const choices = text.split("|");
  if (choices.length > 1 && choices.every((one) => /^[a-z0-9][a-z0-9_.-]*$/.test(one))) return choices;
  if (/\bDIR\b/.test(text)) return "folder";
  return /FILE|\.asc|\.pem|\.html|\.json/.test(text) ? "file" : "value";
}

/** Every word that leads somewhere, with the words behind it: "user" has "list" and others. */
export function nextWords(synopses: readonly Synopsis[]): Map<string, string[]> {
  const next = new Map<string, string[]>();
  for (const { words } of synopses) {
    const parts = words.split(" ");
    for (let length = 1; length < parts.length; length += 1) {
      const before = parts.slice(0, length).join(" ");
      const known = next.get(before) ?? [];
      const following = parts[length] ?? "";
      if (!known.includes(following)) known.push(following);
      next.set(before, known);
    }
  }
  return next;
}
