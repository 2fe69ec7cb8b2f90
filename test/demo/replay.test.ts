/** The state of the demo's replay: begun, gone on with, and told when its file is empty or broken. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import { prepareReplay, readReplayState } from "../../src/demo/replay.ts";

test("a replay that has not begun has no state, and one that has is read", async (t) => {
  const file = await stateFile(t);
  t.is(await readReplayState(file), null);
  await writeFile(file, '{"until":"2026-06-01","done":false}\n');
  t.deepEqual(await readReplayState(file), { until: "2026-06-01", done: false });
});

for (const [content, what] of [
  ["", "is empty"],
  ["\0\0\0\0", "is broken: it holds NUL bytes"],
  ['{"until":"2026-0', "is broken: it does not hold until and done"],
  ['{"done":true}', "is broken: it does not hold until and done"],
] as const) {
  test(`a state that reads ${JSON.stringify(content)} is told`, async (t) => {
    const file = await stateFile(t);
    await writeFile(file, content);
    const error = await t.throwsAsync(readReplayState(file), { code: "FILE_BROKEN" });
    t.true(error?.message.startsWith(`${file} ${what}.`), error?.message);
  });
}

test("its people are made up beforehand in an empty folder, and where it was interrupted, for the days that it was for", async (t) => {
  const fresh = await dataDir(t);
  t.is(await preparedUntil(t, fresh, "2026-05-31"), "2026-05-31");
  const interrupted = await dataDir(t, { "postgres/files/PG_VERSION": "18\n", "demo/replay.json": state(false) });
  t.is(await preparedUntil(t, interrupted, "2026-05-31"), "2026-04-30");
});

test("nobody is made up where the replay is done, or never was", async (t) => {
  t.is(await preparedUntil(t, await dataDir(t, { "demo/replay.json": state(true) })), null);
  t.is(await preparedUntil(t, await dataDir(t, { "postgres/files/PG_VERSION": "18\n" })), null);
});

function state(done: boolean): string {
  return JSON.stringify({ until: "2026-04-30", done });
}

async function preparedUntil(t: ExecutionContext, folder: string, asOf?: string): Promise<string | null> {
  const sender = await prepareReplay(folder, asOf);
  t.teardown(() => sender?.close());
  return sender?.population.until ?? null;
}

async function dataDir(t: ExecutionContext, files: Record<string, string> = {}): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-replay-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
  return folder;
}

async function stateFile(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-replay-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return path.join(folder, "replay.json");
}
