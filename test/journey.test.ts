/**
 * One customer's way through the whole house, as a bank lives it: onboard, create the customer, history as a file over
 * SFTP, today's payment over HTTPS, log in, read. Everything is real: doors, threads, queue, database.
 */
import test from "ava";
import type { RawTransaction } from "../src/interface/record.ts";
import { readCredentials } from "../src/sender/credentials.ts";
import { openHttpsDoor } from "../src/sender/https-door.ts";
import { sendThrough } from "../src/sender/send-through.ts";
import { openSftpDoor } from "../src/sender/sftp-door.ts";
import { readSftpCredentials } from "../src/sender/credentials.ts";
import { waitForReceipt } from "../src/sender/upload.ts";
import { type Bank, clientOf, logIn, onboardBank, openHouse, payment, until } from "./journey-bank.ts";
import { createTestDatabase } from "./world.ts";

test("a customer's history travels from the bank's file to the payments to expect", async (t) => {
  const { tideline, folder } = await openHouse(t, (await createTestDatabase(t)).urls);
  const credentialsFolder = await onboardBank(tideline, folder);
  const credentials = await readCredentials(credentialsFolder);
  const bank = clientOf(tideline);

  // The customer exists, and has nothing to show yet: reads say when to ask again.
  t.is((await bank("POST", "/users", { bankUserId: "ingrid", brand: "fjord-no", locale: "nb-NO" })).status, 201);
  const token = await logIn(bank, credentialsFolder, "ingrid");
  const early = await bank("GET", "/services", undefined, token);
  t.is(early.status, 202);
  t.truthy(early.headers["retry-after"]);

  // Two years of history land as one encrypted file; the receipt adds up.
  const sftp = await openSftpDoor(credentials, { name: "history.jwe", format: "jwe", spoolDirectory: folder });
  const sent = await sendThrough({ records: historyOf("ingrid"), partnerId: "fjord", door: sftp, complete: true });
  await sftp.close();
  t.like(sent, { outcome: "complete", recordsSent: 27, markersSent: 1 });
  const receipt = await waitForReceipt(await readSftpCredentials(credentials), sent.file!.name);
  t.like(receipt, { state: "loaded" });
  t.like(receipt.counts, { records: 28, new: 27, known: 0, conflicting: 0, refused: 0, waiting: 0, markers: 1 });

  // The import is complete, so the overview appears by itself.
  const list = await readServices(bank, token);
  t.deepEqual(
    list.services.map((service) => [service.product.title, service.paymentFrequency, service.amount]),
    [
      ["Netflix", "MONTHLY", 129],
      ["Storebrand Forsikring", "YEARLY", 4200],
    ],
  );

  // Today's payment comes over HTTPS, twice because the line broke: it counts once, and the price is the new one.
  const https = await openHttpsDoor(credentials);
  const [netflix] = list.services;
  for (const _ of [1, 2])
    await sendThrough({
      records: [payment("ingrid", "n-24", "2026-10-12", "Netflix", -139)],
      partnerId: "fjord",
      door: https,
      complete: false,
    });
  await https.close();
  const changed = await until(
    () => bank("GET", `/services/${netflix!.id}`, undefined, token).then((answer) => answer.json as Service),
    (service) => service.payments.length === 25,
  );
  t.like(changed, { amount: 139, status: "ACTIVE", nextExpectedTransactionDate: "2026-11-12" });

  // What is to be paid next, and what was paid.
  const upcoming = (await bank("GET", "/upcoming-payments", undefined, token)).json as {
    serviceId: string;
    expectedPaymentDate: string;
  }[];
  t.deepEqual(
    upcoming.map((one) => one.expectedPaymentDate),
    ["2026-11-12", "2027-03-01"],
  );
  const transactions = (await bank("GET", "/transactions?limit=1", undefined, token)).json as {
    transactionDate: string;
    serviceId: string;
    amount: number;
  }[];
  t.like(transactions[0], { transactionDate: "2026-10-12", serviceId: netflix!.id, amount: -139 });

  // The customer leaves: the token is dead at once.
  t.is((await bank("DELETE", "/users", undefined, token)).status, 202);
  t.is((await bank("GET", "/services", undefined, token)).status, 401);
});

type Service = {
  id: string;
  amount: number;
  paymentFrequency: string;
  product: { title: string };
  payments: unknown[];
};
/** Twenty-four months of a streaming service, two yearly insurance bills, one bakery. */
function historyOf(uid: string): RawTransaction[] {
  const months = Array.from({ length: 24 }, (_, index) =>
    new Date(Date.UTC(2024, 9 + index, 12)).toISOString().slice(0, 10),
  );
  return [
    ...months.map((day, index) => payment(uid, `n-${index}`, day, "Netflix", -129)),
    payment(uid, "s-1", "2025-03-01", "Storebrand Forsikring", -4200, 6300),
    payment(uid, "s-2", "2026-03-01", "Storebrand Forsikring", -4200, 6300),
    payment(uid, "b-1", "2026-05-20", "Bakeriet", -48.5, 5462),
  ];
}

async function readServices(bank: Bank, token: string): Promise<{ services: Service[] }> {
  const answer = await until(
    () => bank("GET", "/services", undefined, token),
    ({ status }) => status === 200,
  );
  return answer.json as { services: Service[] };
}
