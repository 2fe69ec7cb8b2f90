/**
 * Contents that are broken in every way a sender or a line can break them. None loads a record; a neighbour notices
 * nothing.
 */
import { generateKeyPairSync } from "node:crypto";
import { flipBit, replaceSegment, sealToken } from "../../workers/sealing.ts";
import type { Acknowledged } from "../book.ts";
import { type BatchKey, makeRecords, sealArray, sealFile, sealRequest } from "../generated.ts";
import { besideNeighbour } from "../neighbour.ts";
import type { Random } from "../random.ts";
import type { FaultKind, Round } from "../round.ts";
import { createUsers, pushOnce, SftpLane } from "../sending.ts";

/** A content as both doors get it, and what a file of it must come to. */
type Poison = { token: string; expected: Acknowledged["expected"] };
type MakePoison = (key: BatchKey, random: Random, elements: readonly string[]) => Poison;

const fewRecords = 20;
const bombMebibytes = { least: 32, most: 300 };
const mebibyte = 1024 * 1024;
const brackets = 1_000_000;
const manyRecords = { short: 30_000, long: 1_000_000 };
const recordsPerUser = 5000;
const undecipherable = { refusedAs: ["DECRYPTION_ERROR"] };
const segments = ["header", "wrapped key", "IV", "ciphertext", "tag"];

export const poisonKinds: FaultKind[] = [
  ...segments.map((name, segment) =>
    poisonKind(`bit flipped in the ${name}`, (key, random, elements) => ({
      token: replaceSegment(sealArray(key, elements), segment, (text) => flipBit(text, random.between(0, 4000))),
      expected: undecipherable,
    })),
  ),
  poisonKind("sealed to a wrong key", (key, random, elements) => ({
    token: sealArray(foreignKey(random.share() < 0.5 ? key.kid : "stranger"), elements),
    expected: undecipherable,
  })),
  poisonKind("truncated", truncated),
  poisonKind("inflate bomb", (key, random) => ({
    token: sealToken(key, Buffer.alloc(random.between(bombMebibytes.least, bombMebibytes.most) * mebibyte, " ")),
    expected: undecipherable,
  })),
  poisonKind("a million nested brackets", nested),
  { name: "bad UTF-8 in one record", world: "single", rounds: { short: 1, long: 2 }, strike: badUtf8 },
  { name: "damaged gzip", world: "single", rounds: { short: 1, long: 2 }, strike: damagedGzip },
  {
    name: "one bad record among many",
    world: "single",
    rounds: { short: 1, long: 1 },
    healsWithinMs: 600_000,
    strike: oneBadRecord,
  },
];

function poisonKind(name: string, make: MakePoison): FaultKind {
  return { name, world: "single", rounds: { short: 1, long: 2 }, strike: (round) => poison(round, make) };
}

/** Through HTTPS, where it must be refused, and as a file, which must come to what is expected. */
async function poison(round: Round, make: MakePoison): Promise<void> {
  const { bank, random } = round;
  await besideNeighbour(round, async () => {
    const lane = new SftpLane(bank.partner);
    for (let number = 0; number < (round.short ? 2 : 6); number += 1) {
      // Not offered to the book: whatever of them turned up in the ledger would be foreign.
      const elements = makeRecords(random, bank.users, fewRecords).map((one) => one.json);
      const { token, expected } = make(bank.key, random, elements);
      await expectRefusal(round, token);
      const reference = `${bank.prefix}-poison-${number}.jwe`;
      await lane.run((session) => session.put(reference, Buffer.from(token)));
      bank.book.owe([], { door: "sftp", reference, expected });
      round.struck(2);
    }
    lane.close();
  });
}

async function expectRefusal(round: Round, token: string): Promise<void> {
  const status = await pushOnce(round.bank, { requestId: crypto.randomUUID(), txs: token });
  // 413 where it is larger than any request may be.
  if (status !== 400 && status !== 413) round.fail(`a broken request was answered with ${status}`);
}

const foreignKeys = new Map<string, BatchKey>();

/** @param kid of the partner's real key, or of none */
function foreignKey(kid: string): BatchKey {
  const known = foreignKeys.get(kid) ?? {
    kid,
    publicKey: generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey,
  };
  foreignKeys.set(kid, known);
  return known;
}

