/**
 * Finds the fields of one record in its JSON text, byte by byte, without building objects or strings. It reads what
 * senders write: the interface's keys in any order, with or without blanks, escapes in texts, further keys with simple
 * values. What it does not understand it gives up, and JSON.parse with workers/records/record.ts decides, which stay
 * the one authority on what is wrong; whatever is accepted here means there exactly the same, which a property holds.
 *
 * Measured on records of 377 bytes on a busy machine: 1.1 µs each from text to the finished row, splitting included.
 * JSON.parse alone took some 3; stream-json, which makes tokens, reaches 36 to 49 thousand records a second, which is
 * 20 µs and more.
 */
import { bits, field, type RecordFields } from "./fields.ts";
import { RecordHead } from "./record-head.ts";

/** Text to read, the same bytes twice: one by one, and four at once. */
export type Source = { bytes: Buffer; view: DataView };

/** What must stand behind the text, so that reading words needs no look at the end: more than the longest key. */
export const slackBytes = 64;

/** Returned in the offset of an end: not a record that is understood here. */
export const notUnderstood = -1;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const minus = 0x2d;
const point = 0x2e;
const braceOpen = 0x7b;
const braceClose = 0x7d;
const letterU = 0x75;

/**
 * Bytes at which the run of plain characters of a text ends: the quote, the backslash, and control characters, which
 * JSON forbids.
 */
const stops = new Uint8Array(256);
stops.fill(1, 0, 0x20);
stops[quote] = 1;
stops[backslash] = 1;

/** What may follow a backslash, but for u. */
const escapes = new Uint8Array(256);
for (const character of '"\\/bfnrt') escapes[character.charCodeAt(0)] = 1;

const hexDigits = new Int8Array(256).fill(-1);
for (const [value, character] of [..."0123456789abcdef"].entries()) {
  hexDigits[character.charCodeAt(0)] = value;
  hexDigits[character.toUpperCase().charCodeAt(0)] = value;
}

const kinds = { text: 0, number: 1, object: 2 } as const;

/** Number of the record among its objects. */
const recordItself = 30;
/** Number of a key that is not the interface's. */
const unknownKey = 31;
/** Added to an object's number: what stands before its first key. */
const firstKey = 32;

/** words: the name and its closing quote, four bytes each as a little-endian number; mask: of the last one. */
type Key = { words: Int32Array; mask: number; bytes: number; number: number };

/** The keys of each object, by length. */
const keysOf: ReadonlyMap<number, readonly (readonly Key[])[]> = new Map([
  [
    recordItself,
    keys({ uid: field.owner, type: field.recordType, account: field.account, card: field.card, tx: field.tx }),
  ],
  [field.account, keys({ id: field.accountId, name: field.accountName, iban: field.iban })],
  [
    field.card,
    keys({ id: field.cardId, pan4: field.pan4, cardType: field.cardType, paymentNetwork: field.paymentNetwork }),
  ],
  [
    field.tx,
    keys({
      txid: field.txid,
      description: field.description,
      txTime: field.txTime,
      type: field.rawType,
      amount: field.amount,
      currency: field.currency,
      originalAmount: field.originalAmount,
      originalCurrency: field.originalCurrency,
      merchant: field.merchant,
    }),
  ],
  [
    field.merchant,
    keys({
      name: field.merchantName,
      cid: field.merchantCid,
      address: field.merchantAddress,
      city: field.merchantCity,
      postCode: field.merchantPostCode,
      country: field.merchantCountry,
      mcc: field.merchantMcc,
    }),
  ],
]);

function keys(numbers: Record<string, number>): Key[][] {
  const byLength: Key[][] = Array.from({ length: 24 }, () => []);
  for (const [name, number] of Object.entries(numbers)) byLength[name.length]?.push(keyOf(name, number));
  return byLength;
}

function keyOf(name: string, number: number): Key {
  const bytes = Buffer.from(`${name}"`);
  const padded = Buffer.concat([bytes, Buffer.alloc(4)]);
  const words = Int32Array.from({ length: Math.ceil(bytes.length / 4) }, (_, word) => padded.readInt32LE(word * 4));
  return { words, mask: -1 >>> ((words.length * 4 - bytes.length) * 8), bytes: bytes.length, number };
}

const kindOf = new Uint8Array(32);
for (const number of [field.amount, field.originalAmount, field.merchantMcc]) kindOf[number] = kinds.number;
for (const number of [field.account, field.card, field.tx, field.merchant]) kindOf[number] = kinds.object;

const noKey = keyOf("", -1);

const txSeen = bits(field.tx);

/**
 * Fields that are read as something else than text, or compared with others: escapes in them are left to the other way.
 */
