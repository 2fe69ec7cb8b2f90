/**
 * Where a benchmark's processor time goes: each thread's samples by the folder of the project that had it in hand, so
 * that what libraries and Node do counts for whoever called them. Samples follow the clock: on a machine that does other
 * work besides, what waits for a processor counts too, and shares say more than seconds.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** As V8 writes it: samples are ids of nodes, timeDeltas microseconds before each. */
export type CpuProfile = {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[];
  samples: number[];
  timeDeltas: number[];
};

/** ms that it was busy, by what had it in hand. */
export type ThreadTime = { thread: string; ms: ReadonlyMap<string, number> };

const root = path.resolve(import.meta.dirname, "../../..");
/** Shares below this are told together. */
const leastShare = 0.03;
const samplesEveryUs = 500;
/** Its threads stand in Atomics.wait between two tasks, which samples take for work. */
const waiting = "piscina";

/** Runs a benchmark once more, profiled. @returns a line a thread, or null when it failed */
export async function profile(name: string, args: readonly string[]): Promise<string | null> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-profiles-"));
  try {
    const flags = `--cpu-prof --cpu-prof-dir=${folder} --cpu-prof-interval=${samplesEveryUs}`;
    const child = spawn(process.execPath, [path.join(root, "test/bench/run.ts"), name, ...args], {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} ${flags}`.trim() },
    });
    const [code] = (await once(child, "close")) as [number | null];
    if (code !== 0) return null;
    const times: ThreadTime[] = [];
    for (const file of await readdir(folder))
      times.push(timesOf(JSON.parse(await readFile(path.join(folder, file), "utf8")) as CpuProfile));
    return tell(times);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a thread did, by the project's folders. */
export function timesOf({ nodes, samples, timeDeltas }: CpuProfile): ThreadTime {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const holders = new Map<number, string>();
  const holderOf = (id: number): string => {
    const known = holders.get(id);
    if (known !== undefined) return known;
    const parent = parents.get(id);
    const own = folderOf(byId.get(id)?.callFrame.url ?? "");
    const above = parent === undefined ? null : holderOf(parent);
    const holder =
      own?.startsWith("~") === false || above === null ? own : above.startsWith("~") ? (own ?? above) : above;
    holders.set(id, holder ?? "~Node");
    return holder ?? "~Node";
  };
  const ms = new Map<string, number>();
  let thread = "";
  for (const [at, id] of samples.entries()) {
    const name = byId.get(id)?.callFrame.functionName ?? "";
    if (name === "(idle)") continue;
    const holder = name === "(garbage collector)" ? "collecting garbage" : holderOf(id).replace(/^~/, "");
    if (holder === waiting) continue;
    ms.set(holder, (ms.get(holder) ?? 0) + (timeDeltas[at] ?? 0) / 1000);
  }
  for (const { callFrame } of nodes) thread = laterOf(thread, threadOf(callFrame.url));
  return { thread: thread || "others", ms };
}

/** A folder of the project; with ~ before it a library, or nothing that says anything. */
function folderOf(url: string): string | null {
  const library = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (library !== undefined) return `~${library}`;
  const file = url.startsWith("file:") ? path.relative(root, new URL(url).pathname) : "";
  if (file === "" || file.startsWith("..")) return url.startsWith("node:") ? "~Node" : null;
  const [top = "", room = ""] = file.split("/");
  return top === "src" || top === "workers" ? `${top}/${room}` : top;
}

/** What files say of the thread that has them, the surest first. */
const threads: readonly (readonly [RegExp, string])[] = [
  [/\/workers\/door\.ts$/, "threads of the door"],
  [/\/workers\/main\.ts$/, "threads that load and recognise"],
  [/\/src\/main\.ts$/, "the service"],
  [/\/test\/bench\//, "the benchmark"],
];

function threadOf(url: string): string {
  return threads.find(([file]) => file.test(url))?.[1] ?? "";
}

function laterOf(one: string, other: string): string {
  const rank = (name: string) => {
    const at = threads.findIndex(([, thread]) => thread === name);
    return at < 0 ? threads.length : at;
  };
  return rank(other) < rank(one) ? other : one;
}

/** A line a kind of thread. */
export function tell(times: readonly ThreadTime[]): string {
  const kinds = [...threads.map(([, thread]) => thread), "others"];
  return kinds
    .flatMap((kind) => {
      const own = times.filter(({ thread }) => thread === kind);
      const together = new Map<string, number>();
      for (const { ms } of own) for (const [what, one] of ms) together.set(what, (together.get(what) ?? 0) + one);
      const all = [...together.values()].reduce((sum, one) => sum + one, 0);
      if (all < 100) return [];
      const shares = [...together].map(([what, one]) => [what, one / all] as const).toSorted((a, b) => b[1] - a[1]);
      const large = shares.filter(([, share]) => share >= leastShare);
      const rest = 1 - large.reduce((sum, [, share]) => sum + share, 0);
      const told = [...large, ...(rest > 0.005 ? [["others", rest] as const] : [])];
      return [
        `${kind}, ${(all / 1000).toFixed(1)} s: ${told.map(([what, share]) => `${what} ${(share * 100).toFixed(0)} %`).join(", ")}`,
      ];
    })
    .join("\n");
}
