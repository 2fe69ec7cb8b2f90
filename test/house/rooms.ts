/**
 * The plan of the house: its rooms from below to above, what each holds, and on which others it stands. What
 * `house.test.ts` holds the imports against, and what the map in docs/architecture.md is written from (`write.ts`).
 */

export type Room = {
  /** Its folder or file below src/; the first four and `workers` lie beside src/. */
  name: string;
  holds: string;
  /** The rooms that it imports from besides the leaves: types included, none above it in this list, none without need. */
  standsOn: readonly string[];
};

/** Whatever stands below everything: every room may import from these. */
export const leaves: readonly string[] = [
  "config",
  "errors.ts",
  "metrics.ts",
  "unseen-characters.ts",
  "log.ts",
  "events.ts",
  "traces.ts",
  "money.ts",
  "present.ts",
  "time",
];

export const rooms: readonly Room[] = [
  { name: "config", holds: "every knob with unit, default, reason; limits; reference data", standsOn: [] },
  { name: "errors.ts", holds: "the catalogue of error codes", standsOn: [] },
  { name: "metrics.ts", holds: "the figures that are kept for Prometheus", standsOn: [] },
  { name: "unseen-characters.ts", holds: "characters that no screen shows, and how they are shown", standsOn: [] },
  { name: "log.ts", holds: "where the lines of the log go, and what of an error is written", standsOn: [] },
  { name: "events.ts", holds: "the vocabulary of events, which write log and metrics", standsOn: [] },
  {
    name: "traces.ts",
    holds: "spans of what a process does, nowhere unless somebody has asked for them",
    standsOn: [],
  },
  { name: "money.ts", holds: "exact amounts and their currencies", standsOn: [] },
  { name: "present.ts", holds: "what must be there by a rule that types cannot say", standsOn: [] },
  { name: "time", holds: "days, calendar, bank holidays, the two clocks", standsOn: [] },
  { name: "config.ts", holds: "reads flags over environment over defaults", standsOn: [] },
  {
    name: "interface",
    holds: "the API's vocabulary: what schemas, threads, recognition, budgets and reports all speak",
    standsOn: [],
  },
  {
    name: "texts",
    holds: "the languages, and all that is said in each: a folder a language, a file a subject",
    standsOn: ["interface"],
  },
  {
    name: "machine",
    holds:
      "what one machine needs: the data folder and its lock, ports, addresses, small files that outlive a power cut, a certificate authority (`tls/`), guarded requests, from where a proxy says that connections come",
    standsOn: [],
  },
  {
    name: "database",
    holds: "connections, transactions, for whom a call works, migrations; `embedded/` is the server that comes along",
    standsOn: ["machine"],
  },
  {
    name: "vault",
    holds: "where delivered bytes stay, encrypted: a folder, or a bucket of a store that speaks S3",
    standsOn: ["config.ts", "machine"],
  },
  {
    name: "sealing",
    holds: "batches and JWE of any length: what sender, connector and vault share",
    standsOn: ["interface"],
  },
  {
    name: "client",
    holds: "what a partner's own code imports: types from the OpenAPI document, sealing, login, retries, receipts",
    standsOn: ["interface", "sealing"],
  },
  {
    name: "sender",
    holds: "the commands that send: doors, journal, pace",
    standsOn: ["interface", "sealing", "client"],
  },
  {
    name: "rates",
    holds: "exchange rates: the European Central Bank's files, the table, conversion, and how old they are",
    standsOn: ["machine", "database"],
  },
  {
    name: "packaging",
    holds: "the package that `npm pack` makes: plain scripts, declarations, bill of materials, licences",
    standsOn: [],
  },
  {
    name: "observation",
    holds:
      "what a process tells those who run it: health, figures, its beat among the others; `alerts/` tells them what is wrong, by webhook and mail; `telemetry/` sends traces and figures by OTLP",
    standsOn: ["machine", "database"],
  },
  { name: "schedule", holds: "rounds: work that comes round by time", standsOn: [] },
  { name: "fixtures", holds: "deterministic Nordic households with the truth beside them", standsOn: ["interface"] },
  {
    name: "partners",
    holds:
      "partners, brands, users, logins, tokens, the audit trail; `keys/` theirs and ours, secrets at rest; `settings/` what an operator may set",
    standsOn: ["config.ts", "machine", "database"],
  },
  {
    name: "deliveries",
    holds:
      "what landed and how far it is, a file for each thing that is done to a delivery; requests, held records, import markers",
    standsOn: ["machine", "database", "partners"],
  },
  {
    name: "ledger",
    holds: "transactions exactly once by user and txid, accounts, cards, balances",
    standsOn: ["database", "partners", "deliveries"],
  },
  {
    name: "exports",
    holds:
      "taking results away: flat rows of users, services, transactions and budgets as CSV, JSON Lines or Parquet, streamed, sealed, gone on with after a kill; the change feed and who follows it",
    standsOn: ["machine", "database", "partners", "ledger"],
  },
  {
    name: "notifications",
    holds: "what partners are told: notices (pure) → outbox → deliverer; receivers and their secrets",
    standsOn: ["interface", "texts", "machine", "database", "partners"],
  },
  {
    name: "payments",
    holds: "what a payment is: history, merchant, payee, catalogue, own transfers, a bank's opening words",
    standsOn: ["interface", "rates", "ledger"],
  },
  {
    name: "categories",
    holds: "the category tree; what each payment was for: `line` → `exclusions`, `spending`, `income` → `categorised`",
    standsOn: ["interface", "texts", "ledger", "payments"],
  },
  {
    name: "recognition",
    holds:
      "`search/` (payments to obligations), `services/` (obligations to services), `explain/`, pure; `past/` is what is kept from night to night; `preview/` what is found beside what is in force; `plots/` drawings; run and store around them",
    standsOn: ["interface", "database", "rates", "partners", "ledger", "payments", "categories"],
  },
  {
    name: "budgets",
    holds:
      "`engine/` (rows → parts → snapshot), `fold/` (snapshot + events → budget), pure; store, change, refresh, read around them",
    standsOn: [
      "interface",
      "texts",
      "database",
      "rates",
      "partners",
      "ledger",
      "notifications",
      "payments",
      "categories",
      "recognition",
    ],
  },
  {
    name: "reports",
    holds: "documents (`document/`: blocks → PDF/UA), the report for the next of kin, the budget report",
    standsOn: [
      "interface",
      "texts",
      "database",
      "partners",
      "ledger",
      "payments",
      "categories",
      "recognition",
      "budgets",
    ],
  },
  {
    name: "workers",
    holds:
      "what runs off the main thread: `ingest/`, one file a format in `formats/`, `jwe/` and `pgp/` open sealed files, `camt/` reads statements, `bytes/` is the hot path",
    standsOn: [
      "machine",
      "database",
      "vault",
      "rates",
      "partners",
      "deliveries",
      "ledger",
      "notifications",
      "recognition",
      "budgets",
      "reports",
    ],
  },
  {
    name: "landing",
    holds: "the two doors and what they share: accept, vault, receipts, backlog, disk guard; `retention/`, `expected/`",
    standsOn: ["interface", "machine", "database", "vault", "sealing", "partners", "deliveries", "workers"],
  },
  {
    name: "backup",
    holds:
      "backups of the embedded database and the folders, made, kept, verified and restored; the server's log beside them",
    standsOn: ["machine", "database", "schedule", "landing"],
  },
  {
    name: "psd2",
    holds: "connecting a bank: login → consent → fetch",
    standsOn: [
      "interface",
      "texts",
      "machine",
      "database",
      "sealing",
      "partners",
      "ledger",
      "notifications",
      "landing",
    ],
  },
  {
    name: "data-subjects",
    holds:
      "what is held about one user, across every table that has a `user_id`: export and erasure; the same of a whole partner",
    standsOn: ["interface", "database", "partners"],
  },
  {
    name: "operations",
    holds:
      "what an operator does to deliveries, users, partners, cancellations, products, keys and notifications, from the command line and from the console, and what needs a second one: each with its trace",
    standsOn: [
      "interface",
      "machine",
      "database",
      "vault",
      "observation",
      "partners",
      "deliveries",
      "ledger",
      "payments",
      "categories",
      "recognition",
      "notifications",
      "landing",
      "data-subjects",
    ],
  },
  {
    name: "staging",
    holds: "slots that take turns, what a failure means, the queue that wakes them, markers, thread pools",
    standsOn: ["database", "partners", "deliveries", "recognition", "budgets", "reports", "workers", "landing"],
  },
  {
    name: "evaluation",
    holds: "recognition held against labelled histories: measures, score, drawn report; no database",
    standsOn: ["interface", "sender", "fixtures", "ledger", "payments", "categories", "recognition", "budgets"],
  },
  {
    name: "api",
    holds: "schema → one query → reply; one route file an area",
    standsOn: [
      "interface",
      "texts",
      "machine",
      "database",
      "rates",
      "observation",
      "partners",
      "ledger",
      "payments",
      "categories",
      "recognition",
      "budgets",
      "reports",
      "landing",
      "psd2",
    ],
  },
  {
    name: "console",
    holds:
      "the operators' pages: `access/` signs in and guards, `pages/` and `actions/`, `templates/` escape whatever they are given",
    standsOn: [
      "interface",
      "machine",
      "database",
      "vault",
      "rates",
      "observation",
      "partners",
      "deliveries",
      "notifications",
      "payments",
      "categories",
      "recognition",
      "budgets",
      "operations",
      "landing",
      "backup",
      "data-subjects",
    ],
  },
  {
    name: "demo",
    holds:
      "the demo partner, its replay and its receiver; a developer's inbox for notifications; `sandbox-bank/` is a bank of generated people",
    standsOn: ["interface", "texts", "machine", "database", "sender", "fixtures", "partners", "landing", "psd2", "api"],
  },
  {
    name: "roles",
    holds:
      "open, wire and close the stages: what all stand on (`ground`), what roles share (`stages`), one file a role",
    standsOn: [
      "config.ts",
      "machine",
      "database",
      "vault",
      "rates",
      "observation",
      "schedule",
      "partners",
      "deliveries",
      "notifications",
      "recognition",
      "budgets",
      "reports",
      "landing",
      "backup",
      "psd2",
      "operations",
      "staging",
      "data-subjects",
      "api",
      "console",
      "demo",
    ],
  },
  {
    name: "main.ts",
    holds: "opens every stage in order, closes them in reverse",
    standsOn: ["config.ts", "machine", "database", "landing", "roles"],
  },
  {
    name: "cli",
    holds: "one file a command, in groups",
    standsOn: [
      "config.ts",
      "interface",
      "machine",
      "database",
      "vault",
      "rates",
      "sealing",
      "sender",
      "observation",
      "fixtures",
      "partners",
      "exports",
      "deliveries",
      "notifications",
      "payments",
      "recognition",
      "budgets",
      "evaluation",
      "workers",
      "operations",
      "console",
      "landing",
      "backup",
      "psd2",
      "staging",
      "data-subjects",
      "demo",
      "main.ts",
    ],
  },
];

