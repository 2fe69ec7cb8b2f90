/** Partners as they are set up. */
import test from "ava";
import { presetSettings, putPartner } from "../../src/partners/provisioning.ts";
import { createTestDatabase } from "../world.ts";

test("presets fill in what a group of settings lacks, and change nothing that was set", async (t) => {
  const { database } = await createTestDatabase(t);
  await putPartner(database, { id: "north", name: "North Bank" });
  const settings = async () =>
    (await database.query<{ settings: object }>("select settings from partners where id = 'north'")).rows[0]?.settings;
  await presetSettings(database, "north", { psd2: { redirectPrefixes: ["http://localhost"] } });
  t.deepEqual(await settings(), { psd2: { redirectPrefixes: ["http://localhost"] } });
  await presetSettings(database, "north", { psd2: { redirectPrefixes: ["http://other"], sandbox: true } });
  t.deepEqual(await settings(), { psd2: { redirectPrefixes: ["http://localhost"], sandbox: true } });
  await database.query(`update partners set settings = '{"psd2": {"sandbox": false}, "manifest": "required"}'`);
  await presetSettings(database, "north", { psd2: { sandbox: true } });
  t.deepEqual(await settings(), { psd2: { sandbox: false }, manifest: "required" });
});
