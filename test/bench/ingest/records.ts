/** The records of the benchmark of loading: the n-th is always the same. */
import { createHash } from "node:crypto";

export const recordsPerUser = 400;

/**
 * Records `from` to `from + count − 1`: of one user after the other, 400 of each; or as a night brings them, a few of each
 * of users spread over all there are.
 */
export type Range = { from: number; count: number; spread?: Spread };

/** So many records of each; every step-th user, of so many, and then those between. */
export type Spread = { each: number; step: number; users: number };

export type BenchRecord = {
  uid: string;
  type: "TX";
  account: { id: string; name: string; iban: string };
  card?: { id: string; pan4: string; cardType: string; paymentNetwork: string };
  tx: {
    txid: string;
    description: string;
    txTime: string;
    type: string;
    amount: number;
    currency: string;
    merchant: { name: string; city?: string; postCode?: string; country?: string; mcc: number };
  };
};

/**
 * Records as a bank sends them: user after user, some 380 bytes each, every third with a card and a merchant's place.
 */
export function* recordsOf({ from, count, spread }: Range): Generator<BenchRecord> {
  for (let n = from; n < from + count; n += 1) {
    const user = spread === undefined ? Math.floor(n / recordsPerUser) : spreadUser(n, spread);
    const day = String((n % 28) + 1).padStart(2, "0");
    const month = String((Math.floor(n / 28) % 12) + 1).padStart(2, "0");
    yield {
      uid: `user-${user}`,
      type: "TX",
      account: { id: `account-${user}`, name: "Lønkonto", iban: `DK5000400440${String(user).padStart(6, "0")}` },
      ...(n % 3 === 0 ? { card: { id: `card-${user}`, pan4: "1234", cardType: "DEBIT", paymentNetwork: "DK" } } : {}),
      tx: {
        txid: createHash("md5").update(String(n)).digest("hex"),
        description: `DANKORT-NOTA BUTIK ${n % 97} ${String((n * 7919) % 1_000_000).padStart(6, "0")}`,
        txTime: `2025-${month}-${day}T00:00:00Z`,
        type: "CARD_PURCHASE",
        amount: -((n * 7919) % 100_000) / 100,
        currency: "DKK",
        merchant: {
          name: `Butik ${n % 97}`,
          ...(n % 3 === 0 ? { city: "København", postCode: "2100", country: "DK" } : {}),
          mcc: 5411,
        },
      },
    };
  }
}

function spreadUser(n: number, { each, step, users }: Spread): number {
  const place = Math.floor(n / each);
  const perRound = Math.ceil(users / step);
  return ((place % perRound) * step + Math.floor(place / perRound)) % users;
}
