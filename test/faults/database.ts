/** A PostgreSQL of the harness's own, behind a proxy whose address stays when the server behind it is another one. */
import { setTimeout as wait } from "node:timers/promises";
import { type Cluster, startCluster } from "../../src/database/embedded/cluster.ts";
import { killHard, listProcesses, treeOf } from "../outside/processes.ts";
import type { Random } from "./random.ts";
import { DatabaseProxy } from "./database-proxy.ts";

const startsMax = 100;
const startAgainAfterMs = 300;

export class HarnessDatabase {
  readonly #folder: string;
  readonly proxy: DatabaseProxy;
  #cluster: Cluster;

  private constructor(folder: string, cluster: Cluster, proxy: DatabaseProxy) {
    this.#folder = folder;
    this.#cluster = cluster;
    this.proxy = proxy;
  }

  static async open(folder: string): Promise<HarnessDatabase> {
    const cluster = await startCluster(folder);
    return new HarnessDatabase(folder, cluster, await DatabaseProxy.open(cluster.port));
  }

  /** Past the proxy, for looking. */
  get url(): string {
    return this.#cluster.url;
  }

  /** For the service: through the proxy. */
  get proxiedUrl(): string {
    const url = new URL(this.#cluster.url);
    url.port = String(this.proxy.port);
    return url.href;
  }

  /** `kill -9` of the server and everything it started; whatever it had not synced is gone. */
  async killHard(): Promise<void> {
    const tree = treeOf(await listProcesses(), this.#cluster.pid);
    killHard(tree);
    while (
      (await listProcesses()).some((one) => tree.some(({ pid }) => pid === one.pid) && one.command.includes("postgres"))
    )
      await wait(20);
  }

  /** As the kernel does when memory runs out: one process that works for a connection; the server ends all others. */
  async killBackend(random: Random): Promise<void> {
    const isBackend = ({ command }: { command: string }) => /^postgres: \S+ \S+ 127\.0\.0\.1/.test(command);
    const backends = treeOf(await listProcesses(), this.#cluster.pid).filter(isBackend);
    if (backends.length === 0) throw new Error("nobody is connected");
    killHard([random.pick(backends)]);
  }

  /** As a package upgrade does it: running transactions are rolled back. */
  async stop(): Promise<void> {
    await this.#cluster.stop();
  }

  async start(): Promise<void> {
    for (let starts = 1; ; starts += 1) {
      try {
        this.#cluster = await startCluster(this.#folder);
        break;
      } catch (error) {
        if (starts === startsMax) throw error;
        await wait(startAgainAfterMs);
      }
    }
    this.proxy.targetPort = this.#cluster.port;
  }

  async close(): Promise<void> {
    await this.proxy.close();
    await this.#cluster.stop();
  }
}
