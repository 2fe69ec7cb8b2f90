/**
 * Banks' statements (camt.053, camt.054) that are changed, cut off, nested, made of entities, or too large for what they
 * say, over SFTP into the workers. Of a user who is in nobody's book: what comes of them is judged by their receipts.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Receipt } from "../../src/landing/receipt.ts";
import type { Random } from "../faults/random.ts";
import { createUsers, SftpLane } from "../faults/sending.ts";
import { detail, details, element, ibanOf, notifications, statements } from "../workers/statements.ts";
import { settle, type Target } from "./target.ts";
import { Violation } from "./violation.ts";

/** What may come of a file. "refused": nothing of it may be loaded. */
export type Outcome = "loaded" | "refused" | "either";
export type StatementMutation = { name: string; may: Outcome; make(random: Random, text: string): string | Buffer };

/** In a file of this machine that an entity names: no receipt may hold it. */
const canary = "CANARY-OF-THE-FILE-SYSTEM";
const iban = "DK9520000123456789";
const owner = "statement-owner";

function insertAt(text: string, at: number, more: string): string {
  return text.slice(0, at) + more + text.slice(at);
}

function withType(text: string, type: string, reference: string): string {
  return text.replace("<Document", `${type}\n<Document`).replace("<Ustrd>", `<Ustrd>${reference}`);
}

function inEntry(text: string, more: string): string {
  return text.replace("</Ntry>", `${more}</Ntry>`);
}

const times = (random: Random, least: number, most: number) => random.between(least, most);

