/**
 * Loaded into Tideline's process and its threads before anything else (NODE_OPTIONS=--import): wraps what Node and pg
 * offer, and kills the process with SIGKILL when the armed step is passed for the nth time. So the product holds no
 * line for it, and what is killed is what is sold. A step is known by what it asks of the system: see the table at the
 * end.
 */
import fsNow, { appendFileSync } from "node:fs";
import { EventEmitter } from "node:events";
import fs, { open } from "node:fs/promises";
import { Server } from "node:https";
import { syncBuiltinESMExports } from "node:module";
import crypto from "node:crypto";
import pg from "pg";
import { readArmed, type Step } from "./steps.ts";

const armed = readArmed(process.env);
/** Into work that takes some milliseconds. */
const duringMsMax = 12;
let passes = 0;

function strike(): void {
  appendFileSync(armed?.report ?? "", `${armed?.step}\n`);
  process.kill(process.pid, "SIGKILL");
  // Other threads may be scheduled before the signal is: this one must do nothing more.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

type Work = (...parameters: never[]) => unknown;

/** Runs `work` as a pass of `step`. */
function passing<Result>(step: Step, work: () => Result): Result {
  if (step !== armed?.step) return work();
  passes += 1;
  if (passes !== armed.passes) return work();
  if (armed.edge === "before") strike();
  if (armed.edge === "during") setTimeout(strike, Math.random() * duringMsMax);
  const result = work();
  if (armed.edge === "after") afterwards(result);
  return result;
}

/**
 * A COPY is a stream, whose end is the last moment before its rows count; a statement that answers through a callback
 * ends before anybody has heard of it.
 */
const ends = ["finish", "end", "error"];

function afterwards(result: unknown): void {
  if (result instanceof Promise) result.then(strike, strike);
  else if (result instanceof EventEmitter) for (const end of ends) result.once(end, strike);
  else strike();
}

/** Replaces a method by one that passes the step which `stepOf` finds in its parameters, if any. */
function wrap<Name extends string>(
  owner: Record<Name, unknown>,
  name: Name,
  stepOf: (parameters: unknown[], self: unknown) => Step | null,
): void {
  const original = owner[name] as Work;
  owner[name] = function wrapped(this: unknown, ...parameters: never[]): unknown {
    const step = stepOf(parameters, this);
    return step === null ? original.apply(this, parameters) : passing(step, () => original.apply(this, parameters));
  };
}

/** The same for a function that tells its end through a callback, its last parameter. */
function wrapCalledBack<Name extends string>(owner: Record<Name, unknown>, name: Name, step: Step): void {
  const original = owner[name] as (...parameters: unknown[]) => void;
  owner[name] = function wrapped(this: unknown, ...parameters: unknown[]): void {
    const callback = parameters.pop() as (...results: unknown[]) => void;
    void passing(step, async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      original.call(this, ...parameters, (...results: unknown[]) => {
        callback(...results);
        resolve();
      });
      await promise;
    });
  };
}

const probe = await open("/dev/null");
const handles = Object.getPrototypeOf(probe) as { writev: unknown; sync: unknown };
await probe.close();
wrap(handles, "writev", () => "receive");
wrap(handles, "sync", () => "fsync");
wrap(fs as unknown as { link: unknown }, "link", ([, to]) => (String(to).includes("/vault/") ? "archive" : null));
wrap(fs as unknown as { rename: unknown }, "rename", ([, to]) =>
  String(to).includes("/receipts/") ? "receipt" : String(to).includes("/inbox/") ? "rename" : null,
);
// Of a small file, taken at once or in a thread (machine/quick-steps.ts).
wrap(fsNow as unknown as { writevSync: unknown }, "writevSync", () => "receive");
wrapCalledBack(fsNow as unknown as { writev: unknown }, "writev", "receive");
wrapCalledBack(fsNow as unknown as { fsync: unknown }, "fsync", "fsync");
wrap(fsNow as unknown as { linkSync: unknown }, "linkSync", ([, to]) =>
  String(to).includes("/vault/") ? "archive" : null,
);
// Of a group, on a thread of the doors.
wrap(fsNow as unknown as { renameSync: unknown }, "renameSync", ([, to]) =>
  String(to).includes("/receipts/") ? "receipt" : null,
);
syncBuiltinESMExports();

const decipher = (crypto as unknown as { Decipheriv: { prototype: { update: unknown; final: unknown } } }).Decipheriv
  .prototype;
wrap(decipher, "update", () => "decrypt");
wrap(decipher, "final", () => "verify");

const copying = new WeakSet<object>();

function stepOfQuery([query]: unknown[], client: unknown): Step | null {
  const text =
    typeof query === "string"
      ? query
      : typeof query === "object" && query !== null && "text" in query
        ? String(query.text)
        : "";
  if (text.startsWith("copy ")) {
    copying.add(client as object);
    return "copy";
  }
  if (text === "commit" && copying.delete(client as object)) return "commit";
  if (text.includes("insert into deliveries (")) return "record";
  return text.includes("add_job") ? "queue" : null;
}

wrap(pg.Client.prototype as unknown as { query: unknown }, "query", stepOfQuery);

const isPush = (event: unknown, request: unknown) =>
  event === "request" &&
  typeof request === "object" &&
  request !== null &&
  "url" in request &&
  String(request.url).endsWith("/transactions");
wrap(Server.prototype as unknown as { emit: unknown }, "emit", ([event, request]) =>
  isPush(event, request) ? "receive" : null,
);
