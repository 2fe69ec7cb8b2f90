/**
 * What commands read, from their first line to their last: people wait for it at each of them.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import { monthlyPaid, openRecognised } from "../api/recognised.ts";
import { addDelivery, addPartner, addUser } from "../parties.ts";
import { createTestDatabase } from "../world.ts";
import { openCommandLine } from "./command.ts";
import { among, tellingReads } from "./reads.ts";

/** What describes, serves, queues, migrates, signs or opens what is sealed. */
const notOfCommands = [
  "typebox",
  "fastify",
  "knex",
  "lodash",
  "bullmq",
  "ioredis",
  "semver",
  "jose",
  "node-jose",
  "openpgp",
  "ssh2",
  "@peculiar/x509",
  "pdfkit",
  "piscina",
];

/** Runs commands on a database. @returns the URLs that one read, once it has done what it was asked for */
async function openReading(t: ExecutionContext, url: string): Promise<(...command: string[]) => Promise<string[]>> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-read-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, "read.json");
  const { tideline } = await openCommandLine(t, url, { NODE_OPTIONS: tellingReads(file) });
  return async (...command) => {
    const { code, stderr } = await tideline(...command);
    t.is(code, 0, stderr);
    return JSON.parse(await readFile(file, "utf8")) as string[];
  };
}

const plain: Record<string, string[]> = {
  "src/cli/users/user.ts": ["user", "list", "--partner", "bank"],
  "src/cli/deliveries/status.ts": ["status"],
  "src/cli/partner/partner.ts": ["partner", "list"],
  "src/cli/service/audit.ts": ["audit"],
};

for (const [file, command] of Object.entries(plain))
  test(`tideline ${command.join(" ")} reads none of the libraries that it has no use for`, async (t) => {
    const { url, database } = await createTestDatabase(t);
    await addPartner(database);
    await addUser(database, "bank", "anna");
    await addDelivery(database, "bank", "loaded");
    const read = await (await openReading(t, url))(...command);
    t.true(read.some((one) => one.endsWith(file)));
    t.deepEqual(among(read, [...notOfCommands, "pg"]), ["pg"]);
  });

test("tideline explain reads none of the libraries that it has no use for", async (t) => {
  const world = await openRecognised(t);
  const months = ["2026-01", "2026-02", "2026-03", "2026-04", "2026-05", "2026-06"];
  const { id } = await (await world.customer("anna", "2026-06-14", monthlyPaid("Netflix", -79, months))).only();
  const read = await (await openReading(t, world.url))("explain", id);
  t.deepEqual(among(read, [...notOfCommands, "pg"]), ["pg"]);
});

test("what a command does have use for it reads: a partner's settings are checked, a schema without migrations is left", async (t) => {
  const { url, database } = await createTestDatabase(t);
  await addPartner(database);
  const read = await openReading(t, url);
  t.deepEqual(among(await read("partner", "set", "bank", "quota.storedFiles=7"), ["typebox", "knex"]), ["typebox"]);
  t.deepEqual(among(await read("migrate"), ["typebox", "knex", "lodash", "bullmq"]), ["bullmq"]);
});
