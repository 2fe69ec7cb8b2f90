/** A console on a test's database, asked without a network, and browsers that keep its cookie as theirs do. */
import type { ExecutionContext } from "ava";
import { type Account, addAccount, type ConsoleRole, makeToken } from "../../src/console/access/accounts.ts";
import { openIdentityProvider, type ProviderSettings } from "../../src/console/access/identity-provider.ts";
import type { FoundHandover } from "../../src/operations/handover.ts";
import type { ConsoleDependencies, Scope } from "../../src/console/context.ts";
import { createConsole } from "../../src/console/server.ts";
import { type Database, openDatabase } from "../../src/database/database.ts";
import { createEvents } from "../../src/events.ts";
import { fileVault } from "../../src/vault/file-vault.ts";
import { verifyAudit } from "../../src/partners/audit-chain.ts";
import { putBrand, putPartner } from "../../src/partners/provisioning.ts";
import { createClock } from "../../src/time/clock.ts";
import { createTestDatabase } from "../world.ts";

/** By which the audit trail's signing key is kept. */
export const chainKey = Buffer.alloc(32, 7);
export const origin = "https://console.test";

export type Answer = { status: number; html: string; location: string | null; cookies: readonly string[] };

export type Visitor = {
  get(at: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Sends the form of the last page that was got; `fields` win. */
  post(
    at: string,
    fields?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  /** The cookie that it holds; null: none. */
  cookie: string | null;
};

export type World = {
  app: Scope;
  database: Database;
  woken: string[];
  visitor(): Visitor;
  /** Signed in as a new account. */
  signedIn(name: string, role: ConsoleRole, partnerIds?: Account["partnerIds"]): Promise<Visitor>;
};

/** answersWithinMs: what pages read; by default as long as it takes. */
type Wanted = {
  provider?: ProviderSettings | null;
  answersWithinMs?: number;
  disks?: ReturnType<ConsoleDependencies["disks"]>;
  handover?: FoundHandover;
};

export async function openWorld(t: ExecutionContext, wanted: Wanted = {}): Promise<World> {
  const { dependencies, woken } = await openDependencies(t, wanted);
  const { database } = dependencies;
  const { app, live } = await createConsole({ version: "0.0.0", publicUrl: origin }, dependencies);
  t.teardown(async () => {
    live.close();
    await app.close();
  });
  const visitor = () => visitorOf(app);
  return {
    app,
    database,
    woken,
    visitor,
    signedIn: (name, role, partnerIds = null) => signIn(app, database, name, role, partnerIds),
  };
}

/** As a new account. */
export async function signIn(
  app: Scope,
  database: Database,
  name: string,
  role: ConsoleRole,
  partnerIds: Account["partnerIds"],
): Promise<Visitor> {
  const token = makeToken();
  await addAccount(database, { name, role, partnerIds }, token);
  const one = visitorOf(app);
  await one.get("/console/sign-in");
  const { status, html } = await one.post("/console/sign-in", { token });
  if (status !== 303) throw new Error(`not signed in: ${status} ${html}`);
  return one;
}

/** With two partners, a brand each. */
export async function openDependencies(
  t: ExecutionContext,
  { provider = null, answersWithinMs, disks = [], handover }: Wanted = {},
): Promise<{ dependencies: ConsoleDependencies; woken: string[] }> {
  const { url, database } = await createTestDatabase(t);
  const reading = openDatabase(url, {
    sizeMax: 4,
    applicationName: "test console",
    readOnly: true,
    ...(answersWithinMs !== undefined && { answersWithinMs }),
  });
  const woken: string[] = [];
  for (const id of ["north", "south"]) {
    await putPartner(database, { id, name: id });
    await putBrand(database, id, {
      id: `${id}-dk`,
      country: "DK",
      currency: "DKK",
      timeZone: "Europe/Copenhagen",
      locale: "da-DK",
    });
  }
  t.teardown(() => reading.end());
  return {
    woken,
    dependencies: {
      reading,
      database,
      clock: createClock(),
      events: createEvents({ level: "silent" }),
      enqueue: async (ids) => void woken.push(...ids),
      vault: fileVault("/nowhere"),
      disks: () => disks,
      verifyTrail: (anchor) => verifyAudit(reading, chainKey, anchor),
      ring: async () => chainKey,
      handover: async (partnerId) =>
        handover ?? {
          kind: "found",
          door: "vouched",
          handover: {
            partnerId,
            brands: [],
            baseUrl: "https://api.test",
            httpsPort: 443,
            sftp: null,
            authority: null,
            batchKey: undefined,
            pgpKey: undefined,
          },
        },
      provider: provider === null ? null : openIdentityProvider(provider),
      sessionLife: { idleMinutes: 30, hours: 12 },
      certificateEndsAt: () => new Date("2099-01-01T00:00:00Z"),
      queueEngine: "Redis",
    },
  };
}

function visitorOf(app: Scope): Visitor {
  let form = "";
  const ask = async (
    method: "GET" | "POST",
    at: string,
    body: string | undefined,
    headers: Readonly<Record<string, string>>,
  ): Promise<Answer> => {
    const given = {
      host: "console.test",
      ...(visitor.cookie === null ? {} : { cookie: visitor.cookie }),
      ...(body === undefined ? {} : { "content-type": "application/x-www-form-urlencoded", origin }),
      ...headers,
    };
    const response = await app.inject({
      method,
      url: at,
      headers: given,
      ...(body === undefined ? {} : { payload: body }),
    });
    const cookies = [response.headers["set-cookie"] ?? []].flat();
    for (const line of cookies) visitor.cookie = /Max-Age=0/.test(line) ? null : (line.split(";")[0] ?? null);
    form = /name="form"\s+value="([^"]*)"/.exec(response.body)?.[1] ?? form;
    return { status: response.statusCode, html: response.body, location: response.headers.location ?? null, cookies };
  };
  const visitor: Visitor = {
    cookie: null,
    get: (at, headers = {}) => ask("GET", at, undefined, headers),
    post: (at, fields = {}, headers = {}) =>
      ask("POST", at, new URLSearchParams({ form, ...fields }).toString(), headers),
  };
  return visitor;
}
