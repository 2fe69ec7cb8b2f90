/**
 * The command line: the table of commands, help, and what a failure looks like. Commands are loaded when they are
 * called.
 */
import { Fault } from "../errors.ts";
import { assertKnown, assertWords, help, optionMeant } from "./help.ts";
import { announceCommand } from "./service/command-audit.ts";
import { exitCode } from "./terminal/exit-code.ts";
import { report } from "./terminal/failure.ts";

export type CommandModule = {
  /** @returns the process's exit code. */
  run(argv: string[]): Promise<number>;
  /** Synopsis and options, printed by `tideline help COMMAND`. */
  usage: string;
};

type CommandEntry = {
  /** One line, without a full stop. */
  summary: string;
  load(): Promise<CommandModule>;
};

/** Loaded on demand: a command that needs no database starts without its driver. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  up: {
    summary: "runs the service: HTTPS API, SFTP door, workers, scheduler, database",
    load: () => import("./service/up.ts"),
  },
  migrate: { summary: "applies the database migrations", load: () => import("./service/migrate.ts") },
  "check-config": {
    summary: "prints every setting in force, and every problem at once",
    load: () => import("./service/check-config.ts"),
  },
  partner: {
    summary: "onboards, changes and removes partners: brands, keys, networks, settings",
    load: () => import("./partner/partner.ts"),
  },
  check: {
    summary: "what is wrong with a table or statements, told before they are encrypted and sent; needs no keys",
    load: () => import("./sending/check.ts"),
  },
  send: {
    summary: "the partner's side: encrypts transactions and sends them over HTTPS or SFTP",
    load: () => import("./sending/send.ts"),
  },
  backfill: {
    summary: "replays a folder, file or generated population; can be stopped and resumed",
    load: () => import("./sending/backfill.ts"),
  },
  status: {
    summary: "what landed, what is waiting, what was refused and why",
    load: () => import("./deliveries/status.ts"),
  },
  retry: {
    summary: "loads deliveries again whose loading was given up or called off",
    load: () => import("./deliveries/retry.ts"),
  },
  cancel: {
    summary: "calls off the loading of a delivery, which retry goes on with and withdraw undoes",
    load: () => import("./deliveries/cancel.ts"),
  },
  database: {
    summary: "logins that read a partner's views; the service's login roles on a PostgreSQL of one's own",
    load: () => import("./service/database.ts"),
  },
  rates: {
    summary: "loads exchange rates from the European Central Bank's files; tells how old they are",
    load: () => import("./service/rates.ts"),
  },
  audit: {
    summary: "who logged in, uploaded, removed, was refused; who changed what about a partner",
    load: () => import("./service/audit.ts"),
  },
  console: {
    summary: "who may sign in to the operators' console: tokens, one a person, with their roles",
    load: () => import("./service/console.ts"),
  },
  approvals: {
    summary: "what needs a second operator, what waits for one, and saying yes or no to it",
    load: () => import("./service/approvals.ts"),
  },
  retention: {
    summary: "removes what is past its age, deleted users too, or says what would go",
    load: () => import("./deliveries/retention.ts"),
  },
  backup: {
    summary: "makes, lists and verifies backups; takes up again what a restored database has forgotten",
    load: () => import("./service/backup.ts"),
  },
  restore: {
    summary: "puts a backup into an empty data folder, up to a moment where changes were kept",
    load: () => import("./service/restore.ts"),
  },
  user: {
    summary: "lists, shows, creates, deletes and erases a partner's users",
    load: () => import("./users/user.ts"),
  },
  export: {
    summary: "everything held about one user; or rows of all users as CSV, JSON Lines or Parquet",
    load: () => import("./users/export.ts"),
  },
  tokens: {
    summary: "ends the tokens of a user, or of all users of a partner, before their hour is over",
    load: () => import("./users/tokens.ts"),
  },
  "host-keys": {
    summary: "changes the SFTP door's host keys without a client noticing",
    load: () => import("./service/host-keys.ts"),
  },
  keys: {
    summary: "changes the key-encryption key under which secrets lie in the database, and the key that signs tokens",
    load: () => import("./service/keys.ts"),
  },
  quarantine: {
    summary: "what was refused or waits, and letting it in after a fix",
    load: () => import("./deliveries/quarantine.ts"),
  },
  withdraw: {
    summary: "takes a wrongly sent batch or file back out of the ledger",
    load: () => import("./deliveries/withdraw.ts"),
  },
  recognise: {
    summary: "recognises recurring payments again, or those of a file without a database",
    load: () => import("./recognition/recognise.ts"),
  },
  categorise: {
    summary: "says what the payments of a file were for, without a database",
    load: () => import("./recognition/categorise.ts"),
  },
  explain: {
    summary: "why a payment is recognised as recurring, or why not",
    load: () => import("./recognition/explain.ts"),
  },
  plot: {
    summary: "draws a user, a service or an evaluated population as SVG",
    load: () => import("./recognition/plot.ts"),
  },
  cancellation: {
    summary: "opens, asks, confirms and aborts cancellations of users' services",
    load: () => import("./recognition/cancellation.ts"),
  },
  catalogue: {
    summary: "the products known beforehand: lists them, adds, changes, takes away, and tells who did",
    load: () => import("./recognition/catalogue.ts"),
  },
  crowdsourcing: {
    summary: "lists the payees that users call subscriptions, by counts",
    load: () => import("./recognition/crowdsourcing.ts"),
  },
  notifications: {
    summary: "where partners receive notifications; what was sent, waits or was given up; a receiver to try",
    load: () => import("./users/notifications.ts"),
  },
  "notify-test": {
    summary: "sends a user a test notification through the real path",
    load: () => import("./users/notify-test.ts"),
  },
  "webhook-inbox": {
    summary: "a partner's developer's inbox: shows and checks notifications, passes them on, sends them again",
    load: () => import("./users/webhook-inbox.ts"),
  },
  psd2: { summary: "banks that users can connect, and the consents they gave", load: () => import("./users/psd2.ts") },
  evaluate: {
    summary: "scores recognition on a labelled set or a generated population, with a drawn report",
    load: () => import("./recognition/evaluate.ts"),
  },
  fixtures: {
    summary: "generates a deterministic household population with its truth",
    load: () => import("./sending/fixtures-generate.ts"),
  },
};

/** Runs one command and sets the process's exit code. Never throws. */
export async function runCommandLine(argv: string[]): Promise<void> {
  // A service outlives whoever watched it, and stops only when it is told to.
  if (argv[0] === "up") process.stdout.on("error", () => undefined);
  else endQuietlyWithoutReader();
  try {
    process.exitCode = await dispatch(argv);
  } catch (error) {
    process.exitCode = report(error, argv.includes("--json"));
  }
}

