/** Spans and figures arrive at an OTLP receiver as what they are, and a receiver that is away costs nothing else. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import test, { type ExecutionContext } from "ava";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { openTelemetry, type TelemetrySettings } from "../../../src/observation/telemetry/telemetry.ts";
import { beginSpan, isTracing, noteSpan, traceWith } from "../../../src/traces.ts";
import { openOtlpReceiver } from "./receiver.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const parent = `00-${traceId}-00f067aa0ba902b7-01`;

test("a span follows its caller's, carries what it is about, and is followed by its own context", async (t) => {
  const { receiver, telemetry } = await open(t);
  const span = telemetry.tracer.begin("load", {
    kind: "consumer",
    parent,
    startedAtMs: 1_700_000_000_000.25,
    attributes: { "tideline.delivery.id": "d-1", "tideline.load.deliveries": 2 },
    links: ["00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"],
  });
  span.end({ failure: "VAULT_GONE", endedAtMs: 1_700_000_000_500 });
  await telemetry.close();
  const [sent] = receiver.spans;
  t.is(span.traceparent, `00-${traceId}-${sent?.spanId}-01`);
  t.like(sent, {
    traceId,
    parentSpanId: "00f067aa0ba902b7",
    name: "load",
    kind: 5,
    startMs: 1_700_000_000_000.25,
    endMs: 1_700_000_000_500,
    statusCode: 2,
    attributes: { "tideline.delivery.id": "d-1", "tideline.load.deliveries": 2, "error.type": "VAULT_GONE" },
    links: [{ traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" }],
  });
  t.like(sent?.resource, { "service.name": "tideline", "service.version": "1.2.3", "service.instance.id": "one" });
  t.deepEqual(sent?.resource["tideline.roles"], ["api", "worker"]);
});

test("a caller who does not keep its trace has none of it sent, and a trace that begins here has its share", async (t) => {
  const { receiver, telemetry } = await open(t, { sampledShare: 0 });
  const unkept = telemetry.tracer.begin("a", { kind: "server", parent: `00-${traceId}-00f067aa0ba902b7-00` });
  t.regex(unkept.traceparent, new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
  for (const from of [null, unkept.traceparent, parent])
    telemetry.tracer.begin(`from ${from}`, { kind: "server", parent: from }).end();
  unkept.end();
  await telemetry.close();
  t.deepEqual(
    receiver.spans.map(({ name }) => name),
    [`from ${parent}`],
  );
});

test("counters, gauges and histograms are sent with their labels, units and what lies between two boundaries", async (t) => {
  const registry = new Registry();
  const registers = [registry];
  new Counter({ name: "landed_bytes_total", help: "b", labelNames: ["door"], registers }).inc({ door: "sftp" }, 7);
  new Gauge({ name: "depth", help: "d", registers }).set(3);
  const histogram = new Histogram({
    name: "load_seconds",
    help: "l",
    labelNames: ["kind"],
    buckets: [1, 5],
    registers,
  });
  for (const seconds of [0.5, 2, 3, 10]) histogram.observe({ kind: "file" }, seconds);
  const { receiver, telemetry } = await open(t, { registry });
  await telemetry.close();
  const sent = Object.fromEntries(receiver.metrics.map(({ name, ...metric }) => [name, metric]));
  t.like(sent["landed_bytes_total"], { unit: "By", kind: "sum" });
  t.like(sent["landed_bytes_total"]?.points, { 0: { asDouble: 7, attributes: { door: "sftp" } }, length: 1 });
  t.like(sent["depth"], { kind: "gauge", points: { 0: { asDouble: 3 } } });
  t.like(sent["load_seconds"], { unit: "s", kind: "histogram" });
  t.like(sent["load_seconds"]?.points[0], {
    count: 4,
    sum: 15.5,
    bucketCounts: [1, 2, 1],
    explicitBounds: [1, 5],
    attributes: { kind: "file" },
  });
});

test("a receiver that refuses is told once, and what comes after is sent", async (t) => {
  const failures: string[] = [];
  const { receiver, telemetry } = await open(t, { onFailure: (signal) => failures.push(signal), spansEveryMs: 10 });
  receiver.answer(400);
  telemetry.tracer.begin("lost", { kind: "internal", parent: null }).end();
  await receiver.until(({ bodies }) => bodies.length === 1);
  telemetry.tracer.begin("lost too", { kind: "internal", parent: null }).end();
  await receiver.until(({ bodies }) => bodies.length === 2);
  receiver.answer(200);
  telemetry.tracer.begin("sent", { kind: "internal", parent: null }).end();
  await receiver.until(({ spans }) => spans.length === 1);
  await telemetry.close();
  t.deepEqual(failures, ["traces"]);
  t.deepEqual(
    receiver.spans.map(({ name }) => name),
    ["sent"],
  );
});

test("where nobody has asked for traces nothing is begun", (t) => {
  t.false(isTracing());
  t.is(beginSpan("a", { kind: "internal", parent: null }), null);
  const begun: string[] = [];
  traceWith({ begin: (name) => (begun.push(name), { traceparent: parent, end: () => undefined }) });
  t.true(isTracing());
  t.is(noteSpan("b", { kind: "internal", parent: null })?.traceparent, parent);
  traceWith(null);
  t.is(beginSpan("c", { kind: "internal", parent: null }), null);
  t.deepEqual(begun, ["b"]);
});

test("the SDK is read by nothing but what sends: neither a service nor its threads read it without being asked", async (t) => {
  t.deepEqual(await packagesRead("src/main.ts", "workers/main.ts", "workers/door.ts"), []);
  t.true((await packagesRead("src/observation/telemetry/telemetry.ts")).includes("@opentelemetry/sdk-trace"));
});

/** What of OpenTelemetry a process reads that imports these files. */
async function packagesRead(...files: string[]): Promise<string[]> {
  const root = new URL("../../../", import.meta.url);
  const script = `import { registerHooks } from "node:module";
    const read = new Set();
    registerHooks({
      resolve(specifier, context, next) {
        if (specifier.startsWith("@opentelemetry/")) read.add(specifier);
        return next(specifier, context);
      },
    });
    for (const file of ${JSON.stringify(files.map((file) => new URL(file, root).href))}) await import(file);
    console.log(JSON.stringify([...read]));
    process.exit();`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
  return JSON.parse(stdout) as string[];
}

async function open(t: ExecutionContext, more: Partial<TelemetrySettings> = {}) {
  const receiver = await openOtlpReceiver();
  t.teardown(() => receiver.close());
  const telemetry = openTelemetry({
    endpoint: `${receiver.url}/`,
    sampledShare: 1,
    metricsEveryMs: 60_000,
    spansEveryMs: 60_000,
    version: "1.2.3",
    roles: ["api", "worker"],
    instanceId: "one",
    registry: new Registry(),
    onFailure: (signal, error) => t.fail(`${signal}: ${String(error)}`),
    ...more,
  });
  return { receiver, telemetry };
}
