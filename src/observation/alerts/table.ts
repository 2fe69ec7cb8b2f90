/**
 * The alerts that last, and the messages about them. Every process says what it sees; what several see is one alert, is
 * told once on each channel, again while it lasts, and once when it has gone.
 */
import { type Database, inTransaction, type Queryable } from "../../database/database.ts";
import type { Condition, Severity } from "./conditions.ts";

export type Channel = "webhook" | "mail";

export type Message = {
  id: string;
  channel: Channel;
  kind: "firing" | "reminder" | "recovered";
  name: string;
  subject: string;
  severity: Severity;
  summary: string;
  since: Date;
  createdAt: Date;
  attempts: number;
};

export type Telling = {
  channels: readonly Channel[];
  repeatHours: number;
  /** What nobody has seen for so long has gone. Null: this process has not looked long enough to say so. */
  goneAfterSeconds: number | null;
};

/** Two processes that looked at once would each tell of the same thing. */
const lock = "select pg_advisory_xact_lock(hashtext('tideline alerts'))";

/** Notes what is seen, and writes the messages that follow. @returns the kinds and names of what was to be told */
export async function noteConditions(
  database: Database,
  conditions: readonly Condition[],
  { channels, repeatHours, goneAfterSeconds }: Telling,
): Promise<{ kind: Message["kind"]; name: string; subject: string; severity: Severity }[]> {
  return await inTransaction(database, async (transaction) => {
    await transaction.query(lock);
    await transaction.query(
      `insert into alerts (name, subject, severity, summary)
       select * from unnest($1::text[], $2::text[], $3::text[], $4::text[])
       on conflict (name, subject) do update
          set seen_at = now(), severity = excluded.severity, summary = excluded.summary`,
      [
        conditions.map(({ name }) => name),
        conditions.map(({ subject }) => subject),
        conditions.map(({ severity }) => severity),
        conditions.map(({ summary }) => summary),
      ],
    );
    const { rows } = await transaction.query<{
      kind: Message["kind"];
      name: string;
      subject: string;
      severity: Severity;
    }>(
      `with told as (
         update alerts
            set told_at = now(), tellings = tellings + 1
          where told_at is null
             or (seen_at = now() and told_at < now() - $2 * interval '1 hour')
         returning case when tellings = 1 then 'firing' else 'reminder' end as kind, name, subject, severity, summary, since
       ), gone as (
         delete from alerts
          where seen_at < now() - $3 * interval '1 second'
            and told_at is not null
         returning 'recovered' as kind, name, subject, severity, summary, since
       ), to_tell as (
         select * from told union all select * from gone
       ), written as (
         insert into alert_messages (channel, kind, name, subject, severity, summary, since)
         select channel, to_tell.* from to_tell, unnest($1::text[]) as channel
       )
       select kind, name, subject, severity from to_tell order by kind, name, subject`,
      [channels, repeatHours, goneAfterSeconds],
    );
    return rows;
  });
}

export type OpenAlert = { name: string; subject: string; severity: Severity; summary: string; since: Date };

/** What lasts now: pages first, then by age. */
export async function listAlerts(database: Queryable): Promise<OpenAlert[]> {
  const { rows } = await database.query<OpenAlert>(
    "select name, subject, severity, summary, since from alerts order by severity, since, name, subject",
  );
  return rows;
}

/** Takes messages to send: nobody else does until the lease is over. */
export async function claimMessages(database: Queryable, countMax: number, leaseMs: number): Promise<Message[]> {
  const { rows } = await database.query<Message>(
    `update alert_messages
        set attempts = attempts + 1, due_at = now() + $2 * interval '1 millisecond'
      where id in (select id from alert_messages where due_at <= now() order by due_at limit $1 for update skip locked)
      returning id, channel, kind, name, subject, severity, summary, since, created_at as "createdAt", attempts`,
    [countMax, leaseMs],
  );
  return rows;
}

export async function removeMessage(database: Queryable, id: string): Promise<void> {
  await database.query("delete from alert_messages where id = $1", [id]);
}

export async function postponeMessage(database: Queryable, id: string, delayMs: number): Promise<void> {
  await database.query("update alert_messages set due_at = now() + $2 * interval '1 millisecond' where id = $1", [
    id,
    delayMs,
  ]);
}
