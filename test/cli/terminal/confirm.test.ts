/** Only somebody at a terminal is asked, and only a plain yes counts. */
import { PassThrough } from "node:stream";
import test from "ava";
import { confirm } from "../../../src/cli/terminal/confirm.ts";

async function answer(text: string, isTTY = true): Promise<{ is: boolean; shown: string }> {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = Object.assign(new PassThrough(), { isTTY });
  input.end(text);
  const is = await confirm("Begin a new one there?", { input, output });
  return { is, shown: String(output.read() ?? "") };
}

test("y and yes are a yes, and anything else, the end of the input too, is a no", async (t) => {
  const texts = ["y\n", "YES\n", "\n", "n\n", "yesterday\n", ""];
  const answers = [];
  for (const text of texts) answers.push((await answer(text)).is);
  t.deepEqual(answers, [true, true, false, false, false, false]);
  t.regex((await answer("y\n")).shown, /Begin a new one there\? \[y\/N\] /);
});

test("without a terminal nobody is asked, whatever stands in the input", async (t) => {
  t.deepEqual(await answer("y\n", false), { is: false, shown: "" });
});
