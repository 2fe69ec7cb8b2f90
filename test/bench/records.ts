/**
 * Records as a bank sends them, for benchmarks: user after user, some 500 bytes each, every third with a card and a
 * place.
 */
import { createHash } from "node:crypto";

export const recordsPerUser = 400;

export function* benchRecords(from: number, count: number): Generator<object> {
  for (let n = from; n < from + count; n += 1) yield benchRecord(n);
}

function benchRecord(n: number): object {
  const user = Math.floor(n / recordsPerUser);
  const isThird = n % 3 === 0;
  const month = String((Math.floor(n / 28) % 12) + 1).padStart(2, "0");
  return {
    uid: `user-${user}`,
    type: "TX",
    account: { id: `account-${user}`, name: "Lønkonto", iban: `DK5000400440${String(user).padStart(6, "0")}` },
    ...(isThird ? { card: { id: `card-${user}`, pan4: "1234", cardType: "DEBIT", paymentNetwork: "DK" } } : {}),
    tx: {
      txid: createHash("md5").update(String(n)).digest("hex"),
      description: `DANKORT-NOTA BUTIK ${n % 97} ${String((n * 7919) % 1_000_000).padStart(6, "0")}`,
      txTime: `2025-${month}-${String((n % 28) + 1).padStart(2, "0")}T00:00:00Z`,
      type: "CARD_PURCHASE",
      amount: -((n * 7919) % 100_000) / 100,
      currency: "DKK",
      merchant: {
        name: `Butik ${n % 97}`,
        ...(isThird ? { city: "København", postCode: "2100", country: "DK" } : {}),
        mcc: 5411,
      },
    },
  };
}
