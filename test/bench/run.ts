/**
 * Runs one benchmark by its name on a PostgreSQL of its own, with the settings of production: npm run bench -- ingest
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startCluster } from "../../src/database/embedded/cluster.ts";

/** args: what stands behind the name, for instance --long. */
export type Bench = (clusterUrl: string, folder: string, args: readonly string[]) => Promise<void>;

const [name, ...args] = process.argv.slice(2);
if (!name || !/^[a-z-]+$/.test(name)) {
  console.error("Which one? npm run bench -- NAME, NAME being a file of test/bench.");
  process.exit(2);
}
const { bench } = (await import(new URL(`${name}.ts`, import.meta.url).href)) as { bench: Bench };
const folder = await mkdtemp(path.join(tmpdir(), "tideline-bench-"));
await chmod(folder, 0o711);
const cluster = await startCluster(path.join(folder, "postgres"), {});
try {
  await bench(cluster.url, folder, args);
} finally {
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
}
