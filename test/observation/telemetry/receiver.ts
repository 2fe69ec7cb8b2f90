/** A receiver of OTLP over HTTP, as a collector is one: keeps what comes, and tells when what is waited for is there. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export type ReceivedSpan = {
  traceId: string;
  spanId: string;
  /** Empty: it begins its trace. */
  parentSpanId: string;
  name: string;
  kind: number;
  startMs: number;
  endMs: number;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  /** 2 is an error. */
  statusCode: number;
  resource: Record<string, unknown>;
};
export type ReceivedMetric = { name: string; unit: string; kind: string; points: Record<string, unknown>[] };

export type OtlpReceiver = {
  url: string;
  spans: ReceivedSpan[];
  metrics: ReceivedMetric[];
  /** Every body as it came. */
  bodies: string[];
  headers: IncomingHttpHeaders[];
  /** From here on it answers so. */
  answer(status: number): void;
  /** Once that is true of what has come. */
  until(isThere: (received: OtlpReceiver) => boolean): Promise<void>;
  close(): Promise<void>;
};

export async function openOtlpReceiver(): Promise<OtlpReceiver> {
  let status = 200;
  let came = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    receiver.headers.push(request.headers);
    receiver.bodies.push(body);
    if (status === 200 && request.url === "/v1/traces") receiver.spans.push(...spansIn(JSON.parse(body)));
    if (status === 200 && request.url === "/v1/metrics") receiver.metrics.push(...metricsIn(JSON.parse(body)));
    response.writeHead(status, { "content-type": "application/json" }).end("{}");
    came.resolve();
    came = Promise.withResolvers();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    metrics: [],
    bodies: [],
    headers: [],
    answer(next) {
      status = next;
    },
    async until(isThere) {
      while (!isThere(receiver)) await came.promise;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

type Value = {
  stringValue?: string;
  intValue?: number | string;
  doubleValue?: number;
  arrayValue?: { values: Value[] };
};
type Pairs = { key: string; value: Value }[];
type SentSpan = Pick<ReceivedSpan, "traceId" | "spanId" | "name" | "kind"> & {
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Pairs;
  links?: ReceivedSpan["links"];
  status?: { code?: number };
};
type SentPoint = Record<string, unknown> & { attributes?: Pairs };
type SentMetric = { name: string; unit?: string } & Record<"sum" | "gauge" | "histogram", { dataPoints: SentPoint[] }>;

function spansIn(sent: {
  resourceSpans: { resource: { attributes: Pairs }; scopeSpans: { spans: SentSpan[] }[] }[];
}): ReceivedSpan[] {
  return sent.resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ traceId, spanId, name, kind, ...span }) => ({
        traceId,
        spanId,
        name,
        kind,
        parentSpanId: span.parentSpanId ?? "",
        startMs: Number(span.startTimeUnixNano) / 1e6,
        endMs: Number(span.endTimeUnixNano) / 1e6,
        attributes: readPairs(span.attributes),
        links: (span.links ?? []).map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
        statusCode: span.status?.code ?? 0,
        resource: readPairs(resource.attributes),
      })),
    ),
  );
}

function metricsIn(sent: { resourceMetrics: { scopeMetrics: { metrics: SentMetric[] }[] }[] }): ReceivedMetric[] {
  return sent.resourceMetrics.flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) =>
      metrics.map(({ name, unit = "", ...data }) => {
        const [kind = "", { dataPoints } = { dataPoints: [] }] =
          Object.entries(data).find(([key]) => ["sum", "gauge", "histogram"].includes(key)) ?? [];
        const points = dataPoints.map((point) => ({ ...point, attributes: readPairs(point.attributes ?? []) }));
        return { name, unit, kind, points };
      }),
    ),
  );
}

function readPairs(pairs: Pairs): Record<string, unknown> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, read(value)]));
}

function read({ stringValue, intValue, doubleValue, arrayValue }: Value): unknown {
  if (arrayValue !== undefined) return arrayValue.values.map(read);
  return stringValue ?? (intValue === undefined ? doubleValue : Number(intValue));
}
