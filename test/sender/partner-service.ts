/** A service for senders to talk to: TLS by an authority of its own, a key set, and answers that a test decides. */
import { generateKeyPairSync } from "node:crypto";
import { writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { ExecutionContext } from "ava";
import { compactDecrypt } from "jose";
import type { RawTransaction } from "../../src/interface/record.ts";
import { type Credentials, readCredentials } from "../../src/sender/credentials.ts";
import { openAuthority } from "../../src/machine/tls/authority.ts";
import { temporaryFolder } from "./records.ts";

export type Reply = { status: number; headers?: Record<string, string>; body?: string } | "cut the connection";

export type PartnerService = {
  credentials: Credentials;
  /** Opened batches in the order of their arrival. */
  batches: { requestId: string; correlationId: string; records: RawTransaction[] }[];
  users: { bankUserId: string; brand: string; locale: string }[];
  /** Everything that was asked for, in order. */
  requests: { path: string; authorization: string | undefined; body: string }[];
  /** Answers that come before the usual ones, first in first out. */
  replies: Reply[];
};

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const prefix = "/partner/bank/2.0.0";

export async function openPartnerService(t: ExecutionContext): Promise<PartnerService> {
  const folder = await temporaryFolder(t);
  const certificate = await openAuthority(path.join(folder, "tls"), ["127.0.0.1"], new Date());
  const world: Omit<PartnerService, "credentials"> = { batches: [], users: [], requests: [], replies: [] };
  const server = createServer({ key: certificate.key, cert: certificate.cert }, (request, response) => {
    void answer(request, world).then((reply) => {
      if (reply === "cut the connection") request.socket.destroy();
      else response.writeHead(reply.status, reply.headers).end(reply.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  await writeFile(
    path.join(folder, "partner.json"),
    JSON.stringify({ partnerId: "bank", brand: "bank-dk", baseUrl: `https://localhost:${port}` }),
  );
  await writeFile(path.join(folder, "ca.pem"), certificate.authority);
  return { ...world, credentials: await readCredentials(folder) };
}

async function answer(request: IncomingMessage, world: Omit<PartnerService, "credentials">): Promise<Reply> {
  const body = await textOf(request);
  const { url = "", headers } = request;
  world.requests.push({ path: url, authorization: headers.authorization, body });
  if (request.url === `${prefix}/.well-known/jwks.json`) {
    return { status: 200, body: JSON.stringify({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "key-1" }] }) };
  }
  const scripted = world.replies.shift();
  if (scripted) return scripted;
  if (request.url === `${prefix}/users`) return addUser(world, body);
  const { reqId, txs } = JSON.parse(body) as { reqId: string; txs: string };
  const { plaintext } = await compactDecrypt(txs, privateKey, { maxDecompressedLength: 10_000_000 });
  world.batches.push({
    requestId: reqId,
    correlationId: String(request.headers["x-correlation-id"]),
    records: JSON.parse(new TextDecoder().decode(plaintext)) as RawTransaction[],
  });
  return { status: 201 };
}

function addUser(world: Omit<PartnerService, "credentials">, body: string): Reply {
  const user = JSON.parse(body) as PartnerService["users"][number];
  if (world.users.some((known) => known.bankUserId === user.bankUserId)) return { status: 409 };
  world.users.push(user);
  return { status: 201 };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += String(chunk);
  return text;
}
