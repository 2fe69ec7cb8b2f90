/** What a run over many users changed: their services set aside before it, and held against those after it. */
import type { Database } from "../database/database.ts";
import type { Changes } from "./services/changes.ts";

/** Runs `work` between two looks at every service. The earlier look is a temporary table of one connection. */
export async function comparingServices<Result>(
  database: Database,
  work: () => Promise<Result>,
): Promise<{ result: Result; changes: Changes }> {
  const client = await database.connect();
  try {
    await client.query(
      "create temporary table services_before as select id, status, payment_frequency from services where status is not null",
    );
    const result = await work();
    const { rows } = await client.query<Changes>(
      `select count(*) filter (where before.id is null) as "servicesNew",
              count(*) filter (where later.id is null) as "servicesGone",
              count(*) filter (where before.payment_frequency <> later.payment_frequency) as "frequenciesChanged",
              count(*) filter (where before.status <> later.status) as "statusesChanged"
         from services_before as before
         full join (select id, status, payment_frequency from services where status is not null) as later using (id)`,
    );
    const [changes] = rows;
    if (!changes) throw new Error("a count has no row");
    return { result, changes };
  } finally {
    await client.query("drop table if exists services_before").finally(() => client.release());
  }
}