/** Folders of a room of which each may import from those before it, and from none behind it. */
export const innerWalls: readonly { room: string; order: readonly string[] }[] = [
  { room: "src/recognition", order: ["search", "services", "explain"] },
  { room: "src/budgets", order: ["engine", "fold"] },
  { room: "src/reports", order: ["document", "next-of-kin", "budget"] },
  { room: "src/landing/sftp", order: ["wire", "past-cache", "files", "connection"] },
  { room: "src/cli", order: ["terminal", "service", "deliveries", "sending", "recognition", "partner", "users"] },
  { room: "workers", order: ["bytes", "jwe", "pgp", "records", "camt", "formats", "ingest"] },
];

/** A folder with more files than this has a structure that its names do not show yet. */
export const filesInFolderMax = 24;

/** One line each, formatted: what is longer is more than one thing. */
export const linesInFileMax = 400;

/** Catalogues: one entry below the other, read by looking one up. */
export const catalogues: readonly string[] = [
  "config/knobs.ts",
  "src/errors.ts",
  "src/events.ts",
  "src/client/generated/schemas.ts",
  "test/house/rooms.ts",
  "test/mutation/equivalent-payments.ts",
];

/**
 * Words that were riddles or had several meanings, in lower case, as no identifier and no file's name has them in it;
 * what is written instead stands in the glossary of src/README.md.
 */
