/** Every command has its help, mistakes are one line with an exit code, and check-config tells all but secrets. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import test from "ava";
import { commands } from "../../src/cli/command-line.ts";
import { faultOfSystem } from "../../src/cli/terminal/failure.ts";
import { openCommandLine } from "./command.ts";

test("help lists every command, the exit codes, and each command's options", async (t) => {
  const { tideline } = await openCommandLine(t);
  const overview = await tideline("help");
  t.is(overview.code, 0);
  for (const [name, { summary }] of Object.entries(commands))
    t.regex(overview.stdout, new RegExp(`^ +${name} +${summary.replace(/[()]/g, ".")}$`, "m"));
  t.regex(overview.stdout, /0 done, 1 failed, 2 not understood, 3 done but something was refused/);
  t.is((await tideline()).stdout, overview.stdout);
  t.regex((await tideline("send", "--help")).stdout, /--create-users/);
  t.is((await tideline("help", "send")).stdout, (await tideline("send", "--help")).stdout);
});

test("a mistyped command is answered with the one that was probably meant", async (t) => {
  const { tideline } = await openCommandLine(t);
  const { code, stderr } = await tideline("satus");
  t.is(code, 2);
  t.regex(stderr, /There is no command "satus"\. Did you mean "status"\?/);
});

test("a group without a word says which it has, and a mistyped word or option is guessed", async (t) => {
  const { tideline } = await openCommandLine(t);
  const said = async (...parameters: string[]) =>
    (await tideline(...parameters)).stderr.replace(/^tideline: COMMAND_USAGE: /, "");
  t.is(
    await said("user"),
    "tideline user goes on with one of list, show, recognised, budget, create, delete, erase. See tideline help.\n",
  );
  t.regex(await said("user", "lst"), /There is no "tideline user lst"; .* Did you mean "list"\?/);
  t.regex(await said("database", "reader", "ad"), /Did you mean "add"\?/);
  t.regex(await said("status", "--stat", "loaded"), /Unknown option '--stat'\. Did you mean "--state"\?/);
});

test("all help at once, a man page, and completion come of the same texts", async (t) => {
  const { tideline } = await openCommandLine(t);
  const all = (await tideline("help", "--all")).stdout;
  for (const name of Object.keys(commands)) t.true(all.includes(`\ntideline ${name}: `), name);
  t.regex((await tideline("help", "--man")).stdout, /^\.TH TIDELINE 1 [\s\S]*^\.SH WITHDRAW$/m);
  t.regex((await tideline("help", "--completion", "bash")).stdout, /complete -F _tideline tideline\n$/);
  t.is((await tideline("help", "--completion", "tcsh")).code, 2);
});

test("every command brings its own help", async (t) => {
  for (const [name, { load }] of Object.entries(commands)) {
    const { usage, run } = await load();
    t.true(usage.includes(`tideline ${name}`), name);
    t.is(typeof run, "function");
  }
});

test("what is not understood is one line and exit code 2", async (t) => {
  const { tideline } = await openCommandLine(t);
  for (const parameters of [
    ["nonsense"],
    ["toString"],
    ["status", "--nonsense"],
    ["send"],
    ["partner", "nonsense"],
    ["send", "f", "--via", "pigeon"],
    ["retry"],
    ["recognise"],
    ["categorise"],
    ["categorise", "FILE", "--country", "Denmark"],
    ["fixtures"],
  ]) {
    const { code, stdout, stderr } = await tideline(...parameters);
    t.is(code, 2, parameters.join(" "));
    t.is(stdout, "");
    t.regex(stderr, /^tideline: COMMAND_USAGE: [^\n]+\n$/);
  }
});

test("a fault of the world is one line and exit code 1", async (t) => {
  const { tideline } = await openCommandLine(t, "postgres://nobody@127.0.0.1:1/nothing");
  const { code, stderr } = await tideline("status");
  t.is(code, 1);
  t.regex(stderr, /^tideline: POSTGRES_UNREACHABLE: [^\n]+\n$/);
});

test("under --json a failure is one JSON document on standard error, and standard output stays empty", async (t) => {
  const { tideline } = await openCommandLine(t, "postgres://nobody@127.0.0.1:1/nothing");
  const failed = await tideline("status", "--json");
  t.deepEqual([failed.code, failed.stdout], [1, ""]);
  const { error } = JSON.parse(failed.stderr) as { error: Record<string, unknown> };
  t.like(error, { code: "POSTGRES_UNREACHABLE", exitCode: 1 });
  t.true(typeof error.message === "string" && typeof error.remedy === "string");
  const mistyped = await tideline("status", "--json", "--nonsense");
  t.is(mistyped.code, 2);
  t.deepEqual(JSON.parse(mistyped.stderr), {
    error: {
      code: "COMMAND_USAGE",
      message: "Unknown option '--nonsense'.",
      remedy: "See tideline help.",
      retry: false,
      exitCode: 2,
    },
  });
});

test("check-config prints every setting and every problem at once, never a secret", async (t) => {
  const { tideline } = await openCommandLine(t, "postgres://user:geheim@127.0.0.1/db");
  const good = await tideline("check-config");
  t.is(good.code, 0);
  t.regex(good.stdout, /TIDELINE_HTTPS_PORT +--https-port +port +8443 +8443 +The usual unprivileged HTTPS port/);
  t.notRegex(good.stdout, /geheim/);
  t.regex(good.stdout, /No problems/);
});

test("check-config with problems exits 1 and names each", async (t) => {
  const { tideline } = await openCommandLine(t, "mysql://x");
  const { code, stdout } = await tideline("check-config", "--json");
  t.is(code, 1);
  const { problems, settings } = JSON.parse(stdout) as {
    problems: string[];
    settings: { variable: string; value: string }[];
  };
  t.is(problems.length, 1);
  t.regex(problems[0] ?? "", /^DATABASE_URL must be an address/);
  t.is(settings.find((one) => one.variable === "DATABASE_URL")?.value, "-");
});

const testOnLinux = process.platform === "linux" ? test : test.skip;

testOnLinux("a disk that is full is the operator's to see to, and no bug", async (t) => {
  const error = await t.throwsAsync(writeFile("/dev/full", "x"));
  t.like(faultOfSystem(error), {
    code: "FILE_UNUSABLE",
    message: "An open file cannot be used (write: ENOSPC).",
    cause: error,
  });
});

test("a folder that is read-only or not ours to use is the operator's to see to; what else fails stays a bug", (t) => {
  const failed = (code: string, place: object) => faultOfSystem(Object.assign(new Error(code), { code, ...place }));
  const place = { path: "/data/key-encryption-key", syscall: "open" };
  for (const code of ["EROFS", "EACCES", "EPERM"])
    t.like(failed(code, place), {
      code: "FILE_UNUSABLE",
      message: `/data/key-encryption-key cannot be used (open: ${code}).`,
    });
  t.is(failed("EACCES", { syscall: "listen", port: 443 }), null);
  t.is(failed("ENOENT", place), null);
  t.is(faultOfSystem(new TypeError("undefined is not a function")), null);
  t.is(faultOfSystem("text"), null);
});

test("a file that is named on the command line and not there is wrong usage, and any other stays a bug", (t) => {
  const failed = (code: string, file: string, ...words: string[]) =>
    faultOfSystem(Object.assign(new Error(code), { code, path: file, syscall: "open" }), words);
  const missing = {
    code: "COMMAND_USAGE",
    message: "/no/rows.csv.resume cannot be used: there is no such file or folder.",
  };
  t.like(failed("ENOENT", "/no/rows.csv.resume", "export", "--to", "/no/rows.csv"), missing);
  t.like(failed("ENOENT", "/no/rows.csv.resume", "export", "--to=/no/rows.csv"), missing);
  t.like(failed("EISDIR", "/etc", "check", "/etc"), { message: "/etc cannot be used: it is a folder." });
  t.is(failed("ENOENT", "/data/tls/ca.pem", "export", "--to", "/no/rows.csv", "--seal="), null);
  t.is(failed("ENOENT", path.resolve("config/rates.csv"), "rates", "list"), null);
});

test("recognise over what is no file of records is one line that names the place", async (t) => {
  const { tideline } = await openCommandLine(t);
  const { code, stderr } = await tideline("recognise", new URL("../../LICENSE", import.meta.url).pathname);
  t.is(code, 1);
  t.regex(stderr, /^tideline: SOURCE_INVALID: \S+\/LICENSE, line 2 is not JSON\. Correct the place .*\n$/);
});

test("recognise over a file that is not there says so, whatever it is called", async (t) => {
  const { tideline } = await openCommandLine(t);
  for (const name of ["none.csv", "none.csv.gz", "none.jsonl"]) {
    const { code, stderr } = await tideline("recognise", `/nowhere/${name}`);
    t.is(code, 1);
    t.regex(stderr, new RegExp(`^tideline: SOURCE_INVALID: /nowhere/${name} cannot be read \\(ENOENT.*\\n$`));
  }
});
