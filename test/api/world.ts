/**
 * A real HTTPS API on a real database, with one partner, two brands, a login key and a user; and a caller for it.
 * Tests that open one run serially: each has a database and a server of its own.
 */
import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { request as httpsRequest } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import type { ExecutionContext } from "ava";
import { type JWTPayload, SignJWT } from "jose";
import { type ApiDependencies, type ApiSettings, openApi } from "../../src/api/server.ts";
import { knobs } from "../../config/knobs.ts";
import type { Database } from "../../src/database/database.ts";
import { readsFrom } from "../../src/database/replica.ts";
import { isForSandbox, sandboxBank } from "../../src/demo/sandbox-bank/bank.ts";
import { sandboxBankRoutes } from "../../src/demo/sandbox-bank/routes.ts";
import { createEvents } from "../../src/events.ts";
import { createAuditTrail } from "../../src/partners/audit-trail.ts";
import { addLoginKey } from "../../src/partners/keys/login-keys.ts";
import { putBrand, putPartner } from "../../src/partners/provisioning.ts";
import type { Connecting } from "../../src/psd2/flow.ts";
import { judgeReadiness } from "../../src/observation/readiness.ts";
import { openAuthority, type ServerCertificate } from "../../src/machine/tls/authority.ts";
import { standingOn } from "../time/clocks.ts";
import { createTestDatabase, openForCallers } from "../world.ts";
import type { Answer } from "./answer.ts";
import { assertConforms } from "./conformance.ts";

export type Call = {
  /** What the caller shows in the handshake, PEM. */ client?: { cert: string; key: string };
  token?: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** Instead of body: sent as it stands. */ raw?: string | Buffer;
};

export type World = {
  database: Database;
  url: string;
  keyEncryptionKey: Buffer;
  loginKey: KeyObject;
  close(graceMs: number): Promise<void>;
  port: number;
  authority: string;
  /** Connecting banks, with the sandbox bank on this server. */
  psd2: Connecting;
  /** Every log line so far, parsed. */
  logged: Record<string, unknown>[];
  /**
   * The first `count` lines of which it is true, once there are so many: an answer may be read before its line is
   * written.
   */
  told(isIt: (line: Record<string, unknown>) => boolean, count?: number): Promise<Record<string, unknown>[]>;
  /** Each answer is held against the OpenAPI document too. */
  call(method: string, path: string, call?: Call): Promise<Answer>;
  /** Creates a user of brand `north-dk` unless told otherwise, logs it in; its token and its row's id. */
  newUser(bankUserId: string, brand?: string): Promise<{ token: string; userId: number }>;
  loginJwt(claims?: JWTPayload, header?: { alg?: string; kid?: string }): Promise<string>;
};

export const partnerPath = "/partner/north/2.0.0";

/** Made once a file: keys take longer than everything else here. */
const loginKey = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
let madeCertificate: Promise<ServerCertificate> | undefined;

const untold = {
  inspect: "batches",
  acceptRequest: "batches",
  refreshUser: "services",
  refreshBudgets: "budgets",
  makeBudgetReport: "reports",
} as const;

