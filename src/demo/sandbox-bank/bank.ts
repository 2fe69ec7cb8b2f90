/**
 * The sandbox bank as users choose it: a bank like any other, reached over HTTPS, but for users of partners alone that
 * are marked as trying things out.
 */
import type { Queryable } from "../../database/database.ts";
import type { Bank } from "../../psd2/banks.ts";

export type SandboxAddress = {
  /** Where this server reaches itself, and by whose authority. */
  ownUrl: string;
  authority: string;
  /** Where users' browsers reach it. */
  publicUrl: string;
};

export function sandboxBank({ ownUrl, authority, publicUrl }: SandboxAddress): Bank {
  return {
    id: "sandbox",
    name: "Sandbox Bank",
    country: "",
    xs2aUrl: `${ownUrl}/sandbox-bank/psd2`,
    tokenUrl: `${ownUrl}/sandbox-bank/token`,
    authorizeUrl: `${publicUrl}/sandbox-bank/authorize`,
    clientId: "tideline",
    guard: { allowsPrivateAddresses: true, authority, clientCertificate: undefined },
  };
}

/** @param partnerId null: whether any partner is marked at all */
export async function isForSandbox(database: Queryable, partnerId: string | null): Promise<boolean> {
  const { rows } = await database.query(
    `select 1
       from partners
      where (id = $1 or $1 is null)
        and settings -> 'psd2' -> 'sandbox' = 'true'
      limit 1`,
    [partnerId],
  );
  return rows.length > 0;
}
