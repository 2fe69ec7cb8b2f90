/** The calls of the interface that a sender makes: key set, users, batches. */
import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import { Fault } from "../errors.ts";
import type { Answer, Client } from "./client.ts";
import { type Credentials, readKeptBatchKey } from "./credentials.ts";

/** CreateUserRequest of the interface. */
export type NewUser = { bankUserId: string; brand: string; locale: string };

const ErrorAnswerSchema = Type.Object({
  errorCode: Type.String(),
  message: Type.Optional(Type.String()),
  details: Type.Optional(
    Type.Array(Type.Object({ index: Type.Optional(Type.Integer()), field: Type.String(), reason: Type.String() })),
  ),
});

/** A batch that the service will never take as it is. */
export type Refusal = {
  requestId: string;
  status: number;
  errorCode: string;
  message: string;
  details: NonNullable<Static<typeof ErrorAnswerSchema>["details"]>;
};

const KeySetSchema = Type.Object({ keys: Type.Array(Type.Object({ kid: Type.String(), kty: Type.String() })) });

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
  const key = Check(KeySetSchema, content) ? content.keys.find(({ kty }) => kty === "RSA") : undefined;
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
  if (!Check(ErrorAnswerSchema, content)) throw refusedCall("A batch", answer);
  return {
    requestId,
    status: answer.status,
    errorCode: content.errorCode,
    message: content.message ?? "",
    details: content.details ?? [],
  };
}

const ProblemSchema = Type.Object({
  detail: Type.Optional(Type.String()),
  title: Type.Optional(Type.String()),
  errors: Type.Optional(Type.Array(Type.Object({ pointer: Type.String(), message: Type.String() }))),
});

function refusedCall(what: string, answer: Answer): Fault {
  const content = parse(answer.body);
  const problem = Check(ProblemSchema, content) ? content : {};
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
