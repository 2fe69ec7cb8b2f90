/** What the process's exit code says; `tideline help` prints it. */
export const exitCode = {
  done: 0,
  failed: 1,
  usage: 2,
  /** The command did its work, and something in it was refused. */
  refused: 3,
  /** Stopped by Ctrl-C or a termination signal: 128 + SIGINT, as shells have it. */
  interrupted: 130,
} as const;
