/** Ids of accounts that came from a bank that the user connected; a partner's own accounts have the partner's ids. */
import { createHash } from "node:crypto";

/** Ours and stable over consents: by the account's number, or where the bank gives none by its id of it. */
export function accountIdOf(bankId: string, { iban, resourceId }: { iban: string; resourceId: string }): string {
  return `psd2-${bankId}-${createHash("sha256")
    .update(iban === "" ? resourceId : iban)
    .digest("hex")
    .slice(0, 24)}`;
}

/** The bank of an account that came from one; null: a partner's own. */
export function bankIdOf(accountId: string): string | null {
  return /^psd2-(.+)-[0-9a-f]{24}$/.exec(accountId)?.[1] ?? null;
}
