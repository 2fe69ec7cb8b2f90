/** Users recognised under a version of the algorithm that is in force, where this one is not and sees one of them differently. */
import type { ExecutionContext } from "ava";
import { generateHousehold } from "../../../fixtures/population.ts";
import { inTransaction } from "../../../src/database/database.ts";
import type { RawTransaction } from "../../../src/interface/record.ts";
import { changeBrandSettings } from "../../../src/partners/provisioning.ts";
import { markOutdated, recogniseChanged } from "../../../src/recognition/run.ts";
import { algorithmVersion } from "../../../src/recognition/version.ts";
import { recogniserOf } from "../../api/recognised.ts";
import { danishBrand } from "../../parties.ts";
import { type LoadingWorld, openLoading } from "../../workers/world.ts";

export const today = "2026-06-30";
export const earlier = algorithmVersion - 1;

export async function openRecognisedUsers(t: ExecutionContext): Promise<LoadingWorld> {
  const world = await openLoading(t);
  for (const [at, uid] of ["u1", "u2"].entries())
    await world.load(recordsOf(at + 3).map((record) => ({ ...record, uid })));
  await world.database.query("update users set import_completed_at = now(), import_completed_on = '2020-01-01'");
  await recognise(world);
  await world.database.query("delete from notifications");
  return world;
}

/** An earlier version is in force, which saw one of two users differently; this one is about to look. */
export async function openUpgraded(
  t: ExecutionContext,
): Promise<{ world: LoadingWorld; differing: number; same: number; unseen: string[] }> {
  const world = await openRecognisedUsers(t);
  const [differing, same] = world.userIds as [number, number];
  await set(world, { recognitionRollout: "preview" }, earlier);
  await recognise(world);
  await world.database.query("update read_models set algorithm_version = $1", [earlier]);
  const unseen = await leftByEarlier(world, differing);
  await world.database.query("delete from notifications");
  await markOutdated(world.database, recogniserOf(world.database, today).clock, 100);
  return { world, differing, same, unseen };
}

/** One service it did not see, and one with another frequency. @returns the txids of the former */
export async function leftByEarlier({ database }: LoadingWorld, userId: number): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    "select id from services where user_id = $1 and document ->> 'status' = 'ACTIVE' order by id limit 2",
    [userId],
  );
  const unseen = await database.query<{ txids: string[] }>("delete from services where id = $1 returning txids", [
    rows[0]?.id,
  ]);
  await database.query(
    `update services
        set payment_frequency = 'DAILY',
            document = jsonb_set(document::jsonb, '{paymentFrequency}', '"DAILY"')::json
      where id = $1`,
    [rows[1]?.id],
  );
  await database.query("update read_models set algorithm_version = $2 where user_id = $1", [userId, earlier]);
  await database.query(
    `insert into changed_users (user_id, touched_at, arrived, arrived_until) values ($1, now() - interval '1 day', '[]', now() - interval '1 day')
     on conflict do nothing`,
    [userId],
  );
  return unseen.rows[0]?.txids ?? [];
}

export async function set({ database }: LoadingWorld, features: object, version = algorithmVersion): Promise<void> {
  await inTransaction(database, (one) => changeBrandSettings(one, "bank", danishBrand.id, { ...features }, version));
}

export function recordsOf(seed: number, until = today): RawTransaction[] {
  return generateHousehold(seed, 0, { months: 14, until, brand: "demo-dk" }).transactions;
}

export async function settle({ database }: LoadingWorld): Promise<void> {
  await database.query(
    `update changed_users
        set touched_at = now() - interval '1 minute',
            arrived_until = case when arrived_until = touched_at then now() - interval '1 minute' end
      where touched_at > now() - interval '1 hour'`,
  );
}

export async function recognise(
  world: LoadingWorld,
  logged: Record<string, unknown>[] = [],
  day = today,
): Promise<void> {
  const recognising = recogniserOf(world.database, day);
  const { events } = recognising;
  const emit = events.emit.bind(events);
  recognising.events = Object.assign(events, {
    emit: ((event, fields) => {
      logged.push({ event, ...fields });
      emit(event, fields);
    }) as typeof events.emit,
  });
  await markOutdated(world.database, recognising.clock, 100);
  await settle(world);
  await recogniseChanged(recognising);
}

export async function heldUsers({ database }: LoadingWorld): Promise<number[]> {
  const { rows } = await database.query<{ id: number }>(
    "select user_id as id from changed_users where held_for is not null order by user_id",
  );
  return rows.map(({ id }) => id);
}
