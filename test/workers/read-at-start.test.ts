/**
 * What a thread reads at its start, and the demo's sender: each has its own copy of all of it, and reads it while somebody
 * waits.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import test from "ava";

/** What describes, serves or queues; a thread only computes. */
const notOfThreads = ["typebox", "fastify", "bullmq", "ioredis", "node-jose", "ssh2", "openpgp", "pdfkit"];
const threads = ["door", "ingest/ingest", "ingest/group", "recognise", "budgets"];
/** It is a partner's side, and has no database. */
const notOfSender = ["typebox", "fastify", "pg", "knex", "bullmq", "ioredis", "node-jose", "openpgp", "pdfkit"];

for (const [file, useless] of [
  ...threads.map((name) => [`workers/${name}`, notOfThreads] as const),
  ["src/demo/send", notOfSender] as const,
])
  test(`${file} reads none of the libraries that it has no use for`, async (t) => {
    const program = new URL(`../../${file}.ts`, import.meta.url).href;
    const { stdout } = await promisify(execFile)(process.execPath, [
      "--input-type=module",
      "--eval",
      `import { registerHooks } from "node:module";
       const read = new Set();
       registerHooks({ load(url, context, next) { read.add(url); return next(url, context); } });
       await import(${JSON.stringify(program)});
       console.log(JSON.stringify([...read]));
       process.exit(0);`,
    ]);
    const read = JSON.parse(stdout) as string[];
    t.true(read.includes(program));
    t.deepEqual(
      useless.filter((library) => read.some((url) => url.includes(`/node_modules/${library}/`))),
      [],
    );
  });
