/** The steps of the pipeline at which a process is killed, and how a killer inside it knows them. */

/**
 * How often a step is passed before it kills, at most: enough to strike first and later ones, few enough to be reached
 * at once.
 */
export const steps = {
  /** Bytes of an upload are written, or a request's head has come. */
  receive: { passesMax: 20 },
  /** A landed file, or its folder, is synced. */
  fsync: { passesMax: 12 },
  /** A file moves from its temporary to its final name. */
  rename: { passesMax: 4 },
  /** The vault gets its name of a landed file. */
  archive: { passesMax: 6 },
  /** A delivery's row is inserted. */
  record: { passesMax: 10 },
  /** A job is added. */
  queue: { passesMax: 8 },
  /** A content's authentication tag is checked. */
  verify: { passesMax: 10 },
  /** A piece of ciphertext is deciphered. */
  decrypt: { passesMax: 20 },
  /** Rows are on their way into the database. */
  copy: { passesMax: 6 },
  /** A chunk's transaction is committed. */
  commit: { passesMax: 6 },
  /** A receipt takes its name. */
  receipt: { passesMax: 10 },
} as const satisfies Record<string, { passesMax: number }>;

export type Step = keyof typeof steps;
export const stepNames = Object.keys(steps) as Step[];

/** `before` the step's work; `during` it, some moments after it began; `after` its success, before anybody is told. */
export const edges = ["before", "during", "after"] as const;
export type Edge = (typeof edges)[number];

/** One armed process. `report` is a file that gets a line just before the process kills itself. */
export type Armed = { step: Step; edge: Edge; passes: number; report: string };

/** The environment in which a process starts armed; src/ knows nothing of it. */
export function armedEnvironment(armed: Armed): NodeJS.ProcessEnv {
  return {
    NODE_OPTIONS: `--import=${new URL("step-killer.ts", import.meta.url).href}`,
    FAULT_STEP: armed.step,
    FAULT_EDGE: armed.edge,
    FAULT_PASSES: String(armed.passes),
    FAULT_REPORT: armed.report,
  };
}

/** What was armed in this process, or null. */
export function readArmed(environment: NodeJS.ProcessEnv): Armed | null {
  const { FAULT_STEP, FAULT_EDGE, FAULT_PASSES, FAULT_REPORT } = environment;
  const step = stepNames.find((name) => name === FAULT_STEP);
  const edge = edges.find((name) => name === FAULT_EDGE);
  if (!step || !edge || FAULT_REPORT === undefined) return null;
  return { step, edge, passes: Number(FAULT_PASSES), report: FAULT_REPORT };
}
