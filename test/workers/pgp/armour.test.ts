/** ASCII armour as GnuPG, OpenPGP.js and RFC 4880 write it, and as nobody should. */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "ava";
import { armor, enums } from "openpgp";
import { NotOpened } from "../../../workers/not-opened.ts";
import { withoutArmour } from "../../../workers/pgp/armour.ts";
import { readContent } from "../../../workers/pgp/content.ts";
import fc, { runs } from "../../property.ts";
import { collect } from "../collecting.ts";

/** The sample of RFC 4880, 6.6, which has a header and a checksum. */
const sample = `-----BEGIN PGP MESSAGE-----
Version: OpenPrivacy 0.99

yDgBO22WxBHv7O8X7O/jygAEzol56iUKiXmV+XmpCtmpqQUKiQrFqclFqUDBovzS
vBSFjNSiVHsuAA==
=njUN
-----END PGP MESSAGE-----
`;

test("the RFC's sample is read as what it says, wherever its pieces are cut", async (t) => {
  const whole = await packets(sample);
  t.is(whole.length, 58);
  for (let size = 1; size < sample.length; size += 1)
    t.deepEqual(await packets(sample, size), whole, `pieces of ${size}`);
  t.is(
    (await collect(readContent(withoutArmour(piecesOf(Buffer.from(sample), 9))))).toString("latin1"),
    "Can't anyone keep a secret around here?\n",
  );
});

test("what is binary passes as it is", async (t) => {
  const bytes = Buffer.from([0xc1, 0x0d, 0x2d, 0x3d, 0x0a]);
  t.deepEqual(await packets(bytes), bytes);
  t.deepEqual(await packets(bytes, 1), bytes);
  t.deepEqual(await packets(""), Buffer.alloc(0));
});

const read: [name: string, text: string][] = [
  ["with line ends of Windows", sample.replaceAll("\n", "\r\n")],
  ["without headers", sample.replace(/Version.*\n/, "")],
  [
    "with several headers, one of them empty and one in another script",
    sample.replace("\n\n", "\nComment:\nCharset: UTF-8\nComment: grüße\n\n"),
  ],
  ["with blanks at the ends of its lines", sample.replaceAll("\n", " \t\n")],
  ["with blank lines around it", `\n \r\n${sample}\n\n`],
  ["without a last line end", sample.trimEnd()],
  ["without a checksum, as RFC 9580 would have it", sample.replace("=njUN\n", "")],
  ["with a checksum that is wrong, for which nobody may refuse it", sample.replace("=njUN", "=AAAA")],
  ["with a checksum that is none", sample.replace("=njUN", "=!")],
  ["on one line", sample.replace("qclFqUDBovzS\n", "qclFqUDBovzS")],
  ["on short lines", sample.replace("yDgBO22WxBHv7O8X7O", "yD\ngBO\n22WxBHv7O8\n\nX7O")],
];

for (const [name, text] of read) {
  test(`read: ${name}`, async (t) => {
    const whole = await packets(sample);
    for (const size of [1, 7, 64, 1000]) t.deepEqual(await packets(text, size), whole, `pieces of ${size}`);
  });
}

