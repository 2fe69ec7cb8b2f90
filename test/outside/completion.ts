/**
 * Has real shells complete tideline's commands, as for a person who presses Tab:
 *
 *   node test/outside/completion.ts [bash zsh fish]
 *
 * fish is asked by `complete -C`; bash and zsh run the function that Tab calls, with the line's words as the shell sets them
 * for it. Of what zsh's function adds, what begins as typed is taken here, as zsh's own compadd does.
 */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { commands } from "../../src/cli/command-line.ts";
import { completionTree } from "../../src/cli/help.ts";
import { completionFor, type Shell, shells } from "../../src/cli/terminal/completion.ts";

/** What is typed before Tab, and what is offered then: in alphabetical order, whatever a shell's own is. */
const expected: readonly (readonly [typed: string, offered: readonly string[]])[] = [
  ["tideline sta", ["status"]],
  ["tideline user ", ["budget", "create", "delete", "erase", "list", "recognised", "show"]],
  ["tideline notifications receiver s", ["set", "show"]],
  ["tideline status --door ", ["direct", "https", "sftp"]],
  ["tideline status --st", ["--state"]],
  ["tideline export --follow", ["--follow", "--followers"]],
  ["tideline help --completion ", ["bash", "fish", "zsh"]],
];

/** Words from bash's function, called with what was typed. */
function askBash(script: string, typed: string): string[] {
  const program = `source "$1"; COMP_WORDS=($2); [[ "$2" == *" " ]] && COMP_WORDS+=("")
    COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _tideline 2>/dev/null; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return wordsOf(execFileSync("bash", ["--norc", "-c", program, "bash", script, typed], { encoding: "utf8" }));
}

function askFish(script: string, typed: string): string[] {
  const program = "source $argv[1]; complete -C $argv[2]";
  const answer = execFileSync("fish", ["--no-config", "-c", program, script, typed], { encoding: "utf8" });
  // Behind a tab stands what it is.
  return wordsOf(answer.replaceAll(/\t.*$/gm, ""));
}

/** zsh runs the function; what it would offer is printed instead, of which zsh itself takes what fits. */
function askZsh(script: string, typed: string): string[] {
  const program = `
    compdef() { :; }; _files() { print -r -- "<files>"; }
    compadd() { shift; print -rl -- "\${(@M)@:#$PREFIX*}"; }
    _describe() { local one; for one in "\${(@P)2}"; do [[ $one == $PREFIX* ]] && print -r -- "\${one%%:*}"; done; true; }
    source $1
    words=(\${=2}); [[ $2 == *" " ]] && words+=("")
    CURRENT=$#words PREFIX=$words[-1]
    _tideline`;
  return wordsOf(execFileSync("zsh", ["-f", "-c", program, "zsh", script, typed], { encoding: "utf8" }));
}

function wordsOf(text: string): string[] {
  return text.split("\n").filter((word) => word !== "");
}

function isInstalled(shell: Shell): boolean {
  return spawnSync(shell, ["-c", "true"], { stdio: "ignore" }).error === undefined;
}

const askers: Readonly<Record<Shell, (script: string, typed: string) => string[]>> = {
  bash: askBash,
  zsh: askZsh,
  fish: askFish,
};

const folder = await mkdtemp(path.join(tmpdir(), "tideline-completion-"));
try {
  const wanted = process.argv.length > 2 ? shells.filter((shell) => process.argv.includes(shell)) : shells;
  const tree = await completionTree(commands);
  for (const shell of wanted) {
    const script = path.join(folder, `tideline.${shell}`);
    await writeFile(script, completionFor(shell, tree));
    if (!isInstalled(shell)) {
      console.log(`SKIPPED: there is no ${shell} here`);
      continue;
    }
    for (const [typed, offered] of expected)
      assert.deepEqual(askers[shell](script, typed).toSorted(), offered, `${shell}: ${typed}`);
    console.log(`${shell}: ${expected.length} lines completed`);
  }
} finally {
  await rm(folder, { recursive: true });
}
