/** As the database's superuser: what an attack needs to prepare, or what somebody who owns the database could do. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import type { Service } from "../outside/service.ts";
import type { World } from "./attack.ts";

export async function asSuperuser({ service }: Pick<World, "service">): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: await superuserUrl(service) });
  await client.connect();
  return client;
}

export async function superuserUrl({
  dataDir,
  databaseUrl,
}: Pick<Service, "dataDir" | "databaseUrl">): Promise<string> {
  const inside = path.join(dataDir, "postgres");
  const location = await readFile(path.join(dataDir, "postgres-location"), "utf8").catch(() => inside);
  const address = new URL(await databaseUrl());
  address.username = "tideline";
  address.password = encodeURIComponent((await readFile(path.join(location.trim(), "password"), "utf8")).trim());
  return address.href;
}
