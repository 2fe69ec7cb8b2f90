/** The client of banks against a bank that answers what a test wants. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import test, { type ExecutionContext } from "ava";
import { connectBerlinGroup } from "../../src/psd2/berlin-group.ts";

const booking = (transactionId: string) => ({
  transactionId,
  bookingDate: "2026-06-01",
  transactionAmount: { currency: "DKK", amount: "-99.50" },
});

/** @param pages answers by the path and query under which they are asked for */
async function openBank(t: ExecutionContext, pages: (host: string) => Record<string, object>): Promise<string> {
  const server = createServer((request, response) => {
    const page = pages(`http://${request.headers.host}`)[request.url ?? ""];
    response
      .writeHead(page === undefined ? 404 : 200, { "content-type": "application/json" })
      .end(JSON.stringify(page ?? {}));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  t.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function connect(host: string) {
  return connectBerlinGroup({
    xs2aUrl: `${host}/psd2`,
    authorizeUrl: host,
    tokenUrl: host,
    clientId: "c",
    guard: { allowsPrivateAddresses: true, authority: undefined, clientCertificate: undefined },
  });
}

const first = "/psd2/v1/accounts/a/transactions?dateFrom=2026-05-01&bookingStatus=booked";

for (const [what, next] of [
  ["a whole address", (host: string) => `${host}/psd2/v1/accounts/a/transactions?page=2`],
  ["a path from the host's root", () => "/psd2/v1/accounts/a/transactions?page=2"],
  ["a path from the interface's root", () => "/v1/accounts/a/transactions?page=2"],
] as const) {
  test(`further pages are found under ${what}`, async (t) => {
    const host = await openBank(t, (of) => ({
      [first]: { transactions: { booked: [booking("b-1")], _links: { next: { href: next(of) } } } },
      "/psd2/v1/accounts/a/transactions?page=2": { transactions: { booked: [booking("b-2")] } },
    }));
    const ids: string[] = [];
    for await (const { id } of connect(host).listTransactions("consent", "token", "a", "2026-05-01")) ids.push(id);
    t.deepEqual(ids, ["b-1", "b-2"]);
  });
}

test("a balance's time that is none, and a name that cannot be stored, hold up nothing", async (t) => {
  const startedAt = Date.now();
  const balanceAmount = { currency: "DKK", amount: "100.00" };
  const balances = [
    { lastChangeDateTime: "2026-06-15T12:00:00Z" },
    { lastChangeDateTime: "soon", referenceDate: "2026-06-14" },
    { referenceDate: "2026-02-30" },
    { lastChangeDateTime: "2026-06-15T25:00:00Z" },
    {},
  ];
  const host = await openBank(t, () => ({
    "/psd2/v1/accounts?withBalance=true": {
      accounts: balances.map((balance, at) => ({
        resourceId: `r-${at}`,
        currency: "DKK",
        name: "L\0n \ud800",
        balances: [{ balanceAmount, ...balance }],
      })),
    },
  }));
  const accounts = await connect(host).listAccounts("consent", "token");
  t.deepEqual(
    accounts.slice(0, 2).map(({ balance }) => balance?.observedAt),
    ["2026-06-15T12:00:00Z", "2026-06-14"],
  );
  for (const { balance } of accounts.slice(2)) t.true(Date.parse(balance!.observedAt) >= startedAt);
  t.true(accounts.every(({ name }) => name === "L n \ufffd"));
});
