/** A service runs on when its terminal goes away, and closes in order when it is told to stop. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import test, { type ExecutionContext } from "ava";
import { createTestDatabase } from "../../world.ts";
import { openCommandLine } from "../command.ts";
import { among, tellingReads } from "../reads.ts";

const program = fileURLToPath(new URL("../../../src/cli/tideline.mjs", import.meta.url));

/** Stores of objects, mail, identity providers, collectors of traces, OpenPGP, reports, a sender's part. */
const onlyWhereSet = [
  "@aws-sdk/client-s3",
  "nodemailer",
  "openid-client",
  "@opentelemetry/sdk-trace",
  "@opentelemetry/sdk-metrics",
  "openpgp",
  "node-jose",
  "pdfkit",
  "ssh2-sftp-client",
  "stream-json",
];

test("a service whose reader and terminal go away runs on, and closes everything when it is told to stop", async (t) => {
  const { url } = await createTestDatabase(t);
  const service = await startService(t, url);
  let shown = "";
  for await (const piece of service.stdout) {
    shown += String(piece);
    // Leaving the loop closes the pipe, as a closed terminal or an ended `head` does.
    if (shown.includes("Ready.")) break;
  }
  service.stderr.on("data", (piece: Buffer) => {
    if (piece.includes("service.hung-up")) service.kill("SIGTERM");
  });
  const log = text(service.stderr);
  service.kill("SIGHUP");
  const [code] = (await once(service, "exit")) as [number | null];
  t.is(code, 0);
  t.regex(await log, /"event":"service\.stopped"/);
});

test("commands hand over the ports on which the service has opened its doors, and the authority of its own", async (t) => {
  const { url } = await createTestDatabase(t);
  const service = await startService(t, url);
  let shown = "";
  for await (const piece of service.stdout) {
    shown += String(piece);
    if (shown.includes("Ready.")) break;
  }
  const { tideline } = await openCommandLine(t, url, { TIDELINE_DATA_DIR: service.folder });
  await tideline("partner", "add", "bank", "--name", "A Bank");
  const out = path.join(service.folder, "handed");
  const ran = await tideline("partner", "credentials", "bank", "--out", out, "--json");
  t.is(ran.code, 0, ran.stderr);
  const { baseUrl, sftpPort } = JSON.parse(await readFile(path.join(out, "partner.json"), "utf8")) as {
    baseUrl: string;
    sftpPort: number;
  };
  t.true(shown.includes(` ${baseUrl}/openapi.json\n`), shown);
  t.true(shown.includes(` port ${sftpPort}\n`), shown);
  t.true((await readFile(path.join(out, "known_hosts"), "utf8")).startsWith(`[localhost]:${sftpPort} ssh-ed25519 `));
  service.kill("SIGTERM");
  await once(service, "exit");
});

test("a forgotten timer is told, and keeps no service that has stopped", async (t) => {
  const { url } = await createTestDatabase(t);
  const forgetful = "--import=data:text/javascript,setInterval(()=>{},1e9)";
  const service = await startService(t, url, { NODE_OPTIONS: forgetful });
  const log = text(service.stderr);
  service.stdout.on("data", (piece: Buffer) => {
    if (piece.includes("Ready.")) service.kill("SIGTERM");
  });
  const [code] = (await once(service, "exit")) as [number | null];
  t.is(code, 0);
  t.regex(await log, /"event":"service\.lingered","resources":"[^"]*Timeout/);
});

test("a service on a current schema, without what is only there where it is set, reads none of the libraries for it", async (t) => {
  const { url } = await createTestDatabase(t);
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-read-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, "read.json");
  const service = await startService(t, url, { NODE_OPTIONS: tellingReads(file) });
  service.stderr.resume();
  service.stdout.on("data", (piece: Buffer) => {
    if (piece.includes("Ready.")) service.kill("SIGTERM");
  });
  await once(service, "exit");
  const read = JSON.parse(await readFile(file, "utf8")) as string[];
  t.deepEqual(among(read, [...onlyWhereSet, "knex", "lodash", "fastify"]), ["fastify"]);
});

async function startService(t: ExecutionContext, databaseUrl: string, environment: Record<string, string> = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-up-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const service = spawn(
    process.execPath,
    [program, "up", "--no-demo", "--https-port", "0", "--sftp-port", "0", "--console-port", "0", "--data-dir", folder],
    {
      env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  t.teardown(() => void service.kill("SIGKILL"));
  return Object.assign(service, { folder });
}