const neverEscaped = bits(
  field.owner,
  field.recordType,
  field.txid,
  field.txTime,
  field.currency,
  field.originalCurrency,
  field.accountId,
  field.cardId,
);

/** Reads records one after the other; what it learns of one, the order of the keys, it expects of the next. */
export class JsonRecordReader {
  readonly #fields: RecordFields;
  readonly #head: RecordHead;
  #bytes: Uint8Array = Buffer.alloc(0);
  #view: DataView = new DataView(new ArrayBuffer(0));
  #seen = 0;
  /**
   * Which key followed a key last time, and which one came first in an object; and the one before that: where a card or a
   * place is told of some payments only, two come in turns.
   */
  readonly #next: Key[] = Array.from({ length: 32 + firstKey }, () => noKey);
  readonly #nextElse: Key[] = Array.from({ length: 32 + firstKey }, () => noKey);

  constructor(fields: RecordFields) {
    this.#fields = fields;
    this.#head = new RecordHead(fields);
  }

  /**
   * @param source UTF-8, with slackBytes behind the last record
   * @returns the offset behind the record that begins at `from`, or notUnderstood
   */
  read({ bytes, view }: Source, from: number): number {
    this.#bytes = bytes;
    this.#view = view;
    const head = this.#head;
    if (head.resume(view, from)) {
      this.#seen = head.seen;
      return this.#members(from + head.bytes, recordItself, head.last);
    }
    this.#seen = 0;
    this.#fields.present = 0;
    this.#fields.escaped = 0;
    head.begin(from);
    return this.#object(from, recordItself);
  }

  #object(from: number, owner: number): number {
    const at = this.#skipBlanks(from + 1);
    return this.#bytes[at] === braceClose ? at + 1 : this.#members(at, owner, owner + firstKey);
  }

  /** @param from where a key begins; `key`: the number of the one before it */
  #members(from: number, owner: number, key: number): number {
    const bytes = this.#bytes;
    let at = from;
    for (let last = key; ;) {
      if (bytes[at] !== quote) return notUnderstood;
      let expected = this.#next[last] as Key;
      let isExpected = isNamed(this.#view, at + 1, expected);
      if (!isExpected) {
        expected = this.#nextElse[last] as Key;
        isExpected = isNamed(this.#view, at + 1, expected);
      }
      let number = expected.number;
      let end = at + 1 + expected.bytes;
      if (!isExpected || number < 0) {
        end = this.#endOfKey(at + 1);
        if (end < 0) return notUnderstood;
        number = this.#learn(owner, last, at + 1, end);
      }
      if (bytes[end] !== colon) end = this.#skipBlanks(end);
      if (bytes[end] !== colon) return notUnderstood;
      at = this.#value((bytes[end + 1] as number) > 0x20 ? end + 1 : this.#skipBlanks(end + 1), number);
      if (at < 0) return notUnderstood;
      if ((bytes[at] as number) <= 0x20) at = this.#skipBlanks(at);
      if (bytes[at] === braceClose) return at + 1;
      if (bytes[at] !== comma) return notUnderstood;
      at += 1;
      if ((bytes[at] as number) <= 0x20) at = this.#skipBlanks(at);
      last = number === unknownKey ? last : number;
      if (owner === recordItself && (this.#seen & txSeen) === 0) this.#head.note(bytes, at, last, this.#seen);
    }
  }

  /** Behind a key's closing quote; a key with escapes is not understood. */
  #endOfKey(from: number): number {
    const bytes = this.#bytes;
    let at = from;
    while (stops[bytes[at] as number] === 0) at += 1;
    return bytes[at] === quote ? at + 1 : notUnderstood;
  }

  /** The number of a key that was not the expected one, which is expected from now on. */
  #learn(owner: number, last: number, from: number, end: number): number {
    const candidates = keysOf.get(owner)?.[end - from - 1] ?? [];
    for (const key of candidates) {
      if (!isNamed(this.#view, from, key)) continue;
      this.#nextElse[last] = this.#next[last] as Key;
      this.#next[last] = key;
      return key.number;
    }
    return unknownKey;
  }

  /** @returns the offset behind the value */
  #value(at: number, number: number): number {
    const first = this.#bytes[at];
    if (number === unknownKey) return this.#skipSimple(at);
    // Of a key that comes twice JSON.parse takes the last.
    if ((this.#seen & (1 << number)) !== 0) return notUnderstood;
    this.#seen |= 1 << number;
    const kind = kindOf[number];
    if (kind === kinds.text && first === quote) return this.#text(at + 1, number);
    if (kind === kinds.number && first !== 0x6e) return this.#field(at, this.#endOfNumber(at), number);
    if (kind === kinds.object && first === braceOpen) return this.#field(at, this.#object(at, number), number);
    return this.#isWord(at, "null") ? at + 4 : notUnderstood;
  }

  #field(from: number, end: number, number: number): number {
    if (end < 0) return notUnderstood;
    this.#fields.starts[number] = from;
    this.#fields.ends[number] = end;
    this.#fields.present |= 1 << number;
    return end;
  }

  #text(from: number, number: number): number {
    let at = endOfPlain(this.#bytes, this.#view, from);
    if (this.#bytes[at] !== quote) {
      at = (neverEscaped & (1 << number)) === 0 ? this.#textWithEscapes(at) : notUnderstood;
      if (at < 0) return notUnderstood;
      this.#fields.escaped |= 1 << number;
    }
    this.#fields.starts[number] = from;
    this.#fields.ends[number] = at;
    this.#fields.present |= 1 << number;
    return at + 1;
  }

  /** From a stop on. @returns the offset of the closing quote */
  #textWithEscapes(from: number): number {
    const bytes = this.#bytes;
    let at = from;
    while (bytes[at] === backslash) {
      at = this.#escape(at + 1);
      if (at < 0) return notUnderstood;
      at = endOfPlain(this.#bytes, this.#view, at);
    }
    return bytes[at] === quote ? at : notUnderstood;
  }

  /**
   * What follows a backslash; NUL and halves of surrogate pairs are left to the other way, which refuses or joins them.
   */
  #escape(at: number): number {
    const bytes = this.#bytes;
    if (bytes[at] !== letterU) return escapes[bytes[at] as number] === 1 ? at + 1 : notUnderstood;
    const unit = hexUnit(bytes, at + 1);
    return unit <= 0 || (unit >= 0xd800 && unit <= 0xdfff) ? notUnderstood : at + 5;
  }

  /** Behind a number without an exponent. */
  #endOfNumber(from: number): number {
    const bytes = this.#bytes;
    let at = bytes[from] === minus ? from + 1 : from;
    const whole = at;
    while (isDigit(bytes[at])) at += 1;
    if (at === whole || (bytes[whole] === 0x30 && at > whole + 1)) return notUnderstood;
    if (bytes[at] !== point) return at;
    const fraction = at + 1;
    for (at = fraction; isDigit(bytes[at]);) at += 1;
    return at === fraction ? notUnderstood : at;
  }

  /** The value of a key that means nothing here. */
  #skipSimple(at: number): number {
    const first = this.#bytes[at];
    if (first === quote) {
      const end = this.#textWithEscapes(endOfPlain(this.#bytes, this.#view, at + 1));
      return end < 0 ? notUnderstood : end + 1;
    }
    for (const word of ["null", "true", "false"]) if (this.#isWord(at, word)) return at + word.length;
    return this.#endOfNumber(at);
  }

  #isWord(at: number, word: string): boolean {
    for (let n = 0; n < word.length; n += 1) if (this.#bytes[at + n] !== word.charCodeAt(n)) return false;
    return true;
  }

  #skipBlanks(from: number): number {
    const bytes = this.#bytes;
    let at = from;
    while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at += 1;
    return at;
  }
}