const endless = (what: string) => what.repeat(100_000);
const refused: [name: string, text: string | Buffer][] = [
  ["words before it", `Dear bank,\n${sample}`],
  ["words behind it", `${sample}Yours`],
  ["two of them", sample + sample],
  ["a public key", sample.replaceAll("PGP MESSAGE", "PGP PUBLIC KEY BLOCK")],
  ["a signature", sample.replaceAll("PGP MESSAGE", "PGP SIGNATURE")],
  [
    "text that is signed and not encrypted",
    `-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n"bank_id"\n${sample.replaceAll("PGP MESSAGE", "PGP SIGNATURE")}`,
  ],
  ["one line", "-----BEGIN PGP MESSAGE-----"],
  ["no empty line behind the headers", sample.replace("\n\n", "\n")],
  ["a header that is none", sample.replace("Version: ", "Version ")],
  ["no last line", sample.slice(0, sample.indexOf("-----END"))],
  ["another last line", sample.replace("END PGP MESSAGE", "END PGP SIGNATURE")],
  ["half a last line", sample.slice(0, -5)],
  ["the last line behind the padding", sample.replace("==\n=njUN\n", "==")],
  ["the checksum behind the padding", sample.replace("==\n=", "===")],
  ["no padding", sample.replace("AA==\n", "AA\n")],
  ["too little padding", sample.replace("AA==\n", "AA=\n")],
  ["too much padding", sample.replace("AA==\n", "AA===\n")],
  ["a character that stands for nothing", sample.replace("AA==\n", "AAA\n")],
  ["a character that is none of the 64", sample.replace("BSFj", "BS_j")],
  ["a byte beyond ASCII", Buffer.from(sample.replace("BSFj", "BS\u00a0j"), "latin1")],
  ["endless blanks before it", endless("\n")],
  ["an endless header", `-----BEGIN PGP MESSAGE-----\n${endless("Comment: ")}`],
  ["endless headers", `-----BEGIN PGP MESSAGE-----\n${endless("A: b\n")}`],
  ["endless blanks behind it", sample + endless("\n")],
];

for (const [name, text] of refused) {
  test(`not opened: ${name}`, async (t) => {
    for (const size of [7, 1000, 1_000_000])
      await t.throwsAsync(packets(text, size), { instanceOf: NotOpened }, `pieces of ${size}`);
  });
}

test("every cut of a message is noticed", async (t) => {
  const end = sample.trimEnd();
  for (let at = 1; at < end.length; at += 1)
    await t.throwsAsync(packets(end.slice(0, at)), { instanceOf: NotOpened }, `cut at ${at}`);
});

test("what OpenPGP.js armours comes out as it was, wherever it is cut", async (t) => {
  const cases = fc.asyncProperty(
    fc.uint8Array({ minLength: 1, maxLength: 3000 }),
    fc.boolean(),
    fc.integer({ min: 1, max: 5000 }),
    async (bytes, hasChecksum, size) => {
      const text = armor(enums.armor.message, bytes, undefined, undefined, undefined, hasChecksum);
      t.deepEqual(await packets(text, size), Buffer.from(bytes));
    },
  );
  await fc.assert(cases, runs(200));
});

test("no more is held than a piece and a frame of it", async (t) => {
  const line = `${"A".repeat(64)}\n`.repeat(4000);
  let heldMax = 0;
  const pieces = async function* () {
    yield Buffer.from("-----BEGIN PGP MESSAGE-----\n\n");
    for (let n = 0; n < 40; n += 1) yield Buffer.from(line);
    yield Buffer.from("-----END PGP MESSAGE-----\n");
  };
  let total = 0;
  for await (const piece of withoutArmour(pieces())) {
    total += piece.length;
    heldMax = Math.max(heldMax, piece.length);
  }
  t.is(total, 40 * 4000 * 48);
  t.is(heldMax, 4000 * 48);
});

const hasGnupg = isInstalled("gpg");
(hasGnupg ? test : test.skip)("what GnuPG armours comes out as it was", async (t) => {
  const home = await mkdtemp(path.join(tmpdir(), "gpg-"));
  t.teardown(() => rm(home, { recursive: true, force: true }));
  for (const length of [1, 2, 3, 47, 48, 49, 100_000]) {
    const content = randomBytes(length);
    await writeFile(path.join(home, "content"), content);
    const text = execFileSync(
      "gpg",
      ["--homedir", home, "--batch", "--quiet", "--enarmor", "--output", "-", path.join(home, "content")],
      { stdio: ["ignore", "pipe", "ignore"] },
    );
    // What is enarmoured by itself is called a file.
    t.deepEqual(
      await packets(text.toString("latin1").replaceAll("PGP ARMORED FILE", "PGP MESSAGE")),
      content,
      `${length} bytes`,
    );
  }
});

async function packets(text: string | Buffer, size = 50): Promise<Buffer> {
  return await collect(withoutArmour(piecesOf(Buffer.from(text as string), size)));
}

async function* piecesOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield Buffer.from(bytes.subarray(at, at + size));
}

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
