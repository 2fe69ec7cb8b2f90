/**
 * Money as whole minor units of one currency. Binary floats exist only at the JSON edge, and are read through their
 * shortest decimal text, so 0.1 is ten øre and never 0.1000000000000000055.
 */

/** minor: whole units of the currency's smallest denomination, a safe integer; currency: ISO 4217 alphabetic code. */
export type Money = { minor: number; currency: string };

/** ISO 4217 minor-unit exponents that differ from 2 (list one, 2026). */
const exponents: Readonly<Record<string, number>> = {
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  ISK: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  UYI: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
  CLF: 4,
  UYW: 4,
};
const exponentDefault = 2;
const decimalPattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;
/** Longer texts are no amount anyone pays; the bound keeps the big-integer path cheap on hostile input. */
const decimalLengthMax = 64;
/** Below this a double carries every cent exactly, so the fast path may trust a round trip. */
const fastMinorMax = 1e15;

/** Number of decimals of the currency's minor unit (ISO 4217; 2 for codes it does not list). */
export function exponentOf(currency: string): number {
  return exponents[currency] ?? exponentDefault;
}

/**
 * Reads a decimal text ("-12.50", "1e3") or a JSON number. More decimals than the currency has are rounded half away
 * from zero. Null: not a decimal number, not finite, or beyond the safe integers in minor units.
 */
export function parseAmount(value: string | number, currency: string): Money | null {
  const exponent = exponentOf(currency);
  if (typeof value === "number") {
    const scale = 10 ** exponent;
    const minor = Math.round(value * scale);
    if (Math.abs(minor) < fastMinorMax && minor / scale === value) return { minor: minor + 0, currency };
  }
  const decimal = decimalOf(value);
  if (decimal === null) return null;
  return checked(rescale(decimal.digits, decimal.scale, exponent), currency);
}

/** The JSON number nearest to the amount: exact in its shortest decimal text. */
export function toNumber(money: Money): number {
  return money.minor / 10 ** exponentOf(money.currency);
}

/** Decimal text with exactly the currency's decimals, for instance "-12.50", "500", "1.250". */
export function formatAmount(money: Money): string {
  const exponent = exponentOf(money.currency);
  const digits = String(Math.abs(money.minor)).padStart(exponent + 1, "0");
  const whole = digits.slice(0, digits.length - exponent);
  return `${money.minor < 0 ? "-" : ""}${whole}${exponent === 0 ? "" : `.${digits.slice(-exponent)}`}`;
}

/** Sum of amounts in one currency; zero of that currency when empty. Another currency among them is a bug. */
export function sum(amounts: readonly Money[], currency: string): Money {
  let minor = 0;
  for (const amount of amounts) {
    if (amount.currency !== currency) throw new TypeError(`cannot add ${amount.currency} to ${currency}`);
    minor += amount.minor;
  }
  if (!Number.isSafeInteger(minor)) throw new RangeError(`sum in ${currency} beyond safe integers`);
  return { minor, currency };
}

/**
 * Converts at `rate` units of the target currency for one unit of the source, rounded half away from zero.
 * Null: the rate is not a decimal number or the result is beyond the safe integers.
 */
export function convert(money: Money, rate: string | number, currency: string): Money | null {
  const decimal = decimalOf(rate);
  if (decimal === null) return null;
  const digits = BigInt(money.minor) * decimal.digits;
  return checked(rescale(digits, decimal.scale + exponentOf(money.currency), exponentOf(currency)), currency);
}

type Decimal = { digits: bigint; scale: number };

/** value = digits / 10^scale; scale may be negative. */
function decimalOf(value: string | number): Decimal | null {
  const text = typeof value === "number" ? String(value) : value.trim();
  if (text.length > decimalLengthMax) return null;
  const match = decimalPattern.exec(text);
  if (match === null) return null;
  const [, sign = "", whole = "", fraction = "", power = "0"] = match;
  if (whole === "" && fraction === "") return null;
  return { digits: BigInt(`${sign === "-" ? "-" : ""}${whole}${fraction}`), scale: fraction.length - Number(power) };
}

function rescale(digits: bigint, from: number, to: number): bigint {
  if (from <= to) return digits * 10n ** BigInt(to - from);
  const divisor = 10n ** BigInt(from - to);
  const half = digits < 0n ? -divisor / 2n : divisor / 2n;
  return (digits + half) / divisor;
}

function checked(minor: bigint, currency: string): Money | null {
  const value = Number(minor);
  return Number.isSafeInteger(value) ? { minor: value, currency } : null;
}
