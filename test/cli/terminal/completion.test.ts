/** bash completes commands, words, options and values; zsh and fish are driven by test/outside/completion.ts. */
import { execFileSync } from "node:child_process";
import test from "ava";
import { commands } from "../../../src/cli/command-line.ts";
import { completionTree } from "../../../src/cli/help.ts";
import { completionFor } from "../../../src/cli/terminal/completion.ts";

test("bash offers what may stand next", async (t) => {
  const script = completionFor("bash", await completionTree(commands));
  const offered = (...words: string[]) => {
    const asked = `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tideline 2>/dev/null; echo "\${COMPREPLY[*]}"`;
    return execFileSync("bash", ["--norc", "-c", asked, "bash", ...words], { encoding: "utf8" }).trim();
  };
  t.is(offered("tideline", "sta"), "status");
  t.is(offered("tideline", "user", ""), "list show recognised budget create delete erase");
  t.is(offered("tideline", "status", "--door", ""), "https sftp direct");
  t.is(offered("tideline", "status", "--st"), "--state");
  t.is(offered("tideline", "status", "--limit", ""), "");
});

test("every command is known to it, with an option or a word", async (t) => {
  const { words, options } = await completionTree(commands);
  for (const name of Object.keys(commands)) t.true(words.has(name) || options.has(name), name);
});