export function statementMutations(fileOfCanary: string): readonly StatementMutation[] {
  return [
    { name: "unbroken", may: "loaded", make: (_, text) => text },
    {
      name: "an entity that names a file",
      may: "refused",
      make: (random, text) =>
        withType(
          text,
          `<!DOCTYPE Document [<!ENTITY ${random.share() < 0.5 ? "% p" : "x"} SYSTEM "file://${fileOfCanary}">]>`,
          "&x;",
        ),
    },
    {
      name: "an entity that names an address",
      may: "refused",
      make: (_, text) => withType(text, '<!DOCTYPE Document SYSTEM "http://127.0.0.1:9/statement.dtd">', ""),
    },
    {
      name: "entities that multiply",
      may: "refused",
      make: (random, text) => {
        const levels = Array.from(
          { length: times(random, 5, 30) },
          (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`,
        );
        return withType(text, `<!DOCTYPE Document [<!ENTITY e0 "ha">${levels.join("")}]>`, `&e${levels.length};`);
      },
    },
    {
      name: "an entity that nobody declared",
      may: "refused",
      make: (_, text) => text.replace("<Ustrd>", "<Ustrd>&x;"),
    },
    {
      name: "cut off",
      may: "refused",
      make: (random, text) => text.slice(0, random.between(1, text.lastIndexOf("</Document>"))),
    },
    {
      name: "nested deeply",
      may: "refused",
      make: (random, text) => {
        const depth = times(random, 500, 50_000);
        return inEntry(text, `${"<A>".repeat(depth)}${"</A>".repeat(depth)}`);
      },
    },
    {
      name: "nested deeply, never closed",
      may: "refused",
      make: (random, text) => inEntry(text, "<A>".repeat(times(random, 500, 50_000))),
    },
    {
      name: "tags that do not belong together",
      may: "refused",
      make: (random, text) => text.replace(random.pick(["</Acct>", "</Ntry>", "</Sts>", "</Amt>"]), "</Other>"),
    },
    {
      name: "a character that XML has not",
      may: "refused",
      make: (random, text) =>
        text.replace("<Ustrd>", `<Ustrd>${random.pick(["\u0000", "\u0001", "&#0;", "&#x1F;", "\uffff"])}`),
    },
    {
      name: "bytes that are no UTF-8",
      may: "refused",
      make: (random, text) => {
        const at = Buffer.from(text).indexOf("<Ustrd>") + "<Ustrd>".length;
        const bytes = random.pick([[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80]]);
        return Buffer.concat([Buffer.from(text).subarray(0, at), Buffer.from(bytes), Buffer.from(text).subarray(at)]);
      },
    },
    {
      name: "another document",
      may: "refused",
      make: (_, text) => text.replaceAll(/BkToCstmr(Stmt|DbtCdtNtfctn)/g, "CstmrCdtTrfInitn"),
    },
    { name: "two documents", may: "refused", make: (_, text) => `${text}${text.slice(text.indexOf("<Document"))}` },
    {
      name: "an account of nobody",
      may: "either",
      make: (_, text) => text.replaceAll(iban, "DK5000400440116243"),
    },
    {
      name: "one character changed",
      may: "either",
      make: (random, text) => {
        const at = random.between(0, text.length - 1);
        return `${text.slice(0, at)}${random.pick(["<", ">", "&", '"', "0", "-", "Ø", " "])}${text.slice(at + 1)}`;
      },
    },
    {
      name: "a piece repeated",
      may: "either",
      make: (random, text) => {
        const at = random.between(0, text.length - 1);
        return insertAt(text, at, text.slice(at, at + random.between(1, 400)));
      },
    },
    {
      name: "a piece missing",
      may: "either",
      make: (random, text) => {
        const at = random.between(0, text.length - 1);
        return text.slice(0, at) + text.slice(at + random.between(1, 400));
      },
    },
    {
      name: "a huge entry",
      may: "either",
      make: (random, text) => inEntry(text, element("AddtlNtryInf", "x".repeat(times(random, 200_000, 6_000_000)))),
    },
    {
      name: "an entry of very many details",
      may: "either",
      make: (random, text) =>
        inEntry(
          text,
          details(...Array.from({ length: times(random, 1000, 20_000) }, (_, at) => detail("0.01", `d${at}`))),
        ),
    },
    {
      name: "a tag of very many attributes",
      may: "either",
      make: (random, text) => {
        const attributes = Array.from({ length: times(random, 1000, 20_000) }, (_, at) => `a${at}="1"`).join(" ");
        return text.replace("<Ntry>", `<Ntry ${attributes}>`);
      },
    },
    {
      name: "a huge comment, section or instruction",
      may: "either",
      make: (random, text) => {
        const content = "y".repeat(times(random, 100_000, 4_000_000));
        return inEntry(text, random.pick([`<!--${content}-->`, `<X><![CDATA[${content}]]></X>`, `<?x ${content}?>`]));
      },
    },
    {
      name: "an amount that is none",
      may: "either",
      make: (random, text) =>
        text.replace(
          /(<Ntry>\s*<Amt Ccy="DKK">)[^<]*/,
          `$1${random.pick(["", "NaN", "1e9", "-1.00", "1,00", "0x10", "9".repeat(40), `0.${"0".repeat(30)}1`, "1.2.3"])}`,
        ),
    },
    {
      name: "a day that is none",
      may: "either",
      make: (random, text) =>
        text.replaceAll(
          /<BookgDt><Dt>[^<]*/g,
          `<BookgDt><Dt>${random.pick(["", "0000-00-00", "2026-02-30", "9999-99-99", "+002026-01-01", "31.01.2026"])}`,
        ),
    },
    {
      name: "said to be in another encoding",
      may: "either",
      make: (random, text) => text.replace('"UTF-8"', random.pick(['"UTF-16"', '"ISO-8859-1"', '"x-none"', '"UTF-7"'])),
    },
  ];
}

/** @param reference what tells its entries from those of other files */
export function ordinaryStatement(random: Random, reference: string): string {
  const count = random.between(1, 12);
  const entries = Array.from({ length: count }, (_, at) => ({
    amount: "2.00",
    reference: `${reference}-${at}`,
    more: details(element("TxDtls", element("RmtInf", element("Ustrd", `Shop ${at} æ &amp; ø`)))),
  }));
  const fields = { account: ibanOf(iban), entries };
  if (random.share() < 0.3) return notifications(fields);
  return statements({ ...fields, balances: ["1000.00", (1000 - 2 * count).toFixed(2)] });
}

type Sent = { name: string; kind: string; may: Outcome; bytes: Buffer };

export class StatementFuzz {
  readonly #lane: SftpLane;
  readonly #folder: string;
  readonly #mutations: readonly StatementMutation[];
  readonly #sent: Sent[] = [];

  private constructor(target: Target, folder: string, fileOfCanary: string) {
    this.#folder = folder;
    this.#lane = new SftpLane(target.bank.partner);
    this.#mutations = statementMutations(fileOfCanary);
  }

  /** A user, whose account it is, and leave to send statements in the clear: what is fuzzed is what reads them. */
  static async open(target: Target): Promise<StatementFuzz> {
    const folder = await mkdtemp(path.join(tmpdir(), "tideline-fuzz-statements-"));
    const fileOfCanary = path.join(folder, "canary");
    await writeFile(fileOfCanary, canary, { mode: 0o644 });
    const { partner } = target.bank;
    await target.world.tideline("partner", "set", partner.id, "csv.unencrypted=true");
    await createUsers({ partner, users: [owner] });
    const fuzz = new StatementFuzz(target, folder, fileOfCanary);
    const accounts = `"bank_id";"user_id";"account_number"\n"IBAN";"${owner}";"${iban}"\n`;
    await fuzz.#put("accounts_of_statements.csv", Buffer.from(accounts));
    await settle(target);
    return fuzz;
  }

  async close(): Promise<void> {
    this.#lane.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async put(random: Random, index: number): Promise<{ kind: string; ms: number }> {
    const { name: kind, may, make } = random.pick(this.#mutations);
    const bytes = Buffer.from(make(random, ordinaryStatement(random, `F${index}`)));
    const name = `camt053_${index}.xml`;
    const startedAt = performance.now();
    await this.#put(name, bytes);
    this.#sent.push({ name, kind, may, bytes });
    return { kind, ms: performance.now() - startedAt };
  }

  /** Once all is loaded. @returns what came of each, by kind @throws Violation */
  async judge(): Promise<{ kind: string; answer: string }[]> {
    const told: { kind: string; answer: string }[] = [];
    for (const one of this.#sent) {
      const text = await this.#lane.run((session) => session.readReceipt(`${one.name}.receipt.json`));
      const receipt = JSON.parse(text) as Receipt;
      const problem = problemOf(one.may, receipt, text);
      if (problem !== null) throw new Violation(`${one.name} (${one.kind}): ${problem}`, one.bytes);
      told.push({ kind: one.kind, answer: receipt.refusal?.code ?? receipt.state });
    }
    return told;
  }

  async #put(name: string, bytes: Buffer): Promise<void> {
    await this.#lane.run((session) => session.put(name, bytes));
  }
}

/** What a receipt says that it must not; null: nothing. */
export function problemOf(may: Outcome, receipt: Receipt, text: string): string | null {
  const { state, counts, refusal } = receipt;
  if (text.includes(canary)) return "its receipt holds what an entity named";
  if (/node:internal|\.ts:\d/.test(text)) return "its receipt tells of the inside";
  if (state !== "loaded" && state !== "refused") return `it is ${state}`;
  const sum = counts.new + counts.known + counts.conflicting + counts.refused + counts.waiting + counts.markers;
  if (counts.records !== sum) return `its counts do not add up: ${JSON.stringify(counts)}`;
  if (may === "refused" && (state !== "refused" || counts.new > 0))
    return `it is ${state} with ${counts.new} new records`;
  if (may === "loaded" && (state !== "loaded" || counts.refused > 0 || counts.new === 0))
    return `it is ${state}, ${refusal?.code ?? ""} ${JSON.stringify(counts)}`;
  return null;
}
