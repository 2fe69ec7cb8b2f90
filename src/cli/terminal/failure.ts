/** What a failure looks like, in a terminal, in a file and to a program. */
import { resolve } from "node:path";
import { errorCatalogue, Fault } from "../../errors.ts";
import { exitCode } from "./exit-code.ts";
import { columnsOf, fitText } from "./fit.ts";

/**
 * Says on standard error why a command failed. Faults are the world's doing and take one line; anything else is a bug and
 * shows where it was. @returns the process's exit code
 */
export function report(error: unknown, asJson: boolean): number {
  const told = describeFailure(error);
  process.stderr.write(
    asJson ? `${JSON.stringify({ error: told })}\n` : `${fitText(lineOf(told), columnsOf(process.stderr))}\n`,
  );
  return told.exitCode;
}

/** What --json prints on standard error, as one line. */
type Failure = {
  code: string;
  message: string;
  /** Null where only its programmers know. */
  remedy: string | null;
  /** Whether the same command can succeed later without anyone changing anything. */
  retry: boolean;
  exitCode: number;
};

function describeFailure(error: unknown): Failure {
  const fault = faultOf(error);
  if (fault !== null) {
    const { code, message, retry } = fault;
    const { remedy } = errorCatalogue[code];
    return { code, message, remedy, retry, exitCode: code === "COMMAND_USAGE" ? exitCode.usage : exitCode.failed };
  }
  if (error instanceof Error && error.name === "AbortError")
    return { code: "STOPPED", message: "stopped.", remedy: null, retry: true, exitCode: exitCode.interrupted };
  const message = `this is a bug: ${error instanceof Error ? error.stack : String(error)}`;
  return { code: "BUG", message, remedy: null, retry: false, exitCode: exitCode.failed };
}

function faultOf(error: unknown): Fault | null {
  if (error instanceof Fault) return error;
  return faultOfSystem(error);
}

function lineOf({ code, message, remedy }: Failure): string {
  return remedy === null ? `tideline: ${message}` : `tideline: ${code}: ${message} ${remedy}`;
}

/** What a machine's operator decides, wherever it is met: rights, mounts, and room on disks. */
const operatorsCodes: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT"]);

/** What a name on the command line may turn out to be. */
const namesOfNothing: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  ENOTDIR: "what it lies in is no folder",
  EISDIR: "it is a folder",
};

/** Null for what is no file or folder that the system refuses. @param words of the command line */
export function faultOfSystem(error: unknown, words: readonly string[] = process.argv.slice(2)): Fault | null {
  if (!(error instanceof Error)) return null;
  const { code = "", path, syscall = "use" }: NodeJS.ErrnoException = error;
  const what = namesOfNothing[code];
  if (what !== undefined && path !== undefined && isNamed(path, words))
    return new Fault("COMMAND_USAGE", `${path} cannot be used: ${what}.`, { cause: error });
  // A port that may not be listened on is EACCES too, and has no path; a write to an open file has none either.
  if (!operatorsCodes.has(code) || (path === undefined && code !== "ENOSPC" && code !== "EROFS")) return null;
  return new Fault("FILE_UNUSABLE", `${path ?? "An open file"} cannot be used (${syscall}: ${code}).`, {
    cause: error,
  });
}

/** Whether the file is one of them, or is written beside it under a name that begins with it. Others are ours to know. */
function isNamed(file: string, words: readonly string[]): boolean {
  const named = words.map((word) => (word.startsWith("--") ? word.slice(word.indexOf("=") + 1) : word));
  return named.some((word) => word !== "" && resolve(file).startsWith(resolve(word)));
}
