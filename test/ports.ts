/** Ports for what is told its port before it starts. */
import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Below those that systems hand out by themselves (Linux from 32768, macOS from 49152): nobody gets one of these in
 * between.
 */
const [lowest, highest] = [20_000, 32_000];

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
