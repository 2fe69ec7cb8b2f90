/** What operators read on their screens. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import test from "ava";
import { alignColumns } from "../../../src/cli/terminal/result.ts";

test("a cell with characters that no screen shows is escaped, and its column as wide as that", (t) => {
  t.deepEqual(
    alignColumns([
      ["NAME", "STATE"],
      ["a\u202egpj.jwe", "loaded"],
      ["b.jwe", "refused"],
    ]),
    ["NAME            STATE", "a\\u202egpj.jwe  loaded", "b.jwe           refused"],
  );
});

test("a row is one line, whatever a cell holds", (t) => {
  t.deepEqual(alignColumns([["north", "x\nsouth  erased\ty"]]), ["north  x\\u000asouth  erased\\u0009y"]);
});

test("results are printed escaped: lines to read, and a JSON document that says the same", async (t) => {
  const printed = async (asJson: boolean): Promise<string> => {
    const source = new URL("../../../src/cli/terminal/result.ts", import.meta.url).href;
    const script = `
      import { printResult } from ${JSON.stringify(source)};
      printResult(${asJson}, { file: "a\\u202eb\\u200b.jwe" }, ["a\\u202eb\\u200b.jwe\\u001b[2J over sftp"]);`;
    return (await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script])).stdout;
  };
  t.is(await printed(false), "a\\u202eb\\u200b.jwe\\u001b[2J over sftp\n");
  const document = await printed(true);
  t.is(document, '{\n  "file": "a\\u202eb\\u200b.jwe"\n}\n');
  t.deepEqual(JSON.parse(document), { file: "a\u202eb\u200b.jwe" });
});
