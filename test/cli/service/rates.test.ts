/** The rates command loads the publisher's files and says how old what is there is. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import test from "ava";
import { strToU8, zipSync } from "fflate";
import { createTestDatabase } from "../../world.ts";
import { openCommandLine } from "../command.ts";

test("rates are loaded from a file, once, and tell their age by the business clock", async (t) => {
  const { url } = await createTestDatabase(t);
  const { tideline, dataDir } = await openCommandLine(t, url, { TIDELINE_AS_OF: "2024-03-08" });
  t.is((await tideline("rates")).stdout, "Exchange rates: there are none\n");
  const file = path.join(dataDir, "eurofxref-hist.zip");
  const table = "Date,USD,DKK,\n2024-03-01,1.0813,7.4538,\n2024-02-29,1.0826,7.4536,\n";
  await writeFile(file, zipSync({ "eurofxref-hist.csv": strToU8(table) }));
  t.is((await tideline("rates", "load", file)).stdout, "Rates of 2 days added; the newest are of 2024-03-01.\n");
  t.deepEqual(JSON.parse((await tideline("rates", "load", file, "--json")).stdout), { days: 0, newest: "2024-03-01" });
  t.is((await tideline("rates")).stdout, "Exchange rates: the newest are of 2024-03-01\n");
  t.deepEqual(JSON.parse((await tideline("rates", "--json")).stdout), {
    newest: "2024-03-01",
    bankingDays: 4,
    isOld: false,
  });
  const later = await openCommandLine(t, url, { TIDELINE_AS_OF: "2024-03-11" });
  t.is((await later.tideline("rates")).stdout, "Exchange rates: the newest are of 2024-03-01, 5 banking days ago\n");
});

test("what is no file of rates is refused, and an address of our own network is not called", async (t) => {
  const { url } = await createTestDatabase(t);
  const { tideline, dataDir } = await openCommandLine(t, url);
  const page = path.join(dataDir, "page.html");
  await writeFile(page, "<!doctype html><p>Not found</p>");
  const refused = await tideline("rates", "load", page);
  t.is(refused.code, 1);
  t.regex(refused.stderr, /^tideline: RATES_UNREADABLE: /);
  t.regex((await tideline("rates", "load", path.join(dataDir, "none.zip"))).stderr, /NOT_FOUND/);
  t.regex((await tideline("rates", "load", "https://127.0.0.1:1/rates")).stderr, /RATES_UNREACHABLE.*ADDRESS_PRIVATE/);
  t.is((await tideline("rates", "load")).code, 2);
  t.is((await tideline("rates", page)).code, 2);
});
