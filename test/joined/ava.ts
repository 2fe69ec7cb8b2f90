/**
 * Stands for AVA in a process of several test files: a test belongs to the file that is being loaded, has its name before
 * its title, and waits for its turn. Declared are all of them when all files are loaded, as AVA wants it.
 */
import real, { type ExecutionContext, type TestFn } from "ava";
import { marker } from "./marker.ts";
import { type FileTurn, Turns } from "./turns.ts";

/** What AVA takes for a test's body: a function, or a macro with one. */
type Body = Exec | { exec: Exec; title?: (given: string | undefined, ...rest: unknown[]) => string };
type Exec = (t: ExecutionContext, ...rest: unknown[]) => unknown;
type Declare = (...parameters: unknown[]) => void;
type Loading = { name: string; turn: FileTurn; declarations: (() => void)[] };

const turns = new Turns();
const loaded: Loading[] = [];
let loading: Loading | null = null;

/** @param name what its tests are told by @throws Error where a file declares no test: it would be missed alone */
export async function load(name: string, run: () => Promise<unknown>): Promise<void> {
  loading = { name, turn: turns.add(name), declarations: [] };
  await run();
  if (loading.declarations.length === 0) throw new Error(`No tests found in ${name}`);
  loaded.push(loading);
  loading = null;
}

export function declareAll(): void {
  for (const { declarations } of loaded) for (const declare of declarations) declare();
}

function file(): Loading {
  if (loading === null) throw new Error("Tests and hooks are declared while their file is loaded");
  return loading;
}

function declareTest(declare: Declare, parameters: readonly unknown[], isSerial: boolean): void {
  const { name, turn, declarations } = file();
  const given = typeof parameters[0] === "string" ? parameters[0] : undefined;
  const [body, ...rest] = parameters.slice(given === undefined ? 0 : 1) as [Body | undefined, ...unknown[]];
  const isMacro = typeof body === "object";
  const title = isMacro && body.title ? body.title(given, ...rest) : given;
  if (typeof title !== "string" || title.trim() === "") throw new TypeError("Tests must have a title");
  const named = `${marker}${name} › ${title}`;
  const exec = isMacro ? body.exec : body;
  if (exec === undefined) declarations.push(() => declare(named));
  else {
    declarations.push(() =>
      declare(named, async (t: ExecutionContext) => {
        const place = turn.place({ isSerial });
        // The first that is registered runs last: when it does, the test has tidied up.
        t.teardown(place.leave);
        await place.turn;
        return exec(t, ...rest);
      }),
    );
  }
}

/** For the whole file; what takes AVA's context is not known here. */
const hookOf = (list: "befores" | "afters") => (hook: () => unknown) => {
  if (hook.length > 0) throw new Error(`A hook of ${file().name} takes a context: it has to run alone`);
  file().turn[list].push(hook);
};

const hooks: Record<string, unknown> = {
  before: hookOf("befores"),
  after: Object.assign(hookOf("afters"), { always: hookOf("afters") }),
};
const ofOneFile = ["beforeEach", "afterEach", "meta"];
const conditions = ["skipIf", "runIf"];

/** AVA's chain (test.serial.skip), of which nothing is serial: turns see to that. */
function chain(node: Declare, isSerial: boolean): Declare {
  return new Proxy(node, {
    apply: (_target, _this, parameters: unknown[]) => declareTest(node, parameters, isSerial),
    get(target, name: string) {
      if (name === "macro") return Reflect.get(target, name);
      if (name in hooks) return hooks[name];
      if (ofOneFile.includes(name)) throw new Error(`${file().name} uses test.${name}: it has to run alone`);
      if (name === "serial") return chain(node, true);
      const next: unknown = Reflect.get(target, name);
      if (typeof next !== "function") return next;
      if (conditions.includes(name)) return (condition: boolean) => chain(next(condition) as Declare, isSerial);
      return chain(next as Declare, isSerial);
    },
  });
}

export default chain(real as unknown as Declare, false) as unknown as TestFn;