/**
 * The offset of the first quote, backslash or control character, or the end. Four bytes at once: a byte is found by what
 * it borrows when something is taken from it (Mycroft's test), which may err only behind a byte that is found. With one
 * bit turned the quote comes right behind the control characters, and one test finds both.
 */
export function endOfPlain(bytes: Uint8Array, view: DataView, from: number): number {
  const lastWord = bytes.length - 4;
  let at = from;
  for (; at <= lastWord; at += 4) {
    const word = view.getInt32(at, true);
    const turned = word ^ 0x02020202;
    const backslashes = word ^ 0x5c5c5c5c;
    const found = (((turned - 0x21212121) & ~turned) | ((backslashes - 0x01010101) & ~backslashes)) & 0x80808080;
    if (found !== 0) return at + ((31 - Math.clz32(found & -found)) >> 3);
  }
  while (at < bytes.length && stops[bytes[at] as number] === 0) at += 1;
  return at;
}

/** Whether the key's name and closing quote stand there. */
function isNamed(view: DataView, at: number, key: Key): boolean {
  const { words } = key;
  const last = words.length - 1;
  for (let word = 0; word < last; word += 1) if (view.getInt32(at + word * 4, true) !== words[word]) return false;
  return ((view.getInt32(at + last * 4, true) ^ (words[last] as number)) & key.mask) === 0;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

/** The UTF-16 unit that four hexadecimal digits stand for; −1 when they are none. */
export function hexUnit(bytes: Uint8Array, at: number): number {
  let unit = 0;
  for (let n = at; n < at + 4; n += 1) {
    const digit = hexDigits[bytes[n] as number] ?? -1;
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}
