/**
 * A started service under its own logins, OpenSSH's SFTP, a foreign JOSE and a receiver of OTLP: a file and a push are a
 * trace each, from door to recognition, and a stop sends what is left:
 *
 *   node test/outside/traces.ts
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { openOtlpReceiver } from "../observation/telemetry/receiver.ts";
import { openSshSftp } from "./clients/open-ssh.ts";
import { onboardPartner } from "./partner.ts";
import { openSealers } from "./sealing/foreign-jose.ts";
import { prepareService } from "./service.ts";

const receiver = await openOtlpReceiver();
process.env.OTEL_EXPORTER_OTLP_ENDPOINT = receiver.url;
process.env.OTEL_BSP_SCHEDULE_DELAY = "200";
process.env.OTEL_METRIC_EXPORT_INTERVAL = "1000";
const service = await prepareService("traces", ["--no-demo", "--as-of", "2026-10-15"]);
try {
  await service.start();
  const partner = await onboardPartner(service, "traced", {
    id: "traced-no",
    country: "NO",
    currency: "NOK",
    timeZone: "Europe/Oslo",
    locale: "nb-NO",
  });
  const user = { bankUserId: "ingrid", brand: partner.brand.id, locale: "nb-NO" };
  assert.equal((await partner.call("POST", "/users", { body: user })).status, 201);
  const sealers = await openSealers(await partner.batchKey());
  const [sealer] = sealers;
  assert.ok(sealer);

  await writeFile(path.join(partner.folder, "night.jwe"), await sealer.seal(JSON.stringify(paymentsOf("n"))));
  await openSshSftp(partner, ["put night.jwe inbox/night.jwe"]);
  await receiver.until(() => namesFrom("accept").includes("recognise"));
  assert.deepEqual(namesFrom("accept"), ["accept", "load", "load in thread", "recognise"]);

  const push = { reqId: randomUUID(), txs: await sealer.seal(JSON.stringify(paymentsOf("p"))) };
  assert.equal((await partner.call("POST", "/transactions", { body: push })).status, 201);
  const call = "POST /partner/:partnerId/2.0.0/transactions";
  await receiver.until(() => namesFrom(call).includes("recognise"));
  assert.deepEqual(namesFrom(call), [call, "accept", "load", "load in thread", "recognise"]);

  await receiver.until(({ metrics }) => metrics.some(({ name }) => name === "tideline_records_total"));
  const [{ resource }] = receiver.spans as [(typeof receiver.spans)[0]];
  assert.equal(resource["service.name"], "tideline");
  assert.deepEqual(resource["tideline.roles"], ["api", "sftp", "worker", "scheduler", "console"]);
  for (const word of ["ingrid", "night.jwe", "Strøm", "NO9386011117947"])
    assert.ok(!receiver.bodies.some((body) => body.includes(word)), word);
  for (const one of sealers) one.close();
  await service.stop();
  const log = await readFile(service.logFile, "utf8");
  assert.ok(log.includes('"service.stopped"') && !log.includes("telemetry.failed"));
  console.log(`traces: ${receiver.spans.length} spans and ${receiver.metrics.length} figures, a trace a batch`);
} finally {
  await service.remove();
  await receiver.close();
}

/** The spans of the trace that such a one begins, in their order. */
function namesFrom(name: string): string[] {
  const root = receiver.spans.find((span) => span.name === name && span.parentSpanId === "");
  return receiver.spans
    .filter(({ traceId }) => traceId === root?.traceId)
    .toSorted((a, b) => a.startMs - b.startMs)
    .map((span) => span.name);
}

function paymentsOf(prefix: string): object[] {
  return ["2026-07-05", "2026-08-05", "2026-09-05"].map((txTime) => ({
    uid: "ingrid",
    type: "TX",
    account: { id: "acc-1", name: "Brukskonto", iban: "NO9386011117947" },
    tx: {
      txid: `${prefix} ${txTime}`,
      description: "Strøm",
      txTime,
      type: "CARD_PURCHASE",
      amount: -129,
      currency: "NOK",
    },
  }));
}
