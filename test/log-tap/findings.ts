/**
 * What a line of a log must never hold: personal data and secrets, known by their form, and texts that the tests use.
 */

/** kind: what it is; field: where it stood; the value itself is not told. */
export type Finding = { kind: string; event: string; field: string };

/** Known by their form, wherever they come from. */
const forms: readonly { kind: string; pattern: RegExp; holds?: (text: string) => boolean }[] = [
  { kind: "private key", pattern: /-----BEGIN [A-Z ]*PRIVATE KEY/ },
  { kind: "signed or encrypted token", pattern: /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*\./ },
  { kind: "webhook secret", pattern: /\bwhsec_[A-Za-z0-9+/=]{8,}/ },
  { kind: "bearer", pattern: /\bbearer +[A-Za-z0-9._~+/-]{8,}/i },
  { kind: "password in an address", pattern: /:\/\/[^/\s:@]*:[^/\s:@]+@/ },
  { kind: "IBAN", pattern: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/g, holds: isIban },
  { kind: "card number", pattern: /(?<![\w.-])\d{4}(?:[ -]?\d{4}){2}[ -]?\d{1,7}(?![\w.-])/g, holds: isCardNumber },
  { kind: "amount", pattern: /(?<![\w.:-])-?\d{1,9}[.,]\d{2} ?(?:DKK|SEK|NOK|EUR|GBP|USD|PLN|CZK|CHF|kr)\b/ },
  { kind: "JSON text", pattern: /"(?:description|merchant|iban|accountName|bankUserId|txid)\\?" ?:/ },
];

/** @param texts such as descriptions and names; short ones occur in any text and are not looked for */
export function findingsIn(line: string, texts: readonly string[]): Finding[] {
  const findings: Finding[] = [];
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    entry = { text: line };
  }
  const event = typeof entry === "object" && entry !== null && "event" in entry ? String(entry.event) : "";
  visit(entry, "", (field, text) => {
    for (const kind of kindsIn(text, texts)) findings.push({ kind, event, field });
  });
  return findings;
}

function kindsIn(text: string, texts: readonly string[]): string[] {
  const kinds = forms
    .filter(({ pattern, holds }) =>
      holds === undefined ? pattern.test(text) : (text.match(pattern) ?? []).some(holds),
    )
    .map(({ kind }) => kind);
  return texts.some((one) => text.includes(one)) ? [...kinds, "text of a test"] : kinds;
}

function visit(value: unknown, field: string, look: (field: string, text: string) => void): void {
  if (typeof value === "string") look(field, value);
  else if (typeof value === "object" && value !== null)
    for (const [name, inner] of Object.entries(value)) visit(inner, field === "" ? name : `${field}.${name}`, look);
}

/** ISO 13616: the remainder by 97 is 1. */
function isIban(text: string): boolean {
  const plain = text.replaceAll(" ", "");
  if (plain.length < 15 || plain.length > 34) return false;
  const digits = [...plain.slice(4), ...plain.slice(0, 4)].map((one) => Number.parseInt(one, 36)).join("");
  return BigInt(digits) % 97n === 1n;
}

/** ISO 7812: Luhn's check digit. */
function isCardNumber(text: string): boolean {
  const digits = [...text.replaceAll(/\D/g, "")].toReversed().map(Number);
  if (digits.length < 13 || digits.length > 19) return false;
  const sum = digits.reduce(
    (total, digit, place) => total + (place % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)),
    0,
  );
  return sum % 10 === 0;
}
