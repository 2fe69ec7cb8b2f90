/** What a bank sends: encrypted batches over HTTPS, by no code of the service's own. */
import { randomUUID } from "node:crypto";
import { CompactEncrypt, importJWK } from "jose";
import type { Answer, Partner } from "../outside/partner.ts";
import type { Address, World } from "./attack.ts";

export type Payment = { txid: string; day: string; amount: number; description: string; type: string };

/** One request with the records as they are. @returns how it was answered */
export async function push(world: World, from: Address, partner: Partner, records: readonly object[]): Promise<Answer> {
  const key = await partner.batchKey();
  const txs = await new CompactEncrypt(Buffer.from(JSON.stringify(records)))
    .setProtectedHeader({ alg: "RSA-OAEP", enc: "A256GCM", kid: key.kid })
    .encrypt(await importJWK(key, "RSA-OAEP"));
  const body = { reqId: randomUUID(), txs };
  return await world.call(from, "POST", `/partner/${partner.id}/2.0.0/transactions`, { body });
}

export function payments(uid: string, rows: readonly Payment[]): object[] {
  return rows.map(({ txid, day, amount, description, type }) => ({
    uid,
    type: "TX",
    account: { id: `account-${uid}`, name: "Account", iban: "DK5000400440116243" },
    tx: {
      txid,
      description,
      txTime: `${day}T00:00:00Z`,
      type,
      amount,
      currency: "DKK",
      merchant: { name: description },
    },
  }));
}

export const imported = (uid: string): object => ({ uid, type: "IMPORT_COMPLETED" });

/** A salary on the first and rent on the second of thirteen months, this one the last: what has stopped is no income. */
export function year(uid: string, salary: number, rent: number): object[] {
  const months = Array.from({ length: 13 }, (_, back) => {
    const day = new Date();
    day.setUTCDate(1);
    day.setUTCMonth(day.getUTCMonth() - back);
    return day.toISOString().slice(0, "2026-06".length);
  });
  return payments(
    uid,
    months.flatMap((month) => [
      {
        txid: `${uid} salary ${month}`,
        day: `${month}-01`,
        amount: salary,
        description: "LØNOVERFØRSEL",
        type: "SALARY",
      },
      { txid: `${uid} rent ${month}`, day: `${month}-02`, amount: -rent, description: "HUSLEJE", type: "DIRECT_DEBIT" },
    ]),
  );
}
