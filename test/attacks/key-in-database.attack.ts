/**
 * Whoever may run SQL as the database's superuser runs programs there (`copy … from program`), and sees what their
 * environment has. Is the service's key-encryption key among it, and may a role that the service uses run any?
 */
import { randomBytes } from "node:crypto";
import pg from "pg";
import type { Attack, World } from "./attack.ts";
import { asSuperuser } from "./superuser.ts";

const key = randomBytes(32).toString("base64");
const roles = ["tideline_api", "tideline_jobs", "tideline_loader", "tideline_migrator"];

export const attack: Attack = {
  name: "key-in-database",
  service: { environment: { TIDELINE_KEY_ENCRYPTION_KEY: key }, alone: true },
  async succeeds(world) {
    const administrator = await asSuperuser(world);
    try {
      await administrator.query("create temp table seen (line text)");
      await administrator.query("copy seen from program 'env; tr ''\\000'' ''\\n'' < /proc/$PPID/environ'");
      const { rows } = await administrator.query<{ line: string }>("select line from seen where line <> ''");
      if (!rows.some(({ line }) => line.startsWith("PWD="))) throw new Error("no environment was read");
      const isThere = rows.some(({ line }) => line.includes(key));
      const able = [];
      for (const role of roles) if (await runsPrograms(world, administrator, role)) able.push(role);
      return {
        succeeded: isThere || able.length > 0,
        seen: `the key is ${isThere ? "" : "not "}in the ${rows.length} lines of the server's environment; roles that run programs: ${able.join(", ") || "none"}`,
      };
    } finally {
      await administrator.end();
    }
  },
};

async function runsPrograms(world: World, administrator: pg.Client, role: string): Promise<boolean> {
  const { rows } = await administrator.query("select 1 from pg_roles where rolname = $1 and rolcanlogin", [role]);
  // On the version before, whatever asks is the owner.
  if (rows.length === 0) return true;
  const password = randomBytes(12).toString("hex");
  await administrator.query(`alter role ${role} password '${password}'`);
  const address = new URL(await world.service.databaseUrl());
  [address.username, address.password] = [role, password];
  const client = new pg.Client({ connectionString: address.href });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await client.query("copy (select 1) to program 'cat > /dev/null'").then(
      () => true,
      () => false,
    );
  } finally {
    await client.end();
  }
}
