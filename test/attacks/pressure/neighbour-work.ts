/** The neighbour's work, in a process of its own: pushes, reads and small files, one of each kind at a time. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import { connect } from "node:net";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import ssh2, { type SFTPWrapper } from "ssh2";
import { createSealer, type Sealer } from "../../../src/sealing/sealer.ts";
import { type Kind, never, type Waits, type Work } from "./neighbour.ts";

/** Between the end of one and the next: a partner that works, not one that floods. */
const pauseMs = { push: 50, get: 25, file: 250 } as const satisfies Record<Kind, number>;
const recordsOfPush = 50;

const until = { stopped: false };
let since = 0;
let waits: Waits = { push: [], get: [], file: [] };

process.once("message", async (work: Work) => {
  process.on("message", (message) => {
    if (message === "stop") until.stopped = true;
    if (message !== "forget") return;
    process.send?.(waits);
    waits = { push: [], get: [], file: [] };
    since = performance.now();
  });
  const sealer = await createSealer(work.key);
  const agent = new Agent({ keepAlive: true, ca: work.authority, maxSockets: 4 });
  const does: Record<Kind, () => Promise<void>> = {
    push: () => push(work, agent, sealer),
    get: () => get(work, agent),
    file: () => deliverFile(work, sealer),
  };
  for (const kind of work.kinds) await does[kind]();
  process.send?.("begun");
  await Promise.all(work.kinds.map((kind) => repeat(kind, does[kind])));
  process.send?.(waits);
});

async function repeat(kind: Kind, does: () => Promise<void>): Promise<void> {
  while (!until.stopped) {
    const startedAt = performance.now();
    const came = await does().then(
      () => true,
      () => false,
    );
    const endedAt = performance.now();
    if (endedAt > since) waits[kind].push(came ? endedAt - startedAt : never);
    await wait(pauseMs[kind]);
  }
}

async function push(work: Work, agent: Agent, sealer: Sealer): Promise<void> {
  const body = JSON.stringify({
    reqId: randomUUID(),
    txs: await sealer.seal(JSON.stringify(recordsOf(work, recordsOfPush))),
  });
  const status = await call(work, agent, "POST", "/transactions", body);
  if (status !== 201) throw new Error(`answered with ${status}`);
}

async function get(work: Work, agent: Agent): Promise<void> {
  const status = await call(work, agent, "GET", "/services");
  if (status !== 200 && status !== 202) throw new Error(`answered with ${status}`);
}

async function call(work: Work, agent: Agent, method: string, at: string, body?: string): Promise<number> {
  const asked = request({
    agent,
    host: "127.0.0.1",
    port: work.port,
    method,
    path: `/partner/${work.partnerId}/2.0.0${at}`,
    localAddress: work.from,
    family: 4,
    timeout: never,
    headers: {
      authorization: `Bearer ${work.token}`,
      ...(body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
    },
  });
  asked.once("timeout", () => asked.destroy(new Error("no answer in time")));
  asked.end(body);
  const [response] = (await once(asked, "response")) as [import("node:http").IncomingMessage];
  response.resume();
  await once(response, "end");
  return response.statusCode ?? 0;
}

/** As a nightly job does: connects, uploads, looks for the receipt, goes. */
async function deliverFile(work: Work, sealer: Sealer): Promise<void> {
  const privateKey = await readFile(path.join(work.folder, "sftp_key"));
  const name = `${randomUUID()}.jsonl`;
  const line = JSON.stringify({ reqId: randomUUID(), txs: await sealer.seal(JSON.stringify(recordsOf(work, 1))) });
  const until = performance.now() + never;
  const socket = connect({ host: "127.0.0.1", port: work.sftpPort, localAddress: work.from, noDelay: true });
  const client = new ssh2.Client();
  try {
    const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
      client.once("error", reject);
      client.once("close", () => reject(new Error("the connection was closed")));
      socket.once("error", reject);
      client.once("ready", () => client.sftp((error, opened) => (error ? reject(error) : resolve(opened))));
      client.connect({ sock: socket, username: work.partnerId, privateKey, readyTimeout: 20_000 });
    });
    client.on("error", () => undefined);
    await new Promise<void>((resolve, reject) =>
      sftp.writeFile(`inbox/${name}`, line, (error) => (error ? reject(error) : resolve())),
    );
    for (;;) {
      const receipt = await readReceipt(sftp, `receipts/${name}.receipt.json`);
      if (receipt?.state === "loaded") return;
      if (receipt?.state === "refused" || performance.now() > until) throw new Error("was not loaded");
      await wait(20);
    }
  } finally {
    client.on("error", () => undefined);
    client.end();
    socket.destroy();
  }
}

function readReceipt(sftp: SFTPWrapper, at: string): Promise<{ state: string } | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("no answer")), never);
    sftp.readFile(at, (error, text) => {
      clearTimeout(timer);
      resolve(error ? null : (JSON.parse(text.toString()) as { state: string }));
    });
  });
}

function recordsOf({ user, partnerId }: Work, count: number): object[] {
  return Array.from({ length: count }, () => ({
    uid: user,
    type: "TX",
    tx: {
      txid: randomUUID(),
      txTime: "2026-10-01T10:00:00Z",
      type: "CARD",
      description: "GROCERIES",
      amount: -100,
      currency: "DKK",
    },
    account: { id: `${partnerId}-1`, name: "Daily", iban: "DK5000400440116243" },
  }));
}
