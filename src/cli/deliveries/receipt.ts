/** Receipts after a command. */
import { rememberReceiptKey } from "../../deliveries/receipt-files/key.ts";
import { createReceipts } from "../../landing/receipt.ts";
import { realDisk } from "../../deliveries/receipt-files/writing.ts";
import type { Session } from "../service/session.ts";

/**
 * Where no service runs, a command writes the receipt that it made due. A running one does it within seconds: this
 * machine may not hold its landing folder, and what another account writes there the service may not be able to read.
 */
export async function writeReceiptWhenAlone(session: Session, deliveryId: string): Promise<void> {
  if (session.alone)
    await createReceipts(
      session.database,
      session.folder.landing,
      realDisk,
      rememberReceiptKey(session.database, await session.keyEncryptionKey()),
    ).write(deliveryId);
}
