/** The figures that are kept for Prometheus, as OpenTelemetry sends them: one set of figures, told in two ways. */
import { type HrTime, ValueType } from "@opentelemetry/api";
import type { Resource } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  type CollectionResult,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
} from "@opentelemetry/sdk-metrics";
import type { MetricObjectWithValues, MetricValue, MetricValueWithName, Registry } from "prom-client";

type Figure = MetricObjectWithValues<MetricValue<string>>;
type Value = MetricValueWithName<string>;

const startTime = asTime(performance.timeOrigin);

export async function figuresOf(registry: Registry, resource: Resource): Promise<CollectionResult> {
  const figures = (await registry.getMetricsAsJSON()) as unknown as Figure[];
  const endTime = asTime(Date.now());
  const metrics = figures.flatMap((figure) => metricOf(figure, endTime) ?? []);
  return { resourceMetrics: { resource, scopeMetrics: [{ scope: { name: "tideline" }, metrics }] }, errors: [] };
}

/** @returns null for what has no values, and for summaries, which nothing here uses */
function metricOf(figure: Figure, endTime: HrTime): MetricData | null {
  const values = figure.values as Value[];
  if (values.length === 0) return null;
  const base = {
    descriptor: { name: figure.name, description: figure.help, unit: unitOf(figure.name), valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const points = () =>
    values.map(({ value, labels }) => ({ startTime, endTime, attributes: { ...labels } as Labels, value }));
  switch (String(figure.type)) {
    case "counter":
      return { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points() };
    case "gauge":
      return { ...base, dataPointType: DataPointType.GAUGE, dataPoints: points() };
    case "histogram":
      return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(figure.name, values, endTime) };
    default:
      return null;
  }
}

type Labels = Record<string, string | number>;
type Gathered = { attributes: Labels; upTo: [boundary: number, count: number][]; sum: number; count: number };

/** Prometheus counts all up to each boundary, OpenTelemetry those between two; the last are those above all. */
function histograms(name: string, values: readonly Value[], endTime: HrTime): DataPoint<Histogram>[] {
  const gathered = new Map<string, Gathered>();
  for (const { metricName, value, labels } of values) {
    const { le, ...attributes } = labels as Labels;
    const key = JSON.stringify(attributes);
    const one = gathered.get(key) ?? { attributes, upTo: [], sum: 0, count: 0 };
    gathered.set(key, one);
    if (metricName === `${name}_sum`) one.sum = value;
    else if (metricName === `${name}_count`) one.count = value;
    else if (le !== "+Inf") one.upTo.push([Number(le), value]);
  }
  return [...gathered.values()].map(({ attributes, upTo, sum, count }) => {
    const cumulative = [...upTo.map(([, upToCount]) => upToCount), count];
    const counts = cumulative.map((upToCount, at) => upToCount - (cumulative[at - 1] ?? 0));
    const buckets = { boundaries: upTo.map(([boundary]) => boundary), counts };
    return { startTime, endTime, attributes, value: { buckets, sum, count } };
  });
}

/** As the names say it, in OpenTelemetry's words. */
function unitOf(name: string): string {
  if (/_seconds(_total)?$/.test(name)) return "s";
  return /_bytes(_total)?$/.test(name) ? "By" : "";
}

function asTime(ms: number): HrTime {
  return [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)];
}
