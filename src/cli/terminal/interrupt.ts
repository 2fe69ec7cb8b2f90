/** Ctrl-C: the first one asks running work to stop cleanly, the second one ends the process. */
import { exitCode } from "./exit-code.ts";

const signalNames = ["SIGINT", "SIGTERM"] as const;

export type Interrupt = { signal: AbortSignal; release(): void };

export function listenForInterrupt(): Interrupt {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(exitCode.interrupted);
    controller.abort();
  };
  for (const name of signalNames) process.on(name, onSignal);
  return {
    signal: controller.signal,
    release() {
      for (const name of signalNames) process.off(name, onSignal);
    },
  };
}
