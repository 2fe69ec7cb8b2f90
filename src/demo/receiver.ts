/**
 * A receiver to try notifications against: it keeps what came, checks tokens and signatures, and fails in the ways that
 * receivers fail.
 */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/**
 * How the next messages are answered: `accept`, a status, `slow` (accepts after a while), `hang` (never answers), `cut`
 * (ends half-way through its answer).
 */
export type Behaviour = "accept" | "slow" | "hang" | "cut" | number;

export type Received = {
  id: string;
  userId: string;
  type: string;
  body: string;
  headers: IncomingMessage["headers"];
  answered: Behaviour;
};

export type Simulator = {
  url: string;
  tokenUrl: string;
  /** In the order in which they came, repeats included. */
  received: Received[];
  /** Tokens that count from now on; earlier ones are answered 401. */
  expireTokens(): void;
  close(): Promise<void>;
};

export type SimulatorOptions = {
  port: number;
  /** Asked for each message. */
  behave(message: { id: string; userId: string; count: number }): Behaviour;
  /** Taken besides those that the token address gave out. */
  staticToken: string | null;
  slowMs: number;
  report(received: Received): void;
};

/** The token address gives tokens for so long. */
const tokenSeconds = 120;

export async function openSimulator(options: SimulatorOptions): Promise<Simulator> {
  const received: Received[] = [];
  const tokens = new Set<string>();
  const server = createServer((request, response) => {
    const answering =
      request.url === "/token"
        ? giveToken(request, response, tokens)
        : receive(request, response, { ...options, received, tokens });
    answering.catch(() => response.destroy());
  });
  await new Promise<void>((listening, failed) =>
    server.once("error", failed).listen(options.port, "127.0.0.1", listening),
  );
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return { url, tokenUrl: `${url}/token`, received, expireTokens: () => tokens.clear(), close: () => close(server) };
}

async function giveToken(request: IncomingMessage, response: ServerResponse, tokens: Set<string>): Promise<void> {
  const form = new URLSearchParams(await text(request));
  const isClient = request.headers.authorization?.startsWith("Basic ") === true || form.has("client_assertion");
  if (request.method !== "POST" || form.get("grant_type") !== "client_credentials" || !isClient)
    return answerJson(response, 401, { error: "invalid_client" });
  const token = randomUUID();
  tokens.add(token);
  answerJson(response, 200, { access_token: token, token_type: "Bearer", expires_in: tokenSeconds });
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  {
    received,
    tokens,
    staticToken,
    behave,
    slowMs,
    report,
  }: SimulatorOptions & { received: Received[]; tokens: ReadonlySet<string> },
): Promise<void> {
  if (request.method !== "POST" || request.url !== "/notifications") return answerJson(response, 404, {});
  const body = await text(request);
  const { notification } = JSON.parse(body) as {
    notification: { userId: string; type: string; payload: { params: { notificationId: string } }[] };
  };
  const id = notification.payload[0]?.params.notificationId ?? "";
  const token = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
  const answered: Behaviour =
    tokens.has(token) || (staticToken !== null && token === staticToken)
      ? behave({ id, userId: notification.userId, count: received.length })
      : 401;
  const one = { id, userId: notification.userId, type: notification.type, body, headers: request.headers, answered };
  received.push(one);
  report(one);
  answer(response, answered, slowMs);
}

function answer(response: ServerResponse, behaviour: Behaviour, slowMs: number): void {
  if (behaviour === "accept") return void response.writeHead(202).end();
  if (behaviour === "slow") return void setTimeout(() => response.writeHead(202).end(), slowMs);
  if (behaviour === "hang") return;
  if (behaviour === "cut") {
    response.writeHead(202, { "content-length": "100" }).write("{");
    return void setTimeout(() => response.destroy(), 10);
  }
  response.writeHead(behaviour, behaviour === 429 || behaviour === 503 ? { "retry-after": "1" } : {}).end();
}

function answerJson(response: ServerResponse, status: number, document: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(document));
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((closed) => server.close(() => closed()));
}
