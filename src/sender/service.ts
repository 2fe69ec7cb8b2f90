/** The calls of the interface that a sender makes: key set, users, batches. */
import { Fault } from "../errors.ts";
import type { Answer, Client } from "./client.ts";
import { type Credentials, readKeptBatchKey } from "./credentials.ts";
import { holds, isText, isWholeNumber, listOf } from "./shapes.ts";

/** CreateUserRequest of the interface. */
export type NewUser = { bankUserId: string; brand: string; locale: string };

const isErrorAnswer = holds(
  { errorCode: isText },
  { message: isText, details: listOf(holds({ field: isText, reason: isText }, { index: isWholeNumber })) },
);

/** A batch that the service will never take as it is. */
export type Refusal = {
  requestId: string;
  status: number;
  errorCode: string;
  message: string;
  details: { field: string; reason: string; index?: number }[];
};

const isKeySet = holds({ keys: listOf(holds({ kid: isText, kty: isText }, {})) }, {});

/** First contact: whoever waits for it wants to know soon that the address is wrong. With pauses some four seconds. */
const firstContactAttemptsMax = 4;

/** The partner's newest public key: from the JWKS, or the kept one where the service cannot be reached (SFTP only). */
export async function findBatchKey(client: Client, credentials: Credentials, signal?: AbortSignal): Promise<object> {
  const kept = await readKeptBatchKey(credentials);
  try {
    return await fetchBatchKey(client, signal);
  } catch (error) {
    if (kept === null || !(error instanceof Fault)) throw error;
    return kept;
  }
}

/** @throws Fault SERVICE_REFUSED when the partner has no key there. */
export async function fetchBatchKey(client: Client, signal?: AbortSignal): Promise<object> {
  const answer = await client.call(
    { method: "GET", path: `${client.prefix}/.well-known/jwks.json`, attemptsMax: firstContactAttemptsMax },
    signal,
  );
  const content = answer.status === 200 ? parse(answer.body) : null;
  // Behind the keys to encrypt to stand those by which receipts are verified.
  const key = isKeySet(content) ? content.keys.find(({ kty }) => kty === "RSA") : undefined;
  if (!key) throw refusedCall("The key set", answer);
  return key;
}

/** @throws Fault SERVICE_REFUSED for anything but a user who is there afterwards. */
export async function postUser(client: Client, user: NewUser, signal?: AbortSignal): Promise<"created" | "existing"> {
  const answer = await client.call(
    { method: "POST", path: `${client.prefix}/users`, body: JSON.stringify(user) },
    signal,
  );
  if (answer.status === 201) return "created";
  if (answer.status === 409) return "existing";
  throw refusedCall("Creating a user", answer);
}

/**
 * Null: received, durable. Idempotent by request id. @throws Fault SERVICE_REFUSED when the partner itself is refused.
 */
export async function postBatch(
  client: Client,
  requestId: string,
  txs: string,
  signal?: AbortSignal,
): Promise<Refusal | null> {
  const body = JSON.stringify({ reqId: requestId, txs });
  const answer = await client.call(
    { method: "POST", path: `${client.prefix}/transactions`, body, correlationId: requestId },
    signal,
  );
  if (answer.status === 201) return null;
  const content = parse(answer.body);
  if (!isErrorAnswer(content)) throw refusedCall("A batch", answer);
  return {
    requestId,
    status: answer.status,
    errorCode: content.errorCode,
    message: content.message ?? "",
    details: content.details ?? [],
  };
}

const isProblem = holds(
  {},
  { detail: isText, title: isText, errors: listOf(holds({ pointer: isText, message: isText }, {})) },
);

function refusedCall(what: string, answer: Answer): Fault {
  const content = parse(answer.body);
  const problem = isProblem(content) ? content : {};
  const pointers = (problem.errors ?? []).map((error) => `${error.pointer} ${error.message}`).join("; ");
  const why = [problem.detail ?? problem.title, pointers].filter(Boolean).join(" ");
  return new Fault("SERVICE_REFUSED", `${what} was answered with ${answer.status}${why ? `: ${why}` : "."}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // An answer of something in between, such as a proxy's page: its status says enough.
    return null;
  }
}
