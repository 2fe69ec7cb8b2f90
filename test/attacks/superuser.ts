/** As the database's superuser: what an attack needs to prepare, or what somebody who owns the database could do. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import type { World } from "./attack.ts";

export async function asSuperuser(world: World): Promise<pg.Client> {
  const { dataDir } = world.service;
  const inside = path.join(dataDir, "postgres");
  const location = await readFile(path.join(dataDir, "postgres-location"), "utf8").catch(() => inside);
  const address = new URL(await world.service.databaseUrl());
  address.username = "tideline";
  address.password = encodeURIComponent((await readFile(path.join(location.trim(), "password"), "utf8")).trim());
  const client = new pg.Client({ connectionString: address.href });
  await client.connect();
  return client;
}
