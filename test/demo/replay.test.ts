/** The state of the demo's replay: begun, gone on with, and told when its file is empty or broken. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import { readReplayState } from "../../src/demo/replay.ts";

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

async function stateFile(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-replay-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return path.join(folder, "replay.json");
}
