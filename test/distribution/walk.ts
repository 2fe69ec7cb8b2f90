/** A bank and its customers at work on a service, so that every stage of the hot path says to the database what it says. */
import { setTimeout as wait } from "node:timers/promises";
import type { ExecutionContext } from "ava";
import type { RawTransaction } from "../../src/interface/record.ts";
import type { Tideline } from "../../src/main.ts";
import { readCredentials, readSftpCredentials } from "../../src/sender/credentials.ts";
import { openHttpsDoor } from "../../src/sender/https-door.ts";
import { sendThrough } from "../../src/sender/send-through.ts";
import { openSftpDoor } from "../../src/sender/sftp-door.ts";
import { waitForReceipt } from "../../src/sender/upload.ts";
import { given } from "../api/budget-world.ts";
import { type Bank, clientOf, logIn, onboardBank, payment, until } from "../journey-bank.ts";

type House = { tideline: Tideline; folder: string };
type Customers = { bank: Bank; credentialsFolder: string };

const months = Array.from({ length: 24 }, (_, index) =>
  new Date(Date.UTC(2024, 9 + index, 12)).toISOString().slice(0, 10),
);
/** Beyond what is committed beside its row. */
const roomyPurchases = 700;

/** What an operator does. */
export async function onboard({ tideline, folder }: House): Promise<Customers> {
  return { bank: clientOf(tideline), credentialsFolder: await onboardBank(tideline, folder) };
}

/** Files of both sizes and pushes; what is new, what is known, what the bank corrects; then everything that is computed. */
export async function sendAll(t: ExecutionContext, { folder }: House, { bank, credentialsFolder }: Customers) {
  for (const bankUserId of ["ingrid", "olav"])
    t.is((await bank("POST", "/users", { bankUserId, brand: "fjord-no", locale: "nb-NO" })).status, 201);
  const credentials = await readCredentials(credentialsFolder);
  const upload = async (name: string, records: readonly RawTransaction[]) => {
    const door = await openSftpDoor(credentials, { name, format: "jwe", spoolDirectory: folder });
    const sent = await sendThrough({ records, partnerId: "fjord", door, complete: true });
    await door.close();
    t.is(sent.outcome, "complete");
    t.like(await waitForReceipt(await readSftpCredentials(credentials), sent.file?.name ?? ""), { state: "loaded" });
  };
  const push = async (records: readonly RawTransaction[]) => {
    const door = await openHttpsDoor(credentials);
    t.is((await sendThrough({ records, partnerId: "fjord", door, complete: false })).outcome, "complete");
    await door.close();
  };
  await upload("small.jwe", historyOf("ingrid"));
  await upload("large.jwe", [...historyOf("olav"), ...purchasesOf("olav")]);
  await upload("again.jwe", historyOf("ingrid"));
  await push([payment("ingrid", "n-24", "2026-10-12", "Netflix", -139)]);
  await push([
    payment("ingrid", "n-24", "2026-10-12", "Netflix", -139),
    payment("olav", "new", "2026-10-13", "Kiwi", -9),
  ]);
}

/** Every read, and what customers do, of figures and of a budget. */
export async function live(t: ExecutionContext, { bank, credentialsFolder }: Customers): Promise<void> {
  const token = await logIn(bank, credentialsFolder, "ingrid");
  const asked = async (method: string, at: string, body?: unknown, status = 200): Promise<unknown> => {
    const answer = await bank(method, at, body, token);
    t.is(answer.status, status, `${method} ${at}: ${JSON.stringify(answer.json)}`);
    return answer.json;
  };
  const ready = (at: string) =>
    until(
      () => bank("GET", at, undefined, token),
      ({ status }) => status === 200,
    );
  await until(
    () => ready("/services").then(({ json }) => json as Listed),
    ({ services }) => services.some((one) => one.amount === 139),
  );
  const { services } = (await asked("GET", "/services")) as Listed;
  const service = services[0]?.id ?? "";
  for (const at of [
    `/services/${service}`,
    "/services?visibility=HIDDEN",
    "/upcoming-payments",
    "/income",
    "/budget-categories",
  ])
    await asked("GET", at);
  await asked("PUT", `/services/${service}/hidden`, { hidden: true });
  await asked("PUT", `/services/${service}/hidden`, { hidden: false });
  const [bought] = (await asked("GET", "/transactions?limit=50")) as { id: string }[];
  await asked("POST", "/crowdsourcing", { id: bought?.id ?? "", paymentFrequency: "MONTHLY" }, 201);
  await asked("PUT", "/alerts/seen", []);
  await asked("PUT", "/accounts", ["acc-1"]);
  const balance = { amount: 120.5, currency: "NOK", date: "2026-10-14T10:00:00Z" };
  await bank("PUT", "/accounts-balances", { accounts: [{ id: "acc-1", name: "Brukskonto", balance }] }, token);

  const { id } = (await asked("POST", "/budgets", { userData: given })) as { id: string };
  const budget = `/budgets/${id}`;
  await ready(budget);
  await until(
    () => bank("GET", `${budget}/details`, undefined, token),
    ({ status }) => status === 200,
  );
  await asked("GET", `${budget}/user-data`);
  const next = await bank("GET", `${budget}/questions/next`, undefined, token);
  if (next.status === 200)
    await asked("POST", `${budget}/questions/${(next.json as { id: string }).id}/skips`, undefined, 201);
  await asked("POST", `${budget}/categories/FOOD_GROCERIES/adjustments`, { amount: 900, frequency: "MONTHLY" });
  await asked("POST", `${budget}/comment`, { comment: "Both of us." });
  await asked("POST", `${budget}/completions`, { status: "ACCEPTED" });
  await asked("DELETE", "/users", undefined, 202);
}

/** So long whoever looks by itself has looked. */
export async function rest(): Promise<void> {
  await wait(1500);
}

type Listed = { services: { id: string; amount: number }[] };

function historyOf(uid: string): RawTransaction[] {
  return months.flatMap((day, index) => [
    payment(uid, `n-${index}`, day, "Netflix", -129),
    payment(uid, `k-${index}`, day, "Kiwi", -300 - index, 5411),
    payment(uid, `l-${index}`, day, "Lønn", 30_000, 0),
  ]);
}

function purchasesOf(uid: string): RawTransaction[] {
  return Array.from({ length: roomyPurchases }, (_, index) =>
    payment(uid, `p-${index}`, months[index % months.length] ?? "", `Butikk ${index}`, -10 - index, 5411),
  );
}
