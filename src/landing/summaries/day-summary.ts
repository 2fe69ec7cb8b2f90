/** What came of one partner on one day of the bank: counts, and by name what was refused or loaded in part. */
import type { Queryable } from "../../database/database.ts";
import type { Day } from "../../time/calendar.ts";

export type DaySummary = {
  partnerId: string;
  day: Day;
  timeZone: string;
  /** ISO 8601. Deliveries were accepted from the first instant on and before the second. */
  from: string;
  until: string;
  deliveries: {
    all: number;
    files: number;
    requests: number;
    loaded: number;
    partly: number;
    refused: number;
    open: number;
  };
  sizeBytes: number;
  records: { all: number; new: number; known: number; conflicting: number; refused: number; waiting: number };
  /** The first ones; `troubledTotal` counts all. */
  troubled: {
    file: string | null;
    deliveryId: string;
    state: string;
    code: string | null;
    refused: number;
    waiting: number;
  }[];
  troubledTotal: number;
  /** Files that were due on that day: by what is known when the summary is made. */
  expected: { name: string; state: string; dueAt: string; arrivedAt: string | null }[];
};

const troubledShownMax = 100;
const inPart = "(records_refused > 0 or batches_refused > 0 or records_waiting > 0)";

/** @param span of the day, in the bank's zone */
export async function readDaySummary(
  database: Queryable,
  partnerId: string,
  { day, timeZone, from, until }: { day: Day; timeZone: string; from: Date; until: Date },
): Promise<DaySummary> {
  const span = [partnerId, from, until];
  const { rows } = await database.query<DaySummary["deliveries"] & DaySummary["records"] & Record<string, number>>(
    `select count(*) as deliveries, count(name) as files, count(*) filter (where door = 'https') as requests,
            count(*) filter (where state = 'loaded' and not ${inPart}) as loaded,
            count(*) filter (where state = 'loaded' and ${inPart}) as partly,
            count(*) filter (where state = 'refused') as "refusedDeliveries",
            count(*) filter (where state in ('accepted', 'loading')) as open,
            coalesce(sum(size_bytes), 0)::bigint as "sizeBytes", coalesce(sum(records), 0)::bigint as records,
            coalesce(sum(records_new), 0)::bigint as new, coalesce(sum(records_known), 0)::bigint as known,
            coalesce(sum(records_conflicting), 0)::bigint as conflicting, coalesce(sum(records_refused), 0)::bigint as refused,
            coalesce(sum(records_waiting), 0)::bigint as waiting,
            count(*) filter (where state = 'refused' or (state = 'loaded' and ${inPart})) as troubled
       from deliveries
      where partner_id = $1 and accepted_at >= $2 and accepted_at < $3`,
    span,
  );
  const troubled = await database.query<DaySummary["troubled"][number]>(
    `select name as file, id as "deliveryId", state, refusal_code as code, records_refused as refused, records_waiting as waiting
       from deliveries
      where partner_id = $1 and accepted_at >= $2 and accepted_at < $3
        and (state = 'refused' or (state = 'loaded' and ${inPart}))
      order by position
      limit ${troubledShownMax}`,
    span,
  );
  const expected = await database.query<{ name: string; state: string; dueAt: Date; arrivedAt: Date | null }>(
    `select name, state, due_at as "dueAt", arrived_at as "arrivedAt"
       from expected_files
      where partner_id = $1 and due_at >= $2 and due_at < $3
      order by due_at, name`,
    span,
  );
  const one: Readonly<Record<string, number>> = rows[0] ?? {};
  const of = (name: string) => one[name] ?? 0;
  return {
    partnerId,
    day,
    timeZone,
    from: from.toISOString(),
    until: until.toISOString(),
    deliveries: {
      all: of("deliveries"),
      files: of("files"),
      requests: of("requests"),
      loaded: of("loaded"),
      partly: of("partly"),
      refused: of("refusedDeliveries"),
      open: of("open"),
    },
    sizeBytes: of("sizeBytes"),
    records: {
      all: of("records"),
      new: of("new"),
      known: of("known"),
      conflicting: of("conflicting"),
      refused: of("refused"),
      waiting: of("waiting"),
    },
    troubled: troubled.rows,
    troubledTotal: of("troubled"),
    expected: expected.rows.map(({ name, state, dueAt, arrivedAt }) => ({
      name,
      state,
      dueAt: dueAt.toISOString(),
      arrivedAt: arrivedAt?.toISOString() ?? null,
    })),
  };
}

/** As the text of a mail: its subject first, then an empty line, then what somebody reads on the way to work. */
export function daySummaryText(summary: DaySummary): string {
  const { partnerId, day, timeZone, deliveries, records, troubled, troubledTotal, expected } = summary;
  const missing = expected.filter(({ state }) => state === "missing");
  const number = (value: number) => value.toLocaleString("en-GB");
  const verdict =
    missing.length > 0
      ? `${number(missing.length)} expected not there`
      : troubledTotal > 0
        ? `${number(troubledTotal)} to look at`
        : deliveries.open > 0
          ? `${number(deliveries.open)} still being loaded`
          : "all in order";
  const lines = [
    `Subject: ${partnerId} on ${day}: ${verdict}`,
    "",
    `${partnerId}, ${day} (${timeZone})`,
    "",
    `Deliveries: ${number(deliveries.all)} (${number(deliveries.files)} files, ${number(deliveries.requests)} requests)`,
    `  loaded whole ${number(deliveries.loaded)}, in part ${number(deliveries.partly)}, refused ${number(deliveries.refused)}, waiting or loading ${number(deliveries.open)}`,
    `Records: ${number(records.all)}`,
    `  new ${number(records.new)}, known ${number(records.known)}, conflicting ${number(records.conflicting)}, refused ${number(records.refused)}, waiting ${number(records.waiting)}`,
    ...(expected.length === 0 ? [] : ["", "Expected files:"]),
    ...expected.map(({ name, state, dueAt }) => `  ${name}: ${state}, due ${dueAt}`),
    ...(troubled.length === 0 ? [] : ["", "To look at:"]),
    ...troubled.map(
      (one) =>
        `  ${one.file ?? one.deliveryId}: ${one.code ?? `${number(one.refused)} records refused, ${number(one.waiting)} waiting`}`,
    ),
    ...(troubledTotal > troubled.length ? [`  and ${number(troubledTotal - troubled.length)} more`] : []),
  ];
  return `${lines.join("\n")}\n`;
}
