/** Redis: one, or one with a replica and three Sentinels. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { Redis } from "ioredis";
import { freePort } from "../ports.ts";
import { findProgram, type Server, type Stage, until } from "./tools.ts";

export type RedisServer = { port: number; url: string; server: Server };

/** @param more flags of redis-server. @param at the port of one that was killed */
export async function startRedis(stage: Stage, more: readonly string[] = [], at?: number): Promise<RedisServer> {
  const program = await findProgram("redis-server");
  const port = at ?? (await freePort());
  const parameters = ["--port", String(port), "--bind", "127.0.0.1", "--dir", stage.folder, "--save", "", ...more];
  const server = stage.spawn(program, parameters);
  await until(`Redis answers: ${server.said}`, async () => (await askRedis(port, "ping")) === "PONG");
  return { port, url: `redis://127.0.0.1:${port}`, server };
}

/** One command on a connection of its own. */
export async function askRedis(port: number, command: string, ...parameters: string[]): Promise<unknown> {
  const client = new Redis(port, "127.0.0.1", {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await client.call(command, ...parameters);
  } finally {
    client.disconnect();
  }
}

/** What it took at most since it was started, in megabytes. */
export async function redisMegabytes(port: number): Promise<number> {
  const told = String(await askRedis(port, "info", "memory"));
  return Number(/^used_memory_peak:(\d+)/m.exec(told)?.[1] ?? Number.NaN) / 1e6;
}

const quorum = 2;

/** Sentinels that watch one master under this name. @returns their ports */
export async function startSentinels(stage: Stage, name: string, master: RedisServer, count = 3): Promise<number[]> {
  const program = await findProgram("redis-server");
  const ports: number[] = [];
  for (let number = 0; number < count; number += 1) {
    const port = await freePort();
    const file = path.join(stage.folder, `sentinel-${number}.conf`);
    await writeFile(
      file,
      [
        `port ${port}`,
        "bind 127.0.0.1",
        `dir ${stage.folder}`,
        "protected-mode no",
        `sentinel monitor ${name} 127.0.0.1 ${master.port} ${quorum}`,
        `sentinel down-after-milliseconds ${name} 2000`,
        `sentinel failover-timeout ${name} 10000`,
        "",
      ].join("\n"),
    );
    const server = stage.spawn(program, [file, "--sentinel"]);
    await until(`the Sentinel answers: ${server.said}`, async () => (await askRedis(port, "ping")) === "PONG");
    ports.push(port);
  }
  return ports;
}
