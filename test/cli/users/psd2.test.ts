/** A bank for users' connections is added, listed and removed by commands, and a wrong one is said by its option. */
import test from "ava";
import { createTestDatabase } from "../../world.ts";
import { openCommandLine } from "../command.ts";

const addresses = [
  "--xs2a-url",
  "https://xs2a.bank.example",
  "--authorize-url",
  "https://bank.example/oauth",
  "--token-url",
  "https://bank.example/token",
];

test("a bank is added, listed and removed, and each is audited", async (t) => {
  const { url, database } = await createTestDatabase(t);
  const { tideline } = await openCommandLine(t, url);
  const added = await tideline(
    "psd2",
    "bank",
    "add",
    "north-bank",
    "--name",
    "North Bank",
    "--country",
    "DK",
    ...addresses,
    "--client-id",
    "PSDDK-1",
  );
  t.is(added.code, 0, added.stderr);
  t.deepEqual(JSON.parse((await tideline("psd2", "bank", "list", "--json")).stdout), [
    { id: "north-bank", name: "North Bank", country: "DK", hasLogo: false },
  ]);
  t.is((await tideline("psd2", "bank", "remove", "north-bank")).code, 0);
  t.is((await tideline("psd2", "bank", "remove", "north-bank")).code, 1);
  const { rows } = await database.query<{ event: string }>(
    "select event from audit_events where event not like 'command.%' order by id",
  );
  t.deepEqual(
    rows.map(({ event }) => event),
    ["psd2.bank-set", "psd2.bank-removed"],
  );
});

test("what cannot be a bank is said by its option", async (t) => {
  const { url } = await createTestDatabase(t);
  const { tideline } = await openCommandLine(t, url);
  const plain = await tideline(
    "psd2",
    "bank",
    "add",
    "b",
    "--name",
    "B",
    "--country",
    "DK",
    "--xs2a-url",
    "http://bank.example",
    ...addresses.slice(2),
    "--client-id",
    "x",
  );
  t.is(plain.code, 2);
  t.regex(plain.stderr, /--xs2a-url must be an address starting with https/);
  t.is((await tideline("psd2", "bank", "add", "sandbox", "--name", "B")).code, 2);
  t.is((await tideline("psd2", "end", "nothing")).code, 2);
  t.regex((await tideline("psd2", "consents")).stdout, /No consent/);
});
