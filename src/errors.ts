/**
 * Every error code that the service says to anyone, in one catalogue: the sentence, the HTTP status where one applies,
 * whether the same call can succeed later, and what the reader should do.
 * A test holds it equal to the table in docs/errors.md, both ways.
 */

export type ErrorEntry = {
  /** What happened, in one sentence. */
  readonly sentence: string;
  /** HTTP status, or null for codes that only commands, receipts and logs say. */
  readonly status: number | null;
  /** Whether the identical call can succeed later without anyone changing anything. */
  readonly retry: boolean;
  /** What the caller or operator does about it. */
  readonly remedy: string;
};

export const errorCatalogue = {
  TX_DATA_ERROR: {
    sentence: "The batch was opened, and its records break the interface.",
    status: 400,
    retry: false,
    remedy: "Correct the records named in details, or send them as single-record batches.",
  },
  SIGNATURE_ERROR: {
    sentence: "The batch is not signed by a login key of the partner, though its partner must sign.",
    status: 400,
    retry: false,
    remedy: "Sign the plaintext as a JWS with a registered key before encrypting it.",
  },
  DECRYPTION_ERROR: {
    sentence: "The batch could not be opened.",
    status: 400,
    retry: false,
    remedy:
      "Encrypt batches with RSA-OAEP and A256GCM to a current key of the partner's JWKS; zip may only be DEF. Tables and statements: encrypt them again with OpenPGP, with an integrity check, to the partner's key.",
  },
  UNKNOWN_ERROR: {
    sentence: "The request is not a TransactionsRequest.",
    status: 400,
    retry: false,
    remedy: "Send a JSON object with reqId (a UUID) and txs (a compact JWE).",
  },
  REQUEST_INVALID: {
    sentence: "The request does not match the interface.",
    status: 400,
    retry: false,
    remedy: "Correct the places named in errors.",
  },
  TOKEN_INVALID: {
    sentence: "The bearer token is missing, malformed, expired, or not one of ours.",
    status: 401,
    retry: false,
    remedy: "Log in again and send the token in the Authorization header.",
  },
  TOKEN_FOREIGN: {
    sentence: "The bearer token belongs to another partner.",
    status: 403,
    retry: false,
    remedy: "Use the path of the partner for whom the token was made.",
  },
  LOGIN_INVALID: {
    sentence: "The login payload is not a valid JWT of this partner.",
    status: 403,
    retry: false,
    remedy: "Sign a fresh JWT with a registered login key: sub, brand, and exp at most ten minutes ahead.",
  },
  ADDRESS_NOT_ALLOWED: {
    sentence: "The partner does not allow calls from this network address.",
    status: 403,
    retry: false,
    remedy: "Call from an allowed network, or have the operator add this one.",
  },
  PARTNER_UNGUARDED: {
    sentence: "The partner is not served beyond its machine yet: nothing says who may call.",
    status: 403,
    retry: false,
    remedy:
      "Have the operator name the partner's networks, require its certificates or signatures, or open it to all (https.openToAll).",
  },
  CLIENT_CERTIFICATE_NOT_ALLOWED: {
    sentence: "The partner asks for a client certificate, and none of its own was shown.",
    status: 403,
    retry: false,
    remedy: "Call with a registered certificate that has not ended, or have the operator add this one.",
  },
  TOO_MANY_REQUESTS: {
    sentence: "The partner has sent more requests of this kind this minute than it may.",
    status: 429,
    retry: true,
    remedy:
      "Wait for the time in Retry-After; send larger batches, or have the operator raise the partner's https.requestsPerMinute.",
  },
  METRICS_NOT_ALLOWED: {
    sentence: "Metrics are not told to this network address.",
    status: 403,
    retry: false,
    remedy: "Ask from the machine itself, or have the operator add the network to TIDELINE_METRICS_NETWORKS.",
  },
  PARTNER_UNKNOWN: {
    sentence: "There is no such partner.",
    status: 404,
    retry: false,
    remedy: "Check partnerId in the path; a suspended partner answers the same.",
  },
  USER_UNKNOWN: {
    sentence: "There is no such user.",
    status: 404,
    retry: false,
    remedy: "Create the user first, and log in with the brand under which it was created.",
  },
  INCOME_DISABLED: {
    sentence: "Income is switched off for the user's brand.",
    status: 404,
    retry: false,
    remedy: "Do not offer it to the brand's users, or have the operator switch it on (budgetIncome).",
  },
  SERVICE_UNKNOWN: {
    sentence: "The user has no such service.",
    status: 404,
    retry: false,
    remedy: "Read the list of services again.",
  },
  TRANSACTION_UNKNOWN: {
    sentence: "The user has no such transaction.",
    status: 404,
    retry: false,
    remedy: "Send an id from the list of transactions, or the txid with which the transaction was pushed.",
  },
  CONFIRMATION_INVALID: {
    sentence: "None of the user's connected banks waits for this code.",
    status: 404,
    retry: false,
    remedy:
      "Confirm once, within 15 minutes, with the token of the user who began the login; else have the user connect the bank again.",
  },
  BUDGET_UNKNOWN: {
    sentence: "The user has no such budget.",
    status: 404,
    retry: false,
    remedy: "Create one with POST budgets, or use the id that it answered.",
  },
  QUESTION_UNKNOWN: {
    sentence: "The budget has no such question.",
    status: 404,
    retry: false,
    remedy: "Read the next question.",
  },
  NO_OPEN_QUESTION: {
    sentence: "The budget has no question to ask.",
    status: 404,
    retry: false,
    remedy: "There is nothing to do: everything is answered, or nothing is known yet.",
  },
  EXPENSE_UNKNOWN: {
    sentence: "The budget has no such expense.",
    status: 404,
    retry: false,
    remedy: "Read the budget again.",
  },
  CATEGORY_UNKNOWN: {
    sentence: "There is no such category.",
    status: 404,
    retry: false,
    remedy: "Use an id of the budget's categories or income.",
  },
  ADJUSTMENT_UNKNOWN: {
    sentence: "The category has no adjusted amount.",
    status: 404,
    retry: false,
    remedy: "There is nothing to remove.",
  },
  USER_DATA_UNKNOWN: {
    sentence: "The budget has no user data.",
    status: 404,
    retry: false,
    remedy: "Send them with POST user-data.",
  },
  REPORT_UNKNOWN: {
    sentence: "The user has no such report.",
    status: 404,
    retry: false,
    remedy: "Ask for the report again: documents are kept for a limited time.",
  },
  ROUTE_UNKNOWN: {
    sentence: "There is nothing at this path.",
    status: 404,
    retry: false,
    remedy: "Check the path against the OpenAPI document.",
  },
  METHOD_NOT_ALLOWED: {
    sentence: "This path does not answer that method.",
    status: 405,
    retry: false,
    remedy: "Use one of the methods in the Allow header.",
  },
  NOT_ACCEPTABLE: {
    sentence: "The answer cannot be given in a form that the Accept header allows.",
    status: 406,
    retry: false,
    remedy: "Accept the media type that the OpenAPI document names for the path.",
  },
  USER_EXISTS: {
    sentence: "The user already exists.",
    status: 409,
    retry: false,
    remedy: "Use the existing user, or delete it first.",
  },
  BUDGET_NOT_INITIALISED: {
    sentence: "Nothing is known of the budget yet, so there is nothing to report.",
    status: 409,
    retry: true,
    remedy: "Read the budget until it answers 200, then ask for the report again.",
  },
  REPORT_FAILED: {
    sentence: "The report could not be made.",
    status: 409,
    retry: false,
    remedy: "Ask for a new one; give the documentId to the operator if that fails too.",
  },
  BODY_TOO_LARGE: {
    sentence: "The request body is larger than this path takes.",
    status: 413,
    retry: false,
    remedy: "Send smaller batches: at most 750 records each.",
  },
  MEDIA_TYPE_UNSUPPORTED: {
    sentence: "The request body is not JSON.",
    status: 415,
    retry: false,
    remedy: "Send Content-Type: application/json.",
  },
  INTERNAL: {
    sentence: "Something failed on our side.",
    status: 500,
    retry: true,
    remedy: "Repeat the call; give the correlation id to the operator if it stays.",
  },
  BUSY: {
    sentence: "The service cannot take this right now.",
    status: 503,
    retry: true,
    remedy: "Repeat the identical call after the seconds in Retry-After.",
  },
  CROWDSOURCING_DISABLED: {
    sentence: "Crowdsourcing is switched off for the user's brand.",
    status: 503,
    retry: false,
    remedy: "Do not offer it to the brand's users, or have the operator switch it on.",
  },
  FILE_EMPTY: {
    sentence: "The file has no bytes.",
    status: null,
    retry: false,
    remedy: "Deliver the file again with its content.",
  },
  FILE_FORMAT_UNKNOWN: {
    sentence: "The file's name is none that is read.",
    status: null,
    retry: false,
    remedy:
      "Name it *.jwe, *.jsonl[.gz], accounts_*.csv[.gz], transactions_*.csv[.gz] or *.xml[.gz], these with .pgp, .gpg or .asc.",
  },
  CSV_HEADER_INVALID: {
    sentence: "The table's header row does not name the columns that are needed.",
    status: null,
    retry: false,
    remedy:
      "Name the columns on the first line, with ; between them, as docs/bank.md lists them; tideline check FILE tells what is missing. Names of your own: have the operator set csv.columns.",
  },
  FILE_UNENCRYPTED: {
    sentence: "The file is not encrypted, and the partner's files must be.",
    status: null,
    retry: false,
    remedy:
      "Seal it as its format says: batches as JWE, tables with OpenPGP under a name that ends in .pgp, .gpg or .asc; tideline partner pgp-key show prints that key.",
  },
  FILE_DUPLICATE: {
    sentence: "The same bytes were delivered before.",
    status: null,
    retry: false,
    remedy: "There is nothing to do: the first delivery counts.",
  },
  FILE_TRUNCATED: {
    sentence: "The file was cut off before its end.",
    status: null,
    retry: false,
    remedy: "Deliver the whole file again: upload it under a temporary name, and rename it when it is there.",
  },
  PGP_KEY_UNKNOWN: {
    sentence: "The OpenPGP message is encrypted to other keys than the partner's.",
    status: null,
    retry: false,
    remedy:
      "Encrypt it to the key that the service gave the bank (openpgp-public.asc; tideline partner pgp-key show prints it), and compare its fingerprint; an earlier key is taken until it is retired.",
  },
  PGP_PASSWORD: {
    sentence: "The OpenPGP message is encrypted with a pass phrase instead of to a key.",
    status: null,
    retry: false,
    remedy: "Encrypt it to the key that the service gave the bank (gpg --encrypt --recipient, not --symmetric).",
  },
  FILE_DAMAGED: {
    sentence: "The file cannot be decompressed to its end.",
    status: null,
    retry: false,
    remedy: "Deliver the whole file again.",
  },
  MANIFEST_MISMATCH: {
    sentence: "The file does not agree with its manifest line.",
    status: null,
    retry: false,
    remedy: "Deliver the whole file again.",
  },
  LOAD_OVERTAKEN: {
    sentence: "Another loader has gone on with the delivery.",
    status: null,
    retry: true,
    remedy: "There is nothing to do: the other loader finishes it, or the sweep starts it again.",
  },
  VAULT_GONE: {
    sentence: "The landed bytes of the delivery are not in the vault.",
    status: null,
    retry: false,
    remedy: "Restore the vault, or have the sender deliver the file again.",
  },
  VAULT_AWAY: {
    sentence: "The vault's folder or bucket is not there, or is not the vault.",
    status: null,
    retry: true,
    remedy:
      "Mount it or reach it again; loading goes on by itself. If a new vault is meant, put an empty file called vault-mark in it.",
  },
  LOAD_ABANDONED: {
    sentence: "Loading failed on every attempt.",
    status: null,
    retry: true,
    remedy: "Read the log under the correlation id, remove the cause, then run tideline retry.",
  },
  LOAD_CANCELLED: {
    sentence: "Loading was called off.",
    status: null,
    retry: true,
    remedy: "Run tideline retry to go on with it, or tideline withdraw to take out what was loaded.",
  },
  CONFIG_INVALID: {
    sentence: "The configuration is not usable.",
    status: null,
    retry: false,
    remedy: "Correct each setting that is named; tideline check-config prints them all.",
  },
  PORT_TAKEN: {
    sentence: "Another program listens on the port.",
    status: null,
    retry: false,
    remedy: "Stop it, or choose another port with --https-port, --sftp-port or --console-port.",
  },
  DATA_DIR_NOT_WRITABLE: {
    sentence: "The data folder cannot be written.",
    status: null,
    retry: false,
    remedy: "Give write permission, or choose another folder with --data-dir.",
  },
  FILE_UNUSABLE: {
    sentence: "A file or folder cannot be used.",
    status: null,
    retry: false,
    remedy: "Let the account that runs Tideline read and write it; its disk may be full or mounted read-only.",
  },
  DATA_DIR_UNREADABLE: {
    sentence: "The data folder may not be read by this account.",
    status: null,
    retry: false,
    remedy: "Run the command as the account that runs Tideline, such as with sudo -u; it owns the folder.",
  },
  DATA_DIR_EMPTY: {
    sentence: "The data folder has no database.",
    status: null,
    retry: false,
    remedy: "Check --data-dir or TIDELINE_DATA_DIR; tideline up or tideline migrate --create begins a new one.",
  },
  DATA_DIR_IN_USE: {
    sentence: "Another Tideline already runs on this data folder.",
    status: null,
    retry: false,
    remedy: "Stop it, or choose another folder with --data-dir.",
  },
  FILE_BROKEN: {
    sentence: "A file of the data folder is missing, empty or broken.",
    status: null,
    retry: false,
    remedy: "Restore it from a backup, or do what the message says; such a file is never replaced without a word.",
  },
  POSTGRES_FORMAT: {
    sentence: "The database files were written by another major version of PostgreSQL.",
    status: null,
    retry: false,
    remedy: "Run the Tideline version that wrote them, dump and restore, or choose another folder with --data-dir.",
  },
  POSTGRES_START: {
    sentence: "The embedded PostgreSQL did not start.",
    status: null,
    retry: true,
    remedy: "Read postgres.log in the data folder's postgres, or in the folder that its postgres-location names.",
  },
  POSTGRES_UNREACHABLE: {
    sentence: "The database does not answer.",
    status: null,
    retry: true,
    remedy: "Check DATABASE_URL and that the server runs.",
  },
  POSTGRES_TOO_OLD: {
    sentence: "The database server is older than PostgreSQL 15.",
    status: null,
    retry: false,
    remedy: "Use PostgreSQL 15 or newer.",
  },
  POOLER_UNFIT: {
    sentence: "An address of the database leads through a pooler that Tideline cannot work with.",
    status: null,
    retry: false,
    remedy: "Do what the message says; docs/operations.md, “PgBouncer”.",
  },
  QUEUE_UNREACHABLE: {
    sentence: "The queue's Redis does not answer.",
    status: null,
    retry: true,
    remedy: "Check REDIS_URL and that the server runs.",
  },
  SCHEMA_NEWER: {
    sentence: "The database was migrated by a newer Tideline, on whose schema this one does not work.",
    status: null,
    retry: false,
    remedy: "Run that version; docs/upgrade.md says which versions work beside each other.",
  },
  SCHEMA_OLDER: {
    sentence: "The database lacks migrations of this Tideline.",
    status: null,
    retry: false,
    remedy: "Run tideline migrate.",
  },
  SOURCE_INVALID: {
    sentence: "The source cannot be read as transactions.",
    status: null,
    retry: false,
    remedy: "Correct the place that is named; tideline help send lists what can be read.",
  },
  CREDENTIALS_INVALID: {
    sentence: "The credentials folder is not complete.",
    status: null,
    retry: false,
    remedy: "Name the right one with --credentials; tideline help send says what it must hold.",
  },
  HOST_KEY_UNKNOWN: {
    sentence: "The SFTP server's host key is not the one in known_hosts.",
    status: null,
    retry: false,
    remedy: "Ask the service's operator for its host keys, over another channel, before going on.",
  },
  SERVICE_UNREACHABLE: {
    sentence: "The service does not answer.",
    status: null,
    retry: true,
    remedy: "Check that it runs and the address in partner.json, then run the same command again.",
  },
  SERVICE_REFUSED: {
    sentence: "The service refused a call.",
    status: null,
    retry: false,
    remedy: "Correct what its answer names.",
  },
  KEY_ENCRYPTION_KEY: {
    sentence: "The key-encryption key does not open the stored keys.",
    status: null,
    retry: false,
    remedy: "Restore the key with which this database was made.",
  },
  KEY_COMMAND: {
    sentence: "The command that brings the key-encryption keys failed.",
    status: null,
    retry: true,
    remedy:
      "Run TIDELINE_KEY_ENCRYPTION_COMMAND as the service's account: within 15 seconds it must print 32 bytes in base64, a line for each key, and end with 0.",
  },
  COMMAND_USAGE: {
    sentence: "The command line is not understood.",
    status: null,
    retry: false,
    remedy: "See tideline help.",
  },
  FEED_LOST: {
    sentence: "The change feed no longer has what this follower was not told.",
    status: null,
    retry: false,
    remedy:
      "Run tideline export --unfollow NAME, follow anew, and take an export beside it, as docs/data.md says. Changes are kept for 14 days.",
  },
  RATES_UNREADABLE: {
    sentence: "The file holds no exchange rates.",
    status: null,
    retry: false,
    remedy: "Give a file of the European Central Bank's reference rates as it publishes them: CSV, XML or zip.",
  },
  RATES_UNREACHABLE: {
    sentence: "The exchange rates cannot be fetched.",
    status: null,
    retry: true,
    remedy: "Check TIDELINE_RATES_URL and the way there, or load a file with tideline rates load.",
  },
  BACKUP_PLACE: {
    sentence: "The folder cannot be used for backups, or holds none.",
    status: null,
    retry: false,
    remedy: "Name the folder of the backups, on a disk that is mounted and apart from the data folder.",
  },
  BACKUP_RUNS: {
    sentence: "Another backup of this database is being made.",
    status: null,
    retry: true,
    remedy: "Wait until it has ended; tideline backup list shows it then.",
  },
  BACKUP_INCOMPLETE: {
    sentence: "The backup was broken off before it was whole.",
    status: null,
    retry: false,
    remedy: "Use another one (tideline backup list); the next backup removes what is left of it.",
  },
  BACKUP_DAMAGED: {
    sentence: "The backup is not what was written.",
    status: null,
    retry: false,
    remedy: "Use an older backup or another copy of this one, make a new one now, and look after the disk it lies on.",
  },
  BACKUP_VERSION: {
    sentence: "The backup belongs to another version of Tideline or PostgreSQL.",
    status: null,
    retry: false,
    remedy: "Restore it with the version that is named; that one's successor upgrades the folder then.",
  },
  BACKUP_NOT_OURS: {
    sentence: "The database is a server of your own, which its own programs back up.",
    status: null,
    retry: false,
    remedy: "docs/backup.md says what to back up, in which order, with which commands.",
  },
  RESTORE_NOT_EMPTY: {
    sentence: "The folder to restore into is not empty.",
    status: null,
    retry: false,
    remedy: "Name a new or empty folder with --data-dir; nothing that is there is ever replaced.",
  },
  RESTORE_UNFINISHED: {
    sentence: "A restore into the data folder was begun and not ended.",
    status: null,
    retry: false,
    remedy: "Run tideline restore again with the same --data-dir: it begins anew.",
  },
  RESTORE_TIME: {
    sentence: "That moment is not in what was kept.",
    status: null,
    retry: false,
    remedy: "Choose one from what is named; without --to-time everything that was kept is restored.",
  },
  HOST_KEYS_UNSEEN: {
    sentence: "Not every partner has logged in since the next host keys were prepared.",
    status: null,
    retry: true,
    remedy:
      "Wait for their logins, or give their clients the next keys (tideline host-keys list); then promote, with --force where that was done by hand.",
  },
  APPROVAL_NEEDED: {
    sentence: "The command needs a second operator's word.",
    status: null,
    retry: false,
    remedy: "Say --reason WHY to ask for it; tideline approvals list shows what waits.",
  },
  APPROVAL_REFUSED: {
    sentence: "A request cannot be decided like this.",
    status: null,
    retry: false,
    remedy: "See tideline approvals show ID: who asked, until when it stands, and what became of it.",
  },
  NOT_FOUND: {
    sentence: "What the command names does not exist.",
    status: null,
    retry: false,
    remedy: "List what there is with the command's list form.",
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorCatalogue;

/** The world failed, or a caller cannot go on: thrown with its code, what exactly happened, and the cause. */
export class Fault extends Error {
  readonly code: ErrorCode;
  /** Set when the code says so, or when the one who throws knows better. */
  readonly retry: boolean;

  constructor(code: ErrorCode, detail?: string, options: { cause?: unknown; retry?: boolean } = {}) {
    super(detail ?? errorCatalogue[code].sentence, { cause: options.cause });
    this.name = "Fault";
    this.code = code;
    this.retry = options.retry ?? errorCatalogue[code].retry;
  }
}

/** One line for a person: the code, what happened, what to do. */
export function describeFault(fault: Fault): string {
  return `${fault.code}: ${fault.message} ${errorCatalogue[fault.code].remedy}`;
}