/** Somewhere behind the header, in the middle of a base64url group or at its end. */
function truncated(key: BatchKey, random: Random, elements: readonly string[]): Poison {
  const token = sealArray(key, elements);
  return { token: token.slice(0, random.between(token.indexOf(".") + 1, token.length - 1)), expected: undecipherable };
}

/** Never closed, which is no array; or closed, which is an array of one record that is nested too deep. */
function nested(key: BatchKey, random: Random): Poison {
  const closed = random.share() < 0.5;
  const text = `${"[".repeat(brackets)}${closed ? "]".repeat(brackets) : ""}`;
  return {
    token: sealToken(key, text, { compress: false }),
    expected: closed ? { records: 1, markers: 0, refused: 1 } : { refusedAs: ["TX_DATA_ERROR"] },
  };
}

/** The request is refused whole; of the file all others are loaded. */
async function badUtf8(round: Round): Promise<void> {
  const { bank, random } = round;
  await besideNeighbour(round, async () => {
    const lane = new SftpLane(bank.partner);
    for (let number = 0; number < (round.short ? 2 : 6); number += 1) {
      const records = makeRecords(random, bank.users, fewRecords);
      const bad = makeRecords(random, bank.users, 1).map((one) =>
        Buffer.from(one.json.replace("CARD_PURCHASE", "CARD_\u0001")),
      );
      const badBytes = Buffer.concat(bad.map((bytes) => Buffer.from(bytes.map((byte) => (byte === 1 ? 0xff : byte)))));
      const plaintext = Buffer.concat([
        Buffer.from("["),
        badBytes,
        Buffer.from(records.map((one) => `,${one.json}`).join("")),
        Buffer.from("]"),
      ]);
      const token = sealToken(bank.key, plaintext);
      await expectRefusal(round, token);
      const reference = `${bank.prefix}-utf8-${number}.jwe`;
      await lane.run((session) => session.put(reference, Buffer.from(token)));
      bank.book.owe(records, {
        door: "sftp",
        reference,
        expected: { records: fewRecords + 1, markers: 0, refused: 1 },
      });
      round.struck(2);
    }
    lane.close();
  });
}

/** Cut, or with a flipped bit behind the ten bytes of gzip's header. */
async function damagedGzip(round: Round): Promise<void> {
  const { bank, random } = round;
  await besideNeighbour(round, async () => {
    const lane = new SftpLane(bank.partner);
    for (let number = 0; number < (round.short ? 2 : 8); number += 1) {
      const whole = sealFile(
        bank.key,
        "jsonl.gz",
        makeRecords(random, bank.users, fewRecords).map((one) => one.json),
      );
      const at = random.between(10, whole.length - 1);
      const damaged =
        number % 2 === 0
          ? whole.subarray(0, at)
          : Buffer.from(whole.map((byte, place) => (place === at ? byte ^ (1 << random.between(0, 7)) : byte)));
      const reference = `${bank.prefix}-gzip-${number}.jsonl.gz`;
      await lane.run((session) => session.put(reference, damaged));
      bank.book.owe([], { door: "sftp", reference, expected: { refusedAs: ["FILE_DAMAGED"] } });
      round.struck();
    }
    lane.close();
  });
}

/** Over many users: one with a hundred thousand payments would be a fault of another kind. */
async function oneBadRecord(round: Round): Promise<void> {
  const { bank, random } = round;
  const count = round.short ? manyRecords.short : manyRecords.long;
  const users = Array.from(
    { length: Math.ceil(count / recordsPerUser) },
    (_, number) => `${bank.prefix}-many-${number}`,
  );
  await createUsers({ ...bank, users });
  const records = makeRecords(random, users, count);
  const elements = records.map((one) => one.json);
  const bad = makeRecords(random, users, 1).map((one) => one.json.replace(/"amount":[^,]+/, '"amount":"twelve"'));
  elements.splice(random.between(0, count), 0, ...bad);
  const file = sealFile(bank.key, "jwe", elements);
  await besideNeighbour(round, async () => {
    const reference = `${bank.prefix}-many.jwe`;
    const lane = new SftpLane(bank.partner);
    await lane.run((session) => session.put(reference, file));
    lane.close();
    bank.book.owe(records, { door: "sftp", reference, expected: { records: count + 1, markers: 0, refused: 1 } });
    round.struck();
    await expectRefusal(round, sealRequest(bank.key, bad).txs);
  });
}