/** What a test does not give stands for a stage that the test never reaches: using it fails the test. */
export async function openWorld(
  t: ExecutionContext,
  given: Partial<ApiDependencies> = {},
  network: Partial<ApiSettings> = {},
): Promise<World> {
  const { database, url } = await createTestDatabase(t);
  const asked = openForCallers(t, url);
  const keyEncryptionKey = randomBytes(32);
  await provision(database);
  const certificate = await (madeCertificate ??= makeCertificate());
  const logged: Record<string, unknown>[] = [];
  const destination = new PassThrough();
  destination.on("data", (line: Buffer) => logged.push(JSON.parse(line.toString()) as Record<string, unknown>));
  const told: World["told"] = async (isIt, count = 1) => {
    while (logged.filter(isIt).length < count) await once(destination, "data");
    return logged.filter(isIt).slice(0, count);
  };
  const events = createEvents({ level: "debug", destination });
  const clock = standingOn("2026-06-15");
  let ownUrl = "";
  const psd2: Connecting = {
    database,
    keyEncryptionKey,
    events,
    baseUrl: () => ownUrl,
    today: () => clock.today("UTC"),
    hasOwnBank: () => isForSandbox(database, null),
    ownBank: async (partnerId) =>
      (await isForSandbox(database, partnerId))
        ? sandboxBank({ ownUrl, authority: certificate.authority, publicUrl: ownUrl })
        : null,
  };
  const trail = createAuditTrail(database, events);
  const unreachable = (name: keyof typeof untold) => () =>
    Promise.reject(new Error(`this test does not reach ${untold[name]}`));
  const api = await openApi(
    {
      host: "127.0.0.1",
      port: 0,
      tls: certificate,
      version: "0.0.0-test",
      asksForCertificates: false,
      trustedProxies: [],
      metricsNetworks: ["127.0.0.1"],
      rememberedBytesMax: knobs.rememberedDocumentBytesMax.byDefault,
      furtherPages: [sandboxBankRoutes],
      ...network,
    },
    {
      database: asked,
      reads: readsFrom(asked),
      keyEncryptionKey,
      clock,
      events,
      psd2: { ...psd2, database: asked },
      trail,
      convert: () => null,
      doorThreads: 2,
      bytesInFlight: { all: 192 * 2 ** 20, ofPartner: 96 * 2 ** 20, ofSource: 64 * 2 ** 20 },
      inspect: unreachable("inspect"),
      isRepeat: async () => false,
      acceptRequest: unreachable("acceptRequest"),
      refreshUser: unreachable("refreshUser"),
      refreshBudgets: unreachable("refreshBudgets"),
      makeBudgetReport: unreachable("makeBudgetReport"),
      baseUrl: () => "https://bank.example",
      isReady: async () => judgeReadiness([{ name: "database", found: "ok", needs: "everything" }]),
      ...given,
    },
  );
  ownUrl = `https://localhost:${api.port}`;
  const close = onlyOnce(api.close);
  t.teardown(async () => {
    await close(0);
    await trail.close();
  });
  const call: World["call"] = async (method, target, options = {}) => {
    const answer = await send(api.port, certificate.authority, method, target, options);
    await assertConforms(t, method, target, answer);
    return answer;
  };
  const loginJwt: World["loginJwt"] = async (claims = {}, header = {}) => {
    const now = Math.floor(Date.now() / 1000);
    const all = { sub: "anna", brand: "north-dk", iat: now, exp: now + 300, ...claims };
    return new SignJWT(all).setProtectedHeader({ alg: "RS256", ...header }).sign(loginKey);
  };
  async function newUser(bankUserId: string, brand = "north-dk"): Promise<{ token: string; userId: number }> {
    const created = await call("POST", `${partnerPath}/users`, { body: { bankUserId, brand, locale: "da-DK" } });
    t.is(created.status, 201);
    const login = await call("POST", `${partnerPath}/users/logins`, {
      body: { payload: await loginJwt({ sub: bankUserId, brand }) },
    });
    t.is(login.status, 200);
    const { rows } = await database.query<{ id: number }>(
      "select id from users where bank_user_id = $1 and deleted_at is null",
      [bankUserId],
    );
    return { token: (login.json as { token: string }).token, userId: rows[0]?.id ?? 0 };
  }
  return {
    database,
    url,
    keyEncryptionKey,
    loginKey,
    close,
    port: api.port,
    authority: certificate.authority,
    logged,
    told,
    psd2,
    call,
    newUser,
    loginJwt,
  };
}

/** A test that closes the server itself leaves nothing to the teardown. */
function onlyOnce(close: (graceMs: number) => Promise<void>): (graceMs: number) => Promise<void> {
  let closing: Promise<void> | undefined;
  return (graceMs) => (closing ??= close(graceMs));
}

async function provision(database: Database): Promise<void> {
  await putPartner(database, { id: "north", name: "North Bank" });
  await putPartner(database, { id: "south", name: "South Bank" });
  await putBrand(database, "north", {
    id: "north-dk",
    country: "DK",
    currency: "DKK",
    timeZone: "Europe/Copenhagen",
    locale: "da-DK",
  });
  await putBrand(database, "north", {
    id: "north-se",
    country: "SE",
    currency: "SEK",
    timeZone: "Europe/Stockholm",
    locale: "sv-SE",
  });
  await putBrand(database, "south", {
    id: "south-de",
    country: "DE",
    currency: "EUR",
    timeZone: "Europe/Berlin",
    locale: "de-DE",
  });
  const publicKeyPem = createPublicKey(loginKey).export({ format: "pem", type: "spki" }).toString();
  await addLoginKey(database, { partnerId: "north", kid: null, algorithm: "RS256", publicKeyPem, expiresAt: null });
}

async function makeCertificate(): Promise<ServerCertificate> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-api-"));
  const certificate = await openAuthority(folder, ["localhost"], new Date());
  await rm(folder, { recursive: true });
  return certificate;
}

function send(
  port: number,
  ca: string,
  method: string,
  target: string,
  { token, headers = {}, body, raw, client = undefined }: Call,
): Promise<Answer> {
  const payload = raw === undefined && body === undefined ? undefined : Buffer.from(raw ?? JSON.stringify(body));
  const all = {
    ...(payload === undefined ? {} : { "content-type": "application/json", "content-length": String(payload.length) }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const call = httpsRequest(
      {
        host: "127.0.0.1",
        port,
        ca,
        servername: "localhost",
        method,
        path: target,
        headers: all,
        agent: false,
        ...client,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          const isJson = method !== "HEAD" && /\bjson\b/.test(response.headers["content-type"] ?? "");
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: isJson ? JSON.parse(text) : undefined,
          });
        });
      },
    );
    call.on("error", reject);
    call.end(payload);
  });
}