export const retiredWords: readonly string[] = [
  // Riddles: a sparse file, unknown users, the tenant that is set, blocks that are released, submissions that are applied.
  ["hollow", "stranger", "become", "letgo", "hearsubmission", "uncross", "sealedlook", "sealed-look"],
  // Secrets at rest are encrypted; what is sealed is a batch.
  ["unseal", "sealanew", "sealedsecret", "sealed-secret", "sealedcolumn"],
  // A place is a town: records have a location, months an index, parts a category.
  ["placeof", "placesof", "placeparts", "placedrecord", "placedrows", "heldplace", "refusedplace", "placein"],
  // Events are folded: texts are normalised.
  ["foldedpattern", "foldtext"],
  // Records are held: rows are locked, files contain.
  ["holdbudget", "heldbudget", "holdstale", "holdcheckpoint", "holdloaded", "holdgroup", "holdwithdrawable"],
  ["holdsplain", "holdsrecord"],
  // A turn is taken by a slot: work is claimed, room reserved, rows removed.
  ["takedue", "takechanged", "takeuser", "takereport", "takeheld", "takeroom", "takeout", "takedelivery"],
  ["takenentry", "takenuser", "takenreport", "takenrows"],
  // Recognition assesses: the engine builds a snapshot.
  ["assessbudget"],
  // Words for people describe: data are read, built and previewed.
  ["describedelivery", "describepartner", "describedatafolder", "describeremoval", "describeerasure"],
  // A table is the database's, or a page's: files are CSV, figures precomputed.
  ["tablekind", "tablerow", "table-row", "tableline", "table-line", "tableencoding", "table-encoding"],
  ["tablerecord", "tabled", "accountstable", "transactionstable", "loadtable"],
].flat();
