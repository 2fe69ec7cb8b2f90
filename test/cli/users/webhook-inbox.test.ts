/** Kept messages are listed and sent again by command, and what cannot be meant is told. */
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "ava";
import { openCommandLine } from "../command.ts";

const message = (number: number) => ({
  number,
  receivedAt: `2026-11-22T10:00:0${number}.000Z`,
  headers: { "webhook-id": `msg-${number}`, "content-type": "application/json" },
  body: '{"notification":{"type":"NEW_PAYMENT"}}',
  verdict: "verified",
  answered: 202,
});

test("messages are listed in their order, and those that are named are sent again", async (t) => {
  const { tideline } = await openCommandLine(t);
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-inbox-"));
  t.teardown(() => rm(folder, { recursive: true }));
  for (const number of [2, 1]) await writeFile(path.join(folder, `${number}.json`), JSON.stringify(message(number)));
  const seen: unknown[] = [];
  const program = createServer((request, response) => {
    seen.push(request.headers["webhook-id"]);
    request.resume();
    response.writeHead(seen.length === 2 ? 500 : 200).end();
  }).listen(0, "127.0.0.1");
  await once(program, "listening");
  t.teardown(() => program.close());
  const to = `http://127.0.0.1:${(program.address() as AddressInfo).port}/`;
  const here = ["--folder", folder];

  const listed = await tideline("webhook-inbox", "list", ...here);
  t.regex(listed.stdout, /^NO .*\n1 .*NEW_PAYMENT +verified +202\n2 /);
  t.is((await tideline("webhook-inbox", "again", "2", "--to", to, ...here)).code, 0);
  const all = await tideline("webhook-inbox", "again", "all", "--to", to, "--json", ...here);
  t.is(all.code, 3);
  t.deepEqual(JSON.parse(all.stdout), [
    { number: 1, status: 500 },
    { number: 2, status: 200 },
  ]);
  t.deepEqual(seen, ["msg-2", "msg-1", "msg-2"]);
  for (const wrong of [
    ["again", "3", "--to", to],
    ["again", "--to", to],
    ["again", "1"],
    ["again", "1", "--to", "file:///x"],
    ["--key", "secret"],
    ["lst"],
  ])
    t.is((await tideline("webhook-inbox", ...wrong, ...here)).code, 2, wrong.join(" "));
});
