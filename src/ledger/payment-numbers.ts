/**
 * The number by which callers know a payment, made of the ledger's own, which counts: numbers that count would tell how
 * many payments there are and when they came. A permutation under a key of the database: a balanced walk through a
 * Feistel network whose rounds are AES-256, of all rows of a read at once (Luby and Rackoff 1988; cycle walking: Black and
 * Rogaway 2002). Numbers that were told before there was a key stay.
 *
 * The key lies in the table in clear: whoever reads the database counts its rows.
 */
import { createCipheriv } from "node:crypto";
import type { Queryable } from "../database/database.ts";
import { present } from "../present.ts";

export type PaymentNumbers = {
  /** As callers see them, in the order given. */
  told(ids: readonly number[]): number[];
  /** The ledger's own. */
  stored(told: number): number;
};

/** 26 bits beside 27: each number is a safe integer. */
const leftBits = 26;
const rightBits = 27;
const leftMask = 2 ** leftBits - 1;
const rightMask = 2 ** rightBits - 1;
const rightSize = 2 ** rightBits;
/** Four make it random against who may ask; the halves are short, so twice as many. */
const rounds = 8;
const blockWords = 4;

const known = new WeakMap<object, Promise<PaymentNumbers>>();

/** Read once a connection or pool: the row never changes. */
export function paymentNumbersOf(database: Queryable): Promise<PaymentNumbers> {
  const reading = known.get(database) ?? readPaymentNumbers(database);
  known.set(database, reading);
  reading.catch(() => known.delete(database));
  return reading;
}

async function readPaymentNumbers(database: Queryable): Promise<PaymentNumbers> {
  const { rows } = await database.query<{ toldUpTo: number; key: Buffer }>(
    'select told_up_to as "toldUpTo", key from payment_numbers',
  );
  const { toldUpTo, key } = present(rows[0], "the key of payment numbers");
  return paymentNumbers(toldUpTo, key);
}

/** @param key 32 bytes. @param toldUpTo numbers up to this stay as they are */
export function paymentNumbers(toldUpTo: number, key: Buffer): PaymentNumbers {
  return {
    told: (ids) => walk(ids, toldUpTo, (values) => permute(values, key, forwards)),
    stored: (told) => present(walk([told], toldUpTo, (values) => permute(values, key, backwards))[0], "a number"),
  };
}

const forwards = Array.from({ length: rounds }, (_, round) => round);
const backwards = forwards.toReversed();

/** Those that fall among the numbers that stay are permuted again, until none does. */
function walk(given: readonly number[], upTo: number, permuteAll: (values: number[]) => number[]): number[] {
  const moving = given.filter((value) => value > upTo);
  if (moving.length === 0) return [...given];
  const moved = walked(permuteAll(moving), upTo, permuteAll).values();
  return given.map((value) => (value > upTo ? (moved.next().value ?? 0) : value));
}

function walked(values: number[], upTo: number, permuteAll: (values: number[]) => number[]): number[] {
  const fallen = values.flatMap((value, at) => (value <= upTo ? [at] : []));
  if (fallen.length === 0) return values;
  const again = walked(permuteAll(fallen.map((at) => values[at] ?? 0)), upTo, permuteAll);
  return values.map((value, at) => (value <= upTo ? (again[fallen.indexOf(at)] ?? value) : value));
}

/** Even rounds change the left half by the right one, odd ones the right by the left: backwards undoes it. */
function permute(values: readonly number[], key: Buffer, order: readonly number[]): number[] {
  const halves = { left: new Uint32Array(values.length), right: new Uint32Array(values.length) };
  values.forEach((value, at) => {
    halves.left[at] = Math.floor(value / rightSize);
    halves.right[at] = value % rightSize;
  });
  for (const round of order) {
    if (round % 2 === 0) addNoise(halves.left, leftMask, noiseOf(halves.right, round, key));
    else addNoise(halves.right, rightMask, noiseOf(halves.left, round, key));
  }
  return values.map((_, at) => (halves.left[at] ?? 0) * rightSize + (halves.right[at] ?? 0));
}

function addNoise(halves: Uint32Array, mask: number, noise: Uint32Array): void {
  for (let at = 0; at < halves.length; at++) halves[at] = (halves[at] ?? 0) ^ ((noise[at * blockWords] ?? 0) & mask);
}

/** Each half in a block of its own with its round, encrypted: blocks of one call need no mode between them. */
function noiseOf(halves: Uint32Array, round: number, key: Buffer): Uint32Array {
  const blocks = new Uint32Array(halves.length * blockWords);
  for (let at = 0; at < halves.length; at++) {
    blocks[at * blockWords] = halves[at] ?? 0;
    blocks[at * blockWords + 1] = round;
  }
  const noise = createCipheriv("aes-256-ecb", key, null).setAutoPadding(false).update(blocks);
  // Copied: a buffer may begin at any byte.
  return new Uint32Array(noise.buffer.slice(noise.byteOffset, noise.byteOffset + noise.length));
}
