/**
 * Certificates on both sides, with programs of others: curl shows the service one that openssl made, or none, or a
 * stranger's, or one that was revoked; and the service shows one to a receiver in Python that takes no other.
 */
import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "../ports.ts";
import { onboardPartner } from "./partner.ts";
import { prepareService } from "./service.ts";

const run = promisify(execFile);
/** A setting counts within a second; the machine may have other work. */
const inForceWithinMs = 30_000;
const listensWithinMs = 30_000;

/** Takes only who shows a certificate of the authority, and says whose it was. */
const receiver = `
import http.server, ssl, sys
class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        subject = dict(pair[0] for pair in self.connection.getpeercert()["subject"])
        print("POST from", subject["commonName"], self.connection.version(), flush=True)
        self.send_response(202)
        self.end_headers()
    def log_message(self, *arguments): pass
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain("receiver.pem", "receiver.key")
context.load_verify_locations("authority.pem")
context.verify_mode = ssl.CERT_REQUIRED
class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, address): print("refused", flush=True)
    def get_request(self):
        socket, address = super().get_request()
        return context.wrap_socket(socket, server_side=True, do_handshake_on_connect=False), address
server = Server(("127.0.0.1", int(sys.argv[1])), Receiver)
print("listening", flush=True)
server.serve_forever()
`;

process.env["TIDELINE_CLIENT_CERTIFICATES"] = "ask";
const service = await prepareService("mutual-tls", ["--no-demo"]);
let listening: ChildProcess | null = null;
try {
  await service.start();
  const partner = await onboardPartner(service, "north", {
    id: "north-dk",
    country: "DK",
    currency: "DKK",
    timeZone: "Europe/Copenhagen",
    locale: "da-DK",
  });
  const at = (name: string) => path.join(partner.folder, name);
  const openssl = (...parameters: string[]) => run("openssl", parameters, { cwd: partner.folder });
  await makeAuthority("authority", openssl);
  await makeAuthority("stranger", openssl);
  for (const [name, issuer] of [
    ["backend", "authority"],
    ["lost", "authority"],
    ["impostor", "stranger"],
    ["receiver", "authority"],
  ] as const)
    await makeCertificate(name, issuer, openssl);
  const { tideline } = service;
  await tideline("partner", "client-certificate", "add", partner.id, at("authority.pem"), "--issuer");
  await tideline("partner", "set", partner.id, "https.clientCertificate=required");

  const keys = `https://localhost:${service.httpsPort}/partner/${partner.id}/2.0.0/.well-known/jwks.json`;
  const curl = async (name: string | null) => {
    const shown = name === null ? [] : ["--cert", at(`${name}.pem`), "--key", at(`${name}.key`)];
    const said = await run("curl", [
      "-sS",
      "--max-time",
      "30",
      "--cacert",
      at("ca.pem"),
      ...shown,
      "-w",
      "\n%{http_code}",
      keys,
    ]);
    const [status = "", ...lines] = said.stdout.trimEnd().split("\n").toReversed();
    const { code } = JSON.parse(lines.join("\n")) as { code?: string };
    return code === undefined ? status : `${status} ${code}`;
  };
  const refused = "403 CLIENT_CERTIFICATE_NOT_ALLOWED";
  await inForce(async () => (await curl(null)) === refused);
  assert.equal(await curl("impostor"), refused);
  assert.equal(await curl("backend"), "200");
  assert.equal(await curl("lost"), "200");

  const serial = (await openssl("x509", "-in", "lost.pem", "-noout", "-serial")).stdout.trim().replace("serial=", "");
  await tideline("partner", "set", partner.id, `https.revokedSerials=${serial}`);
  await inForce(async () => (await curl("lost")) === refused);
  assert.equal(await curl("backend"), "200");
  console.log(
    "curl: served with the partner's certificate; refused without, with a stranger's, with one whose serial was revoked",
  );

  const port = await freePort();
  await writeFile(at("receive.py"), receiver);
  await writeFile(at("token"), "sandbox");
  listening = spawn("python3", ["receive.py", String(port)], {
    cwd: partner.folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  listening.stdout?.on("data", (piece: Buffer) => (said += piece.toString()));
  await until(
    () => said.includes("listening"),
    () => "the receiver does not listen",
  );
  await partnerUser();
  const receive = async (...certificate: string[]) => {
    const set = [
      "notifications",
      "receiver",
      "set",
      partner.id,
      "--url",
      `https://localhost:${port}`,
      "--token-file",
      at("token"),
    ];
    await tideline(...set, "--authority-file", at("authority.pem"), "--allow-private-addresses", ...certificate);
  };
  await receive();
  await tideline("notify-test", "--partner", partner.id, "--user", "anna").catch(() => undefined);
  await until(
    () => said.includes("refused"),
    () => `without a certificate: ${said}`,
  );
  assert.ok(!said.includes("POST"), said);
  await receive("--client-certificate-file", at("backend.pem"), "--client-key-file", at("backend.key"));
  await tideline("notify-test", "--partner", partner.id, "--user", "anna").catch(() => undefined);
  await until(
    () => /POST from backend TLSv1\.3/.test(said),
    () => `with a certificate: ${said}`,
  );
  console.log(
    "a receiver in Python that asks for certificates: takes the notification with ours, and no connection without",
  );

  async function partnerUser(): Promise<void> {
    await tideline(
      "user",
      "create",
      "--partner",
      partner.id,
      "--user",
      "anna",
      "--brand",
      partner.brand.id,
      "--locale",
      "da-DK",
    );
  }
} finally {
  if (listening !== null && listening.exitCode === null) {
    const ended = once(listening, "close");
    listening.kill("SIGKILL");
    await ended;
  }
  await service.stop();
  await service.remove();
}

type OpenSsl = (...parameters: string[]) => Promise<unknown>;

async function makeAuthority(name: string, openssl: OpenSsl): Promise<void> {
  await certify(name, openssl, ["-addext", "keyUsage=critical,keyCertSign"]);
}

async function makeCertificate(name: string, issuer: string, openssl: OpenSsl): Promise<void> {
  const kind = ["-addext", "basicConstraints=critical,CA:FALSE", "-addext", "subjectAltName=DNS:localhost"];
  await certify(name, openssl, kind.concat("-CA", `${issuer}.pem`, "-CAkey", `${issuer}.key`));
}

/** A key and a certificate for two days, of itself unless told otherwise. */
async function certify(name: string, openssl: OpenSsl, more: readonly string[]): Promise<void> {
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", `${name}.key`];
  await openssl("req", "-x509", ...key, "-days", "2", "-subj", `/CN=${name}`, ...more, "-out", `${name}.pem`);
}

async function inForce(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + inForceWithinMs;
  while (!(await holds())) {
    assert.ok(performance.now() < deadline, "what was set is not in force");
    await wait(200);
  }
}

async function until(holds: () => boolean, otherwise: () => string): Promise<void> {
  const deadline = performance.now() + listensWithinMs;
  while (!holds()) {
    assert.ok(performance.now() < deadline, otherwise());
    await wait(100);
  }
}