async function dispatch(argv: string[]): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") return await help(commands, rest);
  if (name === "--version" || name === "-v") return await version();
  assertKnown(commands, name);
  if (rest.includes("--help") || rest.includes("-h")) return await help(commands, [name]);
  const command = await (commands[name] as CommandEntry).load();
  announceCommand(argv);
  try {
    return await command.run(rest);
  } catch (error) {
    // Only of what the command itself has not taken: some do without a word, or with one that stands behind options.
    if (isUsageError(error) || (error instanceof Fault && error.code === "COMMAND_USAGE"))
      assertWords(name, command.usage, rest);
    if (!isUsageError(error)) throw error;
    const meant = optionMeant(name, command.usage, rest, error.message);
    throw new Fault("COMMAND_USAGE", `${error.message.split(/\.\s/)[0]}.${meant}`, { cause: error });
  }
}

async function version(): Promise<number> {
  const { packageVersion } = await import("../database/database.ts");
  process.stdout.write(`${await packageVersion()}\n`);
  return exitCode.done;
}

/** What node:util's parseArgs throws. */
function isUsageError(error: unknown): error is Error {
  return error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}

/** `tideline status | head` closes the pipe early, which is no failure. */
function endQuietlyWithoutReader(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // EIO: the terminal was closed.
    if (error.code === "EPIPE" || error.code === "EIO") process.exit(exitCode.done);
    throw error;
  });
}
