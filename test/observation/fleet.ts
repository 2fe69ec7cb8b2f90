/** A small fleet in one process: doors and scheduler as one Tideline, a worker as another, each with its own port to look at. */
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { ExecutionContext } from "ava";
import { readConfig } from "../../src/config.ts";
import { createEvents } from "../../src/events.ts";
import type { RawTransaction } from "../../src/interface/record.ts";
import type { LogSettings } from "../../src/log.ts";
import { openTideline, type Tideline } from "../../src/main.ts";
import { rotateBatchKey } from "../../src/partners/keys/batch-keys.ts";
import { createSealer } from "../../src/sealing/sealer.ts";
import { addPartner, addUser } from "../parties.ts";
import { createTestDatabase } from "../world.ts";

export const partnerId = "north";
const partnerPath = `/partner/${partnerId}/2.0.0`;

export type Fleet = Awaited<ReturnType<typeof openFleet>>;

/** A database and shared folders, on which processes of any roles may be opened. @param more settings of all of them */
export async function openMachines(
  t: ExecutionContext,
  more: NodeJS.ProcessEnv = {},
  log: LogSettings = { level: "silent" },
) {
  const { url, database } = await createTestDatabase(t);
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-fleet-"));
  const closers: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  t.teardown(async () => {
    for (const close of closers.toReversed()) await close();
  });
  const shared = {
    DATABASE_URL: url,
    TIDELINE_VAULT_DIR: path.join(folder, "vault"),
    TIDELINE_LANDING_DIR: path.join(folder, "landing"),
    TIDELINE_KEY_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    TIDELINE_HTTPS_PORT: "0",
    TIDELINE_SFTP_PORT: "0",
    TIDELINE_CONSOLE_PORT: "0",
    TIDELINE_OBSERVE_PORT: "0",
    TIDELINE_LOAD_THREADS: "1",
    TIDELINE_DOOR_THREADS: "1",
    ...more,
  };
  const open = async (name: string, roles: string): Promise<Tideline> => {
    const environment = { ...shared, TIDELINE_DATA_DIR: path.join(folder, name), TIDELINE_ROLES: roles };
    const tideline = await openTideline(readConfig({}, environment), createEvents(log));
    closers.push(() => tideline.close());
    return tideline;
  };
  await addPartner(database, partnerId);
  return { database, open };
}

/** @param more settings of both processes */
export async function openFleet(
  t: ExecutionContext,
  more: NodeJS.ProcessEnv = {},
  log: LogSettings = { level: "silent" },
) {
  const { database, open } = await openMachines(t, more, log);
  const doors = await open("doors", "api,sftp,scheduler");
  const worker = await open("worker", "worker");
  await addUser(database, partnerId, "anna");
  const key = await rotateBatchKey(database, doors.keyEncryptionKey, partnerId, new Date());
  const sealer = await createSealer(key);
  return {
    database,
    open,
    doors,
    worker,
    /** Pushes one batch. @returns its status */
    push: async (
      records: readonly RawTransaction[],
      headers: Record<string, string> = {},
      reqId: string = randomUUID(),
    ): Promise<number> =>
      await post(
        doors,
        `${partnerPath}/transactions`,
        { reqId, txs: await sealer.seal(JSON.stringify(records)) },
        headers,
      ),
    /** Asks again until the delivery count of that state is so high. */
    /** Asks again until the worker has counted so many. */
    untilLoaded: async (deliveries: number): Promise<void> => {
      const loaded = async () => (await samples(worker, "tideline_deliveries_total"))['{outcome="loaded"}'] ?? 0;
      while ((await loaded()) < deliveries) await wait(50);
    },
  };
}

/** What is answered on the port to look at. */
export async function ask(tideline: Tideline, at: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(`http://127.0.0.1:${tideline.observePort}${at}`);
  return { status: answer.status, text: await answer.text() };
}

/** The samples of a metric by their labels as text: `{outcome="new"}` → 2. */
export async function samples(tideline: Tideline, metric: string): Promise<Record<string, number>> {
  const { text } = await ask(tideline, "/metrics");
  const lines = text.split("\n").filter((line) => line.startsWith(`${metric}{`) || line.startsWith(`${metric} `));
  return Object.fromEntries(
    lines.map((line) => [
      line.slice(metric.length, line.lastIndexOf(" ")),
      Number(line.slice(line.lastIndexOf(" ") + 1)),
    ]),
  );
}

export function payment(txid: string, day: string, amount: number, uid = "anna"): RawTransaction {
  return {
    uid,
    type: "TX",
    account: { id: "acc-1", name: "Lønkonto", iban: "DK5000400440116243" },
    tx: { txid, description: "NETFLIX", txTime: day, type: "CARD_PURCHASE", amount, currency: "DKK" },
  };
}

async function post(tideline: Tideline, at: string, body: object, headers: Record<string, string>): Promise<number> {
  return await new Promise((resolve, reject) => {
    const call = request(
      {
        host: "localhost",
        port: tideline.httpsPort,
        path: at,
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        ca: tideline.certificate.authority,
        agent: false,
        family: 4,
      },
      (response) => {
        response.resume().on("end", () => resolve(response.statusCode ?? 0));
      },
    );
    call.on("error", reject).end(JSON.stringify(body));
  });
}
