/** One batch, from its sender's call to the notification, is one trace; one over SFTP begins its own. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import test, { type ExecutionContext } from "ava";
import { putReceiver } from "../../../src/notifications/receiver.ts";
import { openFleet, partnerId, payment } from "../fleet.ts";
import { openOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from "./receiver.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
const months = ["2026-01", "2026-02", "2026-03", "2026-04", "2026-05"];

test("a batch is one trace from its sender's call over door, thread and recognition to the notification", async (t) => {
  t.timeout(120_000);
  const receiver = await openOtlpReceiver();
  const bank = await openBank(t);
  const { database, doors, push } = await openFleet(t, {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_BSP_SCHEDULE_DELAY: "100",
    OTEL_METRIC_EXPORT_INTERVAL: "1000",
    TIDELINE_AS_OF: "2026-06-15",
  });
  t.teardown(() => receiver.close());
  await putReceiver(database, doors.keyEncryptionKey, {
    partnerId,
    url: bank.url,
    shape: "map",
    authentication: { kind: "static", token: "t" },
    signing: "hmac",
    guard: { allowsPrivateAddresses: true, authority: undefined, clientCertificate: undefined },
  });
  const history = months.map((month) => payment(`n ${month}`, `${month}-05`, -129));
  t.is(await push([...history, { uid: "anna", type: "IMPORT_COMPLETED" }]), 201);
  await receiver.until(({ spans }) => spans.some(({ name }) => name === "recognise"));
  await database.query("update users set import_completed_at = '2026-05-20', import_completed_on = '2026-05-20'");

  t.is(await push([payment("n 2026-06", "2026-06-05", -129)], { traceparent, "x-correlation-id": "of Anna" }), 201);
  const ours = () => receiver.spans.filter((span) => span.traceId === traceId);
  await receiver.until(() => ours().some(({ name }) => name === "notify"));
  await receiver.until(({ metrics }) => metrics.some(({ name }) => name === "tideline_load_seconds"));

  const spans = Object.fromEntries(ours().map((span) => [span.name, span]));
  t.deepEqual(
    ours()
      .toSorted((a, b) => a.startMs - b.startMs)
      .map(({ name, kind, parentSpanId }) => [name, kind, nameOf(ours(), parentSpanId)]),
    [
      ["POST /partner/:partnerId/2.0.0/transactions", 2, "the sender's"],
      ["accept", 4, "POST /partner/:partnerId/2.0.0/transactions"],
      ["load", 5, "accept"],
      ["load in thread", 1, "load"],
      ["recognise", 5, "accept"],
      ["notify", 3, "accept"],
    ],
  );
  t.deepEqual(
    ours().filter(({ statusCode }) => statusCode !== 0),
    [],
  );
  t.like(spans["load"]?.attributes, { "tideline.partner.id": partnerId, "tideline.load.outcome": "loaded" });
  t.like(spans["notify"]?.attributes, {
    "tideline.notification.type": "NEW_PAYMENT",
    "http.response.status_code": 200,
  });
  const [load, thread] = [spans["load"], spans["load in thread"]];
  t.true(Number(load?.startMs) <= Number(thread?.startMs) && Number(thread?.endMs) <= Number(load?.endMs));
  t.deepEqual(bank.traceparents, [`00-${traceId}-${spans["notify"]?.spanId}-01`]);

  // Whoever reads traces need not be who may read what is paid.
  for (const word of ["anna", "Anna", "NETFLIX", "DK5000400440116243", "n 2026-0", "129"])
    t.false(
      receiver.bodies.some((body) => body.includes(`"${word}`)),
      word,
    );
  t.true(beginsItsOwn(receiver), "the first batch named no trace");
});

function beginsItsOwn({ spans }: OtlpReceiver): boolean {
  const others = spans.filter((span) => span.traceId !== traceId);
  const root = others.find(({ name }) => name.startsWith("POST "));
  return root?.parentSpanId === "" && others.some((span) => span.name === "load" && span.traceId === root.traceId);
}

function nameOf(spans: readonly ReceivedSpan[], spanId: string): string {
  if (spanId === "00f067aa0ba902b7") return "the sender's";
  return spans.find((span) => span.spanId === spanId)?.name ?? "nobody's";
}

/** Takes every notification, and keeps in whose trace it came. */
async function openBank(t: ExecutionContext): Promise<{ url: string; traceparents: unknown[] }> {
  const traceparents: unknown[] = [];
  const server = createServer((request, response) => {
    traceparents.push(request.headers.traceparent);
    request.resume().on("end", () => response.writeHead(200).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.teardown(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, traceparents };
}
