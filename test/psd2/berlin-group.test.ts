/** The client of banks against a bank that answers what a test wants. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import test, { type ExecutionContext } from "ava";
import { connectBerlinGroup } from "../../src/psd2/berlin-group.ts";

const booking = (transactionId: string) => ({ transactionId, bookingDate: "2026-06-01", transactionAmount: { currency: "DKK", amount: "-99.50" } });

/** @param pages answers by the path and query under which they are asked for */
async function openBank(t: ExecutionContext, pages: (host: string) => Record<string, object>): Promise<string> {
  const server = createServer((request, response) => {
    const page = pages(`http://${request.headers.host}`)[request.url ?? ""];
    response.writeHead(page === undefined ? 404 : 200, { "content-type": "application/json" }).end(JSON.stringify(page ?? {}));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  t.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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
    const bank = connectBerlinGroup({
      xs2aUrl: `${host}/psd2`, authorizeUrl: host, tokenUrl: host, clientId: "c", guard: { allowsPrivateAddresses: true, authority: undefined, clientCertificate: undefined },
    });
    const ids: string[] = [];
    for await (const { id } of bank.listTransactions("consent", "token", "a", "2026-05-01")) ids.push(id);
    t.deepEqual(ids, ["b-1", "b-2"]);
  });
}
