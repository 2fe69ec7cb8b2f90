/** The payee's name as every read of a transaction tells it: the interface requires one. */
import { merchantOf } from "./merchant.ts";

/**
 * The bank's own name of the merchant; where it is empty or there is none, what the description names, the description
 * itself, and for a transaction without any text its raw type.
 */
export function shownName({
  merchantName,
  description,
  rawType,
}: {
  merchantName: string | null;
  description: string;
  rawType: string;
}): string {
  if (merchantName !== null && merchantName.trim() !== "") return merchantName;
  return merchantOf(null, description).title || description.trim() || rawType;
}
