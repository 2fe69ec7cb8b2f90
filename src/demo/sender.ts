/**
 * Starts and tells the process that makes up the demo's people and sends their payments (send.ts). By a process of its own,
 * as a bank is one: what that takes is given back when it ends, and a service keeps none of it.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Fault } from "../errors.ts";
import type { Population, SendingFailure, SendingMessage, SendingTask } from "./send.ts";

export type DemoSender = {
  population: Population;
  /**
   * From that folder of the demo partner; once. Ends early, and well, when the signal is raised.
   * @throws Fault as the sender met it
   */
  send(folder: string, signal: AbortSignal, onProgress: (done: number, total: number) => void): Promise<void>;
  /** Whatever it does. Idempotent. */
  close(): void;
};

/** Most of what people made up is kept until it is sent: larger young generations than V8's own spare copying it. */
const youngGeneration = "--max-semi-space-size=32";

/** Begins to make the population up at once. */
export function openSender(population: Population): DemoSender {
  const child = fork(fileURLToPath(new URL("./send.ts", import.meta.url)), { execArgv: [youngGeneration] });
  const ended = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  // Told by send; a sender that was never asked to need not have started.
  ended.catch(() => undefined);
  const tell = (task: SendingTask) => child.connected && child.send(task, () => undefined);
  tell({ population });
  return {
    population,
    async send(folder, signal, onProgress) {
      const stop = () => tell({ stop: true });
      signal.addEventListener("abort", stop);
      try {
        let failure: SendingFailure | null = null;
        child.on("message", (message: SendingMessage) => {
          if ("failure" in message) failure = message.failure;
          else onProgress(message.progress.done, message.progress.total);
        });
        tell({ folder });
        const [code, killedBy] = await ended;
        if (failure !== null) throw asFault(failure);
        if (code !== 0 && !signal.aborted)
          throw new Error(`the demo's sender ended with ${killedBy ?? `code ${code}`}`);
      } finally {
        signal.removeEventListener("abort", stop);
      }
    },
    close: () => void child.kill("SIGKILL"),
  };
}

function asFault({ code, message }: SendingFailure): Error {
  return code === null ? new Error(message) : new Fault(code, message);
}
