/**
 * Memory that work has left behind. V8 shrinks its heap in its own time, which a service that looks every second whether
 * there is something to do does not leave it; and what is freed outside of V8 glibc keeps: of the demo some 150 MB in the
 * holes of its arenas. So both are told once a process is quiet after work: the whole heap is collected, and what is free
 * goes back to the system. That takes some hundred milliseconds, in which nobody calls.
 */
import v8 from "node:v8";
import vm from "node:vm";

const lookEveryMs = 15_000;
/** Of one processor; a service that has nothing to do uses some two hundredths. */
const quietShareMax = 0.1;
/** Threads without work end after a minute, and what they leave is given back with the rest. */
const quietLooks = 6;

/** @returns what stops it */
export function giveBackWhenQuiet(): () => void {
  const isDue = createQuietWatch();
  let [spent, lookedAt] = [process.cpuUsage(), performance.now()];
  const looking = setInterval(() => {
    const { user, system } = process.cpuUsage(spent);
    if (isDue((user + system) / 1000 / (performance.now() - lookedAt))) giveBack();
    [spent, lookedAt] = [process.cpuUsage(), performance.now()];
  }, lookEveryMs).unref();
  return () => clearInterval(looking);
}

/**
 * Asked at even intervals, with the share of a processor that was used since. @returns whether the process was quiet
 * since it last worked, for so many looks; once a time that it worked
 */
export function createQuietWatch(): (share: number) => boolean {
  let quiet = 0;
  return (share) => {
    quiet = share > quietShareMax ? 0 : quiet + 1;
    return quiet === quietLooks;
  };
}

/** Collects the whole heap and hands what is free to the system. Blocks for some hundred milliseconds. */
export function giveBack(): void {
  v8.setFlagsFromString("--expose-gc");
  const collect = vm.runInNewContext("gc") as () => void;
  // V8 takes no compiled code that was made under other settings: threads that start later find all of theirs only so.
  v8.setFlagsFromString("--no-expose-gc");
  collect();
  trim ??= findTrim();
  trim.call?.(0n);
}

/** call null: there is none. */
type Trim = { call: ((pad: bigint) => unknown) | null };

let trim: Trim | null = null;

/** malloc_trim(3). Another C library has none, and another Node perhaps no way to call it: then that much stays. */
function findTrim(): Trim {
  try {
    const { functions } = openFfi().dlopen("libc.so.6", { malloc_trim: { arguments: ["uint64"], return: "int32" } });
    return { call: functions.malloc_trim };
  } catch {
    return { call: null };
  }
}

/** Without the line by which Node warns of what is experimental. */
function openFfi(): typeof import("node:ffi") {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule("node:ffi");
  } finally {
    process.emitWarning = emitWarning;
  }
}
