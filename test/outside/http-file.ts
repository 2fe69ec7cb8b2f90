/**
 * docs/partner.http as a partner's developer sends it, with httpYac, which is installed for this alone: every call against
 * a started demo, the last one against the developer's webhook inbox.
 *
 *   node test/outside/http-file.ts
 */
import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { freePort } from "../ports.ts";
import { prepareService, repository } from "./service.ts";

type Sent = {
  requests: {
    name: string;
    response?: { statusCode: number; body?: string };
    testResults?: { status: string }[];
  }[];
};

const run = promisify(execFile);
const httpyac = "httpyac@6.16.7";
/** Many times what all calls take; a runner that hangs must not hang its test. */
const sentWithinMs = 180_000;
/** Of an answer that was another than expected. */
const shownMax = 300;
const inboxWithinMs = 30_000;
const receiver = { token: "sandbox", key: `whsec_${Buffer.from("a key of 24 bytes or more").toString("base64")}` };

/** @param checkout whose document and commands are used @param partner the folder of the partner that calls */
export async function sendHttpFile(checkout: string, partner: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-http-file-"));
  const inbox = await openInbox(checkout, folder);
  try {
    await writeFile(path.join(folder, "package.json"), '{"private": true}');
    const startedAt = performance.now();
    await run("npm", ["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", httpyac], { cwd: folder });
    const installedAt = performance.now();
    const { requests } = await send(folder, checkout, {
      TIDELINE_PARTNER_FOLDER: partner,
      TIDELINE_RECEIVER: inbox.url,
      TIDELINE_RECEIVER_TOKEN: receiver.token,
      TIDELINE_RECEIVER_KEY: receiver.key,
    });
    const wrong = requests
      .filter(
        ({ testResults = [] }) => testResults.length !== 1 || testResults.some(({ status }) => status !== "SUCCESS"),
      )
      .map(({ name, response }) => `${name}: ${response?.statusCode} ${response?.body?.slice(0, shownMax)}`);
    assert.deepEqual(wrong, [], "every call is answered as the document says");
    assert.ok(requests.length > 40, `only ${requests.length} calls were sent`);
    assert.match(inbox.said(), /"signature":"verified","answered":202/, "the message was signed as ours are");
    const seconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(1)} s`;
    console.log(
      `docs/partner.http: ${requests.length} calls answered as they should be in ${seconds(installedAt, performance.now())}, ` +
        `httpYac installed in ${seconds(startedAt, installedAt)}`,
    );
  } finally {
    inbox.child.kill();
    await rm(folder, { recursive: true });
  }
}

/** Into a file: the runner ends before a pipe has taken all that it says. It fails when a call does, but says all first. */
async function send(tools: string, checkout: string, environment: NodeJS.ProcessEnv): Promise<Sent> {
  const file = path.join(tools, "sent.json");
  const said = await open(file, "w");
  const program = path.join(tools, "node_modules/httpyac/bin/httpyac.js");
  const child = spawn(process.execPath, [program, "send", "docs/partner.http", "--all", "--json"], {
    cwd: checkout,
    env: { ...process.env, ...environment },
    stdio: ["ignore", said.fd, "inherit"],
    timeout: sentWithinMs,
  });
  await once(child, "close");
  await said.close();
  return JSON.parse(await readFile(file, "utf8")) as Sent;
}

async function openInbox(
  checkout: string,
  folder: string,
): Promise<{ child: ChildProcess; url: string; said: () => string }> {
  const port = await freePort();
  const parameters = ["--port", String(port), "--folder", path.join(folder, "inbox")];
  const child = spawn(
    process.execPath,
    [
      path.join(checkout, "src/cli/tideline.mjs"),
      "webhook-inbox",
      ...parameters,
      "--key",
      receiver.key,
      "--token",
      receiver.token,
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let said = "";
  child.stdout.on("data", (piece: Buffer) => (said += piece));
  // Where it receives, it says to whoever reads along.
  await once(child.stderr, "data", { signal: AbortSignal.timeout(inboxWithinMs) });
  return { child, url: `http://127.0.0.1:${port}`, said: () => said };
}

if (import.meta.main) {
  const service = await prepareService("http-file", []);
  try {
    await service.start();
    await sendHttpFile(repository, path.join(service.dataDir, "demo"));
  } finally {
    await service.stop();
    await service.remove();
  }
}
