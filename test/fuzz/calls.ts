/**
 * Calls of every operation of the OpenAPI document with everything about them changed: none fails, shows or changes
 * another's.
 */
import { type Operation, operationsOf } from "../api/operations.ts";
import type { Random } from "../faults/random.ts";
import { bodyBytes, changedBody } from "./bodies.ts";
import { pickKind } from "./batches.ts";
import { type Answer, type Call, NoAnswer } from "./http.ts";
import { codeIn, problemOfAny } from "./judge.ts";
import { junkQuery, junkSegment, mediaTypes, oddHeaders, tokenOf } from "./junk.ts";
import { brokenRequest } from "./raw-requests.ts";
import { uuidOf } from "./sealing.ts";
import type { Target } from "./target.ts";
import { Violation } from "./violation.ts";

type Caller = { partnerId: string; token: string; ids: Readonly<Record<string, string>> };
type Weighted = { operation: Operation; weight: number };

const rawShare = 0.1;
/** A PDF for each call that is right costs as much as a hundred others. */
const costly = new Set(["makeBudgetReport"]);
/** What these do to their caller would leave nothing to try the others on. */
const selfDestructive = new Set(["deleteUser", "keepAccounts", "requestReport", "createBudget"]);
const methods = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "PROPFIND"];
const readyWithinMs = 60_000;

export class CallFuzz {
  readonly #target: Target;
  readonly #operations: readonly Weighted[];
  readonly #own: Caller;
  readonly #foreign: Caller;
  readonly #before: string;
  #expendable = "";
  #expendables = 0;

  private constructor(
    target: Target,
    parts: { operations: readonly Weighted[]; own: Caller; foreign: Caller; before: string },
  ) {
    this.#target = target;
    [this.#operations, this.#own, this.#foreign, this.#before] = [
      parts.operations,
      parts.own,
      parts.foreign,
      parts.before,
    ];
  }

  static async open(target: Target): Promise<CallFuzz> {
    const operations = (await operationsOf()).map((operation) => ({
      operation,
      weight: costly.has(operation.id) ? 0.2 : 1,
    }));
    const [own, foreign] = [await possess(target, target.bank), await possess(target, target.other.bank)];
    const calls = new CallFuzz(target, { operations, own, foreign, before: await readAll(target, foreign) });
    await calls.#renew();
    return calls;
  }

