/**
 * Traces and figures by OTLP over HTTP, with OpenTelemetry's own SDK. Imported only where somebody has asked for it.
 * How it is sent (headers, timeout, compression) and sampled is set by the SDK's own variables.
 */
import {
  type Context,
  type Link,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Registry } from "prom-client";
import { nowMs, type Span, type SpanStart, type Tracer } from "../../traces.ts";
import { figuresOf } from "./figures.ts";

export type TelemetrySettings = {
  /** The receiver's base address, below which are v1/traces and v1/metrics. */
  endpoint: string;
  /** Of traces that begin here; a caller's own decision is kept. From 0 to 1. */
  sampledShare: number;
  metricsEveryMs: number;
  spansEveryMs: number;
  version: string;
  roles: readonly string[];
  /** Names this process among those of its service. */
  instanceId: string;
  registry: Registry;
  /** What could not be sent is lost; told once until something is sent again. */
  onFailure(signal: Signal, error: unknown): void;
};

export type Signal = "traces" | "metrics";

export type Telemetry = {
  tracer: Tracer;
  /** Sends what is left, as far as it can within some seconds. */
  close(): Promise<void>;
};

/** A receiver that is away must not hold up a stop. */
const closesWithinMs = 5000;
const kinds = {
  server: SpanKind.SERVER,
  internal: SpanKind.INTERNAL,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  client: SpanKind.CLIENT,
} as const;

export function openTelemetry(settings: TelemetrySettings): Telemetry {
  const { endpoint, sampledShare, version, roles, instanceId } = settings;
  const base = endpoint.replace(/\/+$/, "");
  // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES go first: that is how a fleet's processes are named by their operator.
  const resource = defaultResource()
    .merge(
      resourceFromAttributes({
        "service.name": "tideline",
        "service.version": version,
        "service.instance.id": instanceId,
        "tideline.roles": [...roles],
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }));
  const spans = new TracerProvider({
    resource,
    sampler: new ParentBasedSampler({
      root: sampledShare === 1 ? new AlwaysOnSampler() : new TraceIdRatioBasedSampler(sampledShare),
    }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: telling(new OTLPTraceExporter({ url: `${base}/v1/traces` }), "traces", settings),
        scheduledDelayMillis: settings.spansEveryMs,
      }),
    ],
  });
  const figures = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: telling(new OTLPMetricExporter({ url: `${base}/v1/metrics` }), "metrics", settings),
        exportIntervalMillis: settings.metricsEveryMs,
        exportTimeoutMillis: Math.min(settings.metricsEveryMs, 10_000),
        metricProducers: [{ collect: async () => await figuresOf(settings.registry, resource) }],
      }),
    ],
  });
  const inner = spans.getTracer("tideline", version);
  return {
    tracer: {
      begin(name, start) {
        const span = inner.startSpan(
          name,
          {
            kind: kinds[start.kind],
            startTime: start.startedAtMs ?? nowMs(),
            attributes: { ...start.attributes },
            links: (start.links ?? []).map((one): Link => ({ context: contextOf(one) })),
          },
          following(start),
        );
        return {
          traceparent: textOf(span.spanContext()),
          end({ failure, attributes, endedAtMs } = {}) {
            if (attributes !== undefined) span.setAttributes({ ...attributes });
            if (failure !== undefined) {
              span.setAttribute("error.type", failure);
              span.setStatus({ code: SpanStatusCode.ERROR });
            }
            span.end(endedAtMs ?? nowMs());
          },
        } satisfies Span;
      },
    },
    async close() {
      const timer = Promise.withResolvers<void>();
      const timeout = setTimeout(timer.resolve, closesWithinMs);
      await Promise.race([Promise.allSettled([spans.shutdown(), figures.shutdown()]), timer.promise]);
      clearTimeout(timeout);
    },
  };
}

function following({ parent }: SpanStart): Context {
  return parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, contextOf(parent));
}

/** @param traceparent checked before: by the door that took it, or made here */
function contextOf(traceparent: string): SpanContext {
  const [, traceId = "", spanId = "", flags = "00"] = traceparent.split("-");
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}

function textOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}

type Result = { code: number; error?: Error };

/** The exporter, telling when it begins to fail. */
function telling<Exporter extends { export(items: never, done: (result: Result) => void): void }>(
  exporter: Exporter,
  signal: Signal,
  { onFailure }: TelemetrySettings,
): Exporter {
  const send = exporter.export.bind(exporter);
  let fails = false;
  exporter.export = (items, done) =>
    send(items, (result) => {
      if (result.code !== 0 && !fails) onFailure(signal, result.error);
      fails = result.code !== 0;
      done(result);
    });
  return exporter;
}
