/** What the sampled threads of a benchmark are said to have done. */
import path from "node:path";
import test from "ava";
import { tell, timesOf } from "./profiles.ts";

const file = (name: string) => `file://${path.resolve(import.meta.dirname, "../../..", name)}`;

const node = (id: number, url: string, children: number[] = [], functionName = "work") => ({
  id,
  callFrame: { functionName, url },
  children,
});

test("what libraries and Node do counts for the folder that called them, and waiting for nobody", (t) => {
  const profile = {
    nodes: [
      node(1, "", [2, 5, 6, 8, 10], "(root)"),
      node(2, file("workers/main.ts"), [3]),
      node(3, file("src/ledger/copy.ts"), [4]),
      node(4, file("node_modules/pg/lib/client.js"), [9]),
      node(5, "", [], "(idle)"),
      node(6, file("node_modules/pg/lib/parser.js"), [7]),
      node(7, "node:buffer"),
      node(8, "", [], "(garbage collector)"),
      node(9, "node:net"),
      node(10, file("node_modules/piscina/dist/worker.js"), [11]),
      node(11, "", [], "wait"),
    ],
    samples: [4, 9, 5, 6, 7, 8, 2, 11],
    timeDeltas: [1000, 2000, 50_000, 3000, 4000, 5000, 6000, 70_000],
  };
  const { thread, ms } = timesOf(profile);
  t.is(thread, "threads that load and recognise");
  t.deepEqual(Object.fromEntries(ms), {
    "src/ledger": 3,
    pg: 3,
    Node: 4,
    "collecting garbage": 5,
    "workers/main.ts": 6,
  });
});

test("threads of one kind are told together, small shares too, and what hardly ran not at all", (t) => {
  const thread = "the service";
  const times = [
    { thread, ms: new Map([["src/api", 600]]) },
    { thread, ms: new Map([["src/api", 200], ["src/log", 190], ["pg", 10]]) }, // prettier-ignore
    { thread: "others", ms: new Map([["npm", 50]]) },
  ];
  t.is(tell(times), "the service, 1.0 s: src/api 80 %, src/log 19 %, others 1 %");
});