  async attempt(random: Random): Promise<{ kind: string; answer: string; ms: number }> {
    const { operation } = pickKind(random, this.#operations);
    if (random.share() < rawShare) return await this.#exchange(random, operation);
    const call = this.#callOf(random, operation);
    const answer = await this.#send(call);
    const problem = problemOfAny(answer, this.#target.other.secrets) ?? undeclared(operation, call, answer);
    if (problem !== null) throw new Violation(`${operation.id}: ${problem}`, describe(call, answer));
    if (operation.path.endsWith("/users") && answer.status === 202) await this.#renew();
    return { kind: operation.id, answer: String(answer.status), ms: answer.ms };
  }

  /** @throws Violation */
  async expectOtherUnchanged(): Promise<void> {
    const now = await readAll(this.#target, this.#foreign);
    if (now !== this.#before)
      throw new Violation("what the other bank's user reads is not what it was", `${this.#before}\n\n${now}`);
  }

  async #exchange(random: Random, operation: Operation): Promise<{ kind: string; answer: string; ms: number }> {
    const caller = this.#callerOf(operation);
    const at = fill(operation, caller.partnerId, caller.ids);
    const bytes = brokenRequest(random, {
      method: operation.method,
      path: at,
      token: caller.token,
      body: JSON.stringify(operation.bodyExample ?? {}),
    });
    const answer = await this.#target.caller.exchange(bytes);
    // Some framings that lie are requests all the same.
    if (operation.id === "deleteUser") await this.#renew();
    // What is answered on the bare connection may come before there is an id, or several answers one after another.
    const problem =
      answer.status === 0 ? null : problemOfAny({ ...answer, body: Buffer.alloc(0) }, this.#target.other.secrets);
    if (problem !== null) throw new Violation(`broken HTTP: ${problem}`, bytes);
    return {
      kind: "broken HTTP",
      answer: answer.status === 0 ? "closed or waited for" : String(answer.status),
      ms: answer.ms,
    };
  }

  async #send(call: Call): Promise<Answer> {
    try {
      return await this.#target.caller.call(call);
    } catch (error) {
      if (error instanceof NoAnswer) throw new Violation(error.message, describe(call));
      // The service may end a connection whose body it will not read.
      if (["ECONNRESET", "EPIPE"].includes(String((error as NodeJS.ErrnoException).code)))
        return { status: 0, headers: {}, body: Buffer.alloc(0), ms: 0 };
      throw error;
    }
  }

  #callOf(random: Random, operation: Operation): Call & { isPlain: boolean } {
    const caller = this.#callerOf(operation);
    const ids = Object.fromEntries(operation.parameters.map((name) => [name, this.#idOf(random, name)]));
    const method = random.share() < 0.93 ? operation.method : random.pick(methods);
    const partnerId =
      random.share() < 0.94 ? caller.partnerId : random.pick([this.#foreign.partnerId, junkSegment(random)]);
    const query = random.share() < 0.75 ? "" : `?${junkQuery(random)}`;
    const body = bodyOf(random, operation, { brand: this.#target.bank.partner.brand.id });
    const token = tokenOf(random, operation, caller.token, this.#foreign.token);
    const headers = {
      ...(body ? { "content-type": random.share() < 0.9 ? "application/json" : random.pick(mediaTypes) } : {}),
      ...(token === null ? {} : { authorization: token }),
      ...(random.share() < 0.2 ? oddHeaders(random) : {}),
    };
    return {
      method,
      path: `${fill(operation, partnerId, ids)}${query}`,
      headers,
      ...(body ? { body } : {}),
      isPlain: method === operation.method,
    };
  }

  /** Whatever the method, too: DELETE on the path where users are created deletes one. */
  #callerOf({ id, path }: Operation): Caller {
    return selfDestructive.has(id) || path.endsWith("/users") ? { ...this.#own, token: this.#expendable } : this.#own;
  }

  #idOf(random: Random, name: string): string {
    const share = random.share();
    if (share < 0.55) return this.#own.ids[name] ?? uuidOf(random);
    if (share < 0.7) return this.#foreign.ids[name] ?? uuidOf(random);
    return share < 0.8 ? uuidOf(random) : junkSegment(random);
  }

  /** Another user takes the place of one that was deleted. */
  async #renew(): Promise<void> {
    this.#expendables += 1;
    const { partner } = this.#target.bank;
    const bankUserId = `expendable-${this.#expendables}`;
    await partner.call("POST", "/users", {
      body: { bankUserId, brand: partner.brand.id, locale: partner.brand.locale },
    });
    this.#expendable = await partner.login(bankUserId);
  }
}

/** A user with something of everything that has an id. */
async function possess({ caller }: Target, { partner, users }: Target["bank"]): Promise<Caller> {
  const token = await partner.login(users[0] ?? "");
  const base = `/partner/${partner.id}/2.0.0`;
  const ask = async (method: string, at: string, body?: object) => {
    const answer = await caller.call({
      method,
      path: `${base}${at}`,
      headers: { authorization: token, ...(body ? { "content-type": "application/json" } : {}) },
      ...(body ? { body: Buffer.from(JSON.stringify(body)) } : {}),
    });
    return {
      status: answer.status,
      json: answer.body.length > 0 ? (JSON.parse(answer.body.toString()) as Record<string, unknown>) : {},
    };
  };
  const { services } = (await whenReady(() => ask("GET", "/services"))).json as { services: { id: string }[] };
  if (!services[0]) throw new Error("no service was recognised");
  const budgetId = String((await ask("POST", "/budgets", {})).json.id);
  await whenReady(() => ask("GET", `/budgets/${budgetId}`));
  const documentId = String((await ask("POST", "/reports", { type: "NEXT_OF_KIN" })).json.documentId);
  const question = (await ask("GET", `/budgets/${budgetId}/questions/next`)).json;
  return {
    partnerId: partner.id,
    token,
    ids: {
      serviceId: services[0].id,
      budgetId,
      documentId,
      categoryId: "HOUSING_RENT",
      imageId: "netflix",
      ...("id" in question ? { actionId: String(question.id) } : {}),
    },
  };
}

async function whenReady<Read extends { status: number }>(read: () => Promise<Read>): Promise<Read> {
  const deadline = performance.now() + readyWithinMs;
  for (;;) {
    const answer = await read();
    if (answer.status === 200) return answer;
    if (performance.now() > deadline) throw new Error(`still answered with ${answer.status}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function readAll({ caller }: Target, { partnerId, token, ids }: Caller): Promise<string> {
  const base = `/partner/${partnerId}/2.0.0`;
  const read = async (at: string) =>
    `${at}: ${(await caller.call({ method: "GET", path: `${base}${at}`, headers: { authorization: token, "x-correlation-id": "the-same" } })).body.toString()}`;
  return (
    await Promise.all(
      [
        "/services",
        "/transactions",
        "/upcoming-payments",
        "/income",
        `/budgets/${ids.budgetId}`,
        `/budgets/${ids.budgetId}/user-data`,
      ].map(read),
    )
  ).join("\n");
}

function fill({ path }: Operation, partnerId: string, ids: Readonly<Record<string, string>>): string {
  return path.replace("{partnerId}", partnerId).replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "x");
}

function bodyOf(random: Random, { bodySchema, bodyExample }: Operation, known: { brand: string }): Buffer | null {
  if (bodySchema === undefined) return random.share() < 0.1 ? bodyBytes(random, "{}") : null;
  const example =
    typeof bodyExample === "object" && bodyExample !== null && "brand" in bodyExample
      ? { ...bodyExample, ...known, bankUserId: `fuzz-${random.between(0, 1e9)}` }
      : bodyExample;
  const share = random.share();
  if (share < 0.15) return Buffer.from(JSON.stringify(example));
  if (share < 0.75) return Buffer.from(changedBody(random, example));
  return share < 0.97 ? bodyBytes(random, JSON.stringify(example)) : null;
}

/** What the document does not say of an operation is not answered by it. */
function undeclared(
  { operation, path }: Operation,
  call: Call & { isPlain?: boolean },
  { status }: Answer,
): string | null {
  // A body where none belongs is refused like any other that is broken; no caller needs to be told beforehand. With an
  // expectation Node announces one, even of no bytes.
  const hasBody = call.body !== undefined || call.headers?.expect !== undefined;
  if (status === 0 || call.isPlain !== true || (operation.requestBody === undefined && hasBody)) return null;
  // Segments that are no segments make it another path.
  const isSamePath = call.path.split("?")[0]?.split("/").length === path.split("/").length;
  if (!isSamePath || status === 404 || status === 414 || status === 431) return null;
  return String(status) in (operation.responses ?? {})
    ? null
    : `answered with ${status}, which the document does not declare`;
}

function describe(call: Call, answer?: Answer): string {
  const { method, path, headers, body } = call;
  return [
    `${method} ${path}`,
    JSON.stringify(headers),
    body?.toString("latin1") ?? "",
    answer ? `${answer.status} ${codeIn(answer.body) ?? ""} ${answer.body.toString("latin1")}` : "",
  ].join("\n\n");
}
