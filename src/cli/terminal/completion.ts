/**
 * What completes commands, words, options and their values in a shell: scripts of the tables that help has, without a
 * process for each key. bash 3.2 or newer, zsh 5, fish 3.
 */
import type { OptionValue } from "./synopsis.ts";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

export type CompletionTree = {
  /** Further words by those before them; "" for the first. */
  words: ReadonlyMap<string, readonly string[]>;
  /** Options by all the words before them. */
  options: ReadonlyMap<string, ReadonlyMap<string, OptionValue>>;
  /** Of commands. */
  summaries: Readonly<Record<string, string>>;
};

export function completionFor(shell: Shell, tree: CompletionTree): string {
  if (shell === "fish") return fish(tree);
  return shell === "bash" ? bash(tree) : zsh(tree);
}

/** Words that are followed by others or by options. */
function chains({ words, options }: CompletionTree): string[] {
  return [...new Set([...words.keys(), ...options.keys()])].filter((chain) => chain !== "");
}

/** Patterns of those behind which a word is to come, no option and no file. */
function groups({ words }: CompletionTree): string {
  return [...words.keys()].map((chain) => `'${chain}'`).join("|");
}

type Cases = { choices: string[]; files: string[]; folders: string[]; values: string[]; words: string[] };

/** What bash and zsh decide by: the words so far, and with them the word before the one that is written. */
function casesOf(tree: CompletionTree): Cases {
  const cases: Cases = { choices: [], files: [], folders: [], values: [], words: [] };
  for (const [chain, options] of tree.options) {
    for (const [name, value] of options) {
      const pattern = `'${chain} ${name}'`;
      if (typeof value === "object") cases.choices.push(`${pattern}) candidates='${value.join(" ")}' ;;`);
      else if (value === "file") cases.files.push(pattern);
      else if (value === "folder") cases.folders.push(pattern);
      else if (value === "value") cases.values.push(pattern);
    }
  }
  for (const chain of ["", ...chains(tree)]) {
    const candidates = [...(tree.words.get(chain) ?? []), ...(tree.options.get(chain)?.keys() ?? [])];
    cases.words.push(`'${chain}') candidates='${candidates.join(" ")}' ;;`);
  }
  return cases;
}

const indented = (lines: readonly string[]): string => lines.map((line) => `    ${line}`).join("\n");

/** Walks the words up to the one that is written. */
const walk = (
  tree: CompletionTree,
  first: number,
  words: string,
  end: string,
): string => `  for ((at = ${first}; at < ${end}; at++)); do
    case "\${chain:+$chain }${words}" in
      ${chains(tree)
        .map((chain) => `'${chain}'`)
        .join("|")}) chain="\${chain:+$chain }${words}" ;;
    esac
  done`;

function bash(tree: CompletionTree): string {
  const { choices, files, folders, values, words } = casesOf(tree);
  return `# Completes tideline's commands: source <(tideline help --completion bash)
_tideline() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" chain="" candidates="" at
  COMPREPLY=()
${walk(tree, 1, "${COMP_WORDS[at]}", "COMP_CWORD")}
  case "$chain $before" in
${indented(choices)}
    ${files.join("|")}) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$word")); return ;;
    ${folders.join("|")}) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$word")); return ;;
    ${values.join("|")}) return ;;
  esac
  if [ -z "$candidates" ]; then
    case "$chain" in
${indented(words)}
    esac
    # What is no option is often a file.
    case "$word" in
      -*) ;;
      *) [ -n "$chain" ] && compopt -o default 2>/dev/null ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$candidates" -- "$word"))
}
complete -F _tideline tideline
`;
}

function zsh(tree: CompletionTree): string {
  const { choices, files, folders, values, words } = casesOf(tree);
  const described = Object.entries(tree.summaries).map(
    ([name, summary]) => `'${name}:${summary.replaceAll("'", "’")}'`,
  );
  return `#compdef tideline
# Completes tideline's commands: source <(tideline help --completion zsh)
_tideline() {
  local chain="" candidates="" isValue="" at before="\${words[CURRENT-1]}"
${walk(tree, 2, "${words[at]}", "CURRENT")}
  case "$chain $before" in
${indented(choices)}
    ${files.join("|")}) _files; return ;;
    ${folders.join("|")}) _files -/; return ;;
    ${values.join("|")}) return 1 ;;
  esac
  isValue=$candidates
  if [[ -z "$candidates" ]]; then
    if [[ -z "$chain" && "$PREFIX" != -* ]]; then
      local -a described
      described=(
${indented(described)}
        'help:this list, or one command'
      )
      _describe command described
      return
    fi
    case "$chain" in
${indented(words)}
    esac
  fi
  compadd -- \${(s: :)candidates}
  # What is no option is often a file, where no further word and no value is asked for.
  [[ -n "$isValue" || "$PREFIX" == -* ]] && return 0
  case "$chain" in
    ${groups(tree)}) ;;
    *) _files ;;
  esac
  return 0
}
if [[ "\${funcstack[1]}" == _tideline ]]; then _tideline "$@"; else compdef _tideline tideline; fi
`;
}

function fish(tree: CompletionTree): string {
  const at = (chain: string) => `-n '__tideline_at "${chain}"'`;
  const lines: string[] = [];
  for (const chain of ["", ...chains(tree)]) {
    for (const word of tree.words.get(chain) ?? []) {
      const summary = chain === "" ? (tree.summaries[word] ?? "") : "";
      lines.push(
        word.startsWith("--")
          ? `complete -c tideline ${at(chain)} -l ${word.slice(2)}`
          : `complete -c tideline -f ${at(chain)} -a ${word}${summary === "" ? "" : ` -d '${summary.replaceAll("'", "\\'")}'`}`,
      );
    }
    for (const [name, value] of tree.options.get(chain) ?? [])
      lines.push(`complete -c tideline ${at(chain)} -l ${name.slice(2)}${fishValue(value)}`);
  }
  return `# Completes tideline's commands: tideline help --completion fish | source
function __tideline_at
    set -l chain ""
    for word in (commandline -opc)[2..-1]
        set -l next (string trim -- "$chain $word")
        if contains -- "$next" ${chains(tree)
          .map((chain) => `"${chain}"`)
          .join(" ")}
            set chain "$next"
        end
    end
    test "$chain" = "$argv[1]"
end
${lines.join("\n")}
`;
}

function fishValue(value: OptionValue): string {
  if (value === "nothing") return "";
  if (value === "value") return " -x";
  if (value === "file") return " -r -F";
  if (value === "folder") return " -x -a '(__fish_complete_directories)'";
  return ` -x -a '${value.join(" ")}'`;
}
