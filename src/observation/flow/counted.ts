/** What this process has counted since it was last asked, from the very figures that /metrics tells. */
import type { Events } from "../../events.ts";
import type { Measured } from "./table.ts";

type Registry = Events["registry"];

type Value = { value: number; labels: Partial<Record<string, string | number>>; metricName?: string };

/** Metrics that are kept as they are: by one label, or as a whole. */
const counters: readonly (readonly [metric: string, figure: string, label: string | null])[] = [
  ["tideline_records_total", "records", "outcome"],
  ["tideline_batches_total", "batches", "outcome"],
  ["tideline_deliveries_total", "deliveries", "outcome"],
  ["tideline_landed_bytes_total", "bytes", "door"],
  ["tideline_recognition_users_total", "recognised", null],
  ["tideline_notifications_total", "notifications", "outcome"],
];
const answered = "tideline_http_request_seconds";

/** Null: neither a read nor a push. */
function kindOf({ method, route }: Value["labels"]): "reads" | "pushes" | null {
  if (method === "GET" || method === "HEAD") return "reads";
  return method === "POST" && String(route).endsWith("/transactions") ? "pushes" : null;
}

/** 429 by itself: it is how the service holds callers back. */
function classOf(status: string | number | undefined): string {
  return Number(status) === 429 ? "429" : `${String(status)[0] ?? "?"}xx`;
}

/** All since the process began. Of latencies, how many calls took up to so many seconds and longer than the step before. */
async function readTotals(registry: Registry): Promise<Measured[]> {
  const found: Measured[] = [];
  for (const [metric, figure, name] of counters)
    for (const { labels, value } of await valuesOf(registry, metric))
      found.push({ figure, label: name === null ? "" : String(labels[name]), value });
  const calls = await valuesOf(registry, answered);
  for (const { labels, value, metricName } of calls) {
    const kind = kindOf(labels);
    if (kind !== null && metricName === `${answered}_count`)
      found.push({ figure: kind, label: classOf(labels.status), value });
  }
  return [...found, ...latenciesOf(calls)];
}

async function valuesOf(registry: Registry, metric: string): Promise<readonly Value[]> {
  return (await registry.getSingleMetric(metric)?.get())?.values ?? [];
}

/** Prometheus' buckets hold all that was faster; here each call stands in one. */
function latenciesOf(calls: readonly Value[]): Measured[] {
  const faster = new Map<string, Map<number, number>>();
  for (const { labels, value, metricName } of calls) {
    const kind = kindOf(labels);
    if (kind === null || metricName !== `${answered}_bucket`) continue;
    const bound = labels.le === "+Inf" ? Number.POSITIVE_INFINITY : Number(labels.le);
    const sums = faster.get(kind) ?? new Map<number, number>();
    faster.set(kind, sums.set(bound, (sums.get(bound) ?? 0) + value));
  }
  return [...faster].flatMap(([kind, sums]) => {
    const bounds = [...sums.keys()].toSorted((a, b) => a - b);
    return bounds.map((bound, at) => ({
      figure: `${kind}-seconds`,
      label: String(bound),
      value: (sums.get(bound) ?? 0) - (sums.get(bounds[at - 1] ?? -1) ?? 0),
    }));
  });
}

export type Counting = {
  /** What came since what was `kept` last. Calls follow each other. */
  since(): Promise<{ counts: Measured[]; kept(): void }>;
};

export function startCounting(registry: Registry): Counting {
  let before = new Map<string, number>();
  return {
    async since() {
      const totals = new Map<string, Measured>();
      for (const one of await readTotals(registry)) {
        const key = `${one.figure} ${one.label}`;
        totals.set(key, { ...one, value: one.value + (totals.get(key)?.value ?? 0) });
      }
      const counts = [...totals]
        .map(([key, one]) => ({ ...one, value: one.value - (before.get(key) ?? 0) }))
        .filter(({ value }) => value > 0);
      const now = new Map([...totals].map(([key, { value }]) => [key, value]));
      return { counts, kept: () => void (before = now) };
    },
  };
}
