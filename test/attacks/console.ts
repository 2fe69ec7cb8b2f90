/**
 * What attacks on the operators' console have in common: two banks' deliveries and users in the database, accounts of
 * every role, and a browser that sends what its attacker wants, the cookie of whoever sits there included.
 */
import { readFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import path from "node:path";
import type { Address, World } from "./attack.ts";
import { asSuperuser } from "./superuser.ts";

export type Role = "viewer" | "operator" | "admin";
export type Answer = { status: number; html: string; headers: Readonly<Record<string, unknown>> };

/** What no page may hold of it: markup that a bank wrote, and amounts and names before they are shown. */
export const marks = {
  /** Becomes an element of its own, or an attribute, where a page does not escape it. */
  markup: `"><x-attack onclick='alert(1)'>`,
  element: /<x-attack/,
  title: "Zyxmotion Havn",
  amount: 7391.17,
  shown: /Zyxmotion|7,?391\.17/,
} as const;

/** Two banks with a user, a service and deliveries each; all that belongs to the second is called so. */
export const banks = { own: "hafnia", other: "vesterbro" } as const;
type Bank = (typeof banks)[keyof typeof banks];

export type Held = {
  subject: string;
  serviceId: string;
  budgetId: string;
  refused: string;
  waiting: string;
  loaded: string;
};

export type Town = {
  held: Readonly<Record<Bank, Held>>;
  /** A token of an account of the role; `limited` is an admin who sees the first bank alone. */
  tokens: Readonly<Record<Role | "limited", string>>;
};

const towns = new WeakMap<World, Promise<Town>>();

/** Made at the first asking, which takes seconds: attacks share it. */
export async function townOf(world: World): Promise<Town> {
  const known = towns.get(world) ?? build(world);
  towns.set(world, known);
  return await known;
}

async function build(world: World): Promise<Town> {
  const add = async (name: string, ...more: string[]) =>
    (JSON.parse(await world.service.tideline("console", "token", "add", name, ...more, "--json")) as { token: string })
      .token;
  const owner = await asSuperuser(world);
  try {
    for (const bank of Object.values(banks)) await owner.query(bankOf, [bank, marks.markup]);
    const held = Object.fromEntries(
      await Promise.all(
        Object.values(banks).map(async (bank) => [bank, (await owner.query<Held>(heldOf, [bank])).rows[0]] as const),
      ),
    ) as Record<Bank, Held>;
    for (const bank of Object.values(banks))
      await owner.query(moneyOf, [
        bank,
        held[bank].serviceId,
        marks.title,
        marks.amount,
        marks.markup,
        held[bank].budgetId,
      ]);
    return {
      held,
      tokens: {
        viewer: await add("vera", "--role", "viewer"),
        operator: await add("oda", "--role", "operator"),
        limited: await add("lim", "--role", "admin", "--partner", banks.own),
        admin: (await readFile(path.join(world.service.dataDir, "console-token"), "utf8")).trim(),
      },
    };
  } finally {
    await owner.end();
  }
}

/** Names, ids and reasons as a bank might send them, were it the attacker. */
const bankOf = `
  with bank as (
    insert into partners (id, name) values ($1, $1 || $2) returning id
  ),
  brand as (
    insert into brands (partner_id, id, country, currency, time_zone, locale)
    select id, id || '-dk', 'DK', 'DKK', 'Europe/Copenhagen', 'da-DK' from bank returning partner_id, id
  ),
  customer as (
    insert into users (partner_id, brand_id, bank_user_id, locale)
    select partner_id, id, 'anna-of-' || partner_id || $2, 'da-DK' from brand
  ),
  told as (
    insert into audit_events (partner_id, actor, event, details)
    select id, 'sftp:' || id || $2, 'sftp.login-refused', jsonb_build_object('address', $2, 'key', $2, 'reason', $2) from bank
  )
  insert into deliveries (id, partner_id, door, format, name, correlation_id, size_bytes, sha256, state, refusal_code, refusal_reason, finished_at, records, records_new)
  select gen_random_uuid(), id, 'sftp', 'jwe', id || '-' || state || $2 || '.jwe', id || $2, 10, sha256((id || state)::bytea), state,
         case when state = 'refused' then 'FILE_DAMAGED' end, case when state = 'refused' then $2 end, case when state <> 'accepted' then now() end,
         case when state = 'loaded' then 1 else 0 end, case when state = 'loaded' then 1 else 0 end
    from bank, unnest('{refused,accepted,loaded}'::text[]) as state`;

const heldOf = `
  select (select subject from users where partner_id = $1) as subject, gen_random_uuid() as "serviceId", gen_random_uuid() as "budgetId",
         max(id::text) filter (where state = 'refused') as refused, max(id::text) filter (where state = 'accepted') as waiting,
         max(id::text) filter (where state = 'loaded') as loaded
    from deliveries
   where partner_id = $1`;

/** A service with a name and an amount that nobody sees before they are shown, its case, a budget and what the trail tells of it. */
const moneyOf = `
  with anna as (
    select id, partner_id from users where partner_id = $1
  ),
  service as (
    insert into services (id, user_id, key, txids, first_detected_on, status, document)
    select $2::uuid, id, 'k', '{t-1}', '2026-11-01', 'ACTIVE',
           jsonb_build_object('id', $2::uuid, 'amount', $4::numeric, 'currency', 'DKK', 'paymentFrequency', 'MONTHLY', 'status', 'ACTIVE',
             'visibility', 'VISIBLE', 'yearlyCost', $4::numeric, 'nextExpectedTransactionDate', '2026-12-01',
             'product', jsonb_build_object('title', $3 || $5, 'type', 'SUBSCRIPTION'),
             'payments', jsonb_build_array(jsonb_build_object('id', 1, 'sourceTransactionId', 't-1', 'amount', $4::numeric, 'currency', 'DKK', 'date', '2026-11-01')))
      from anna
  ),
  model as (
    insert into read_models (user_id, services_visible, services_hidden, upcoming, import_complete, computed_for, algorithm_version)
    select id, '[]', '[]',
           json_build_array(json_build_object('serviceId', $2::uuid, 'expectedPaymentDate', '2026-12-01', 'expectedPaymentCost', $4::numeric, 'currency', 'DKK',
             'product', json_build_object('title', $3 || $5))),
           true, '2026-11-20', 1
      from anna
  ),
  cancelled as (
    insert into cancellation_cases (service_id, user_id, state, free_text_message, changed_on)
    select $2::uuid, id, 'OPEN', $3 || $5, '2026-11-20' from anna
  ),
  submitted as (
    insert into submissions (user_id, txid, outcome, payee_key) select id, 't-1', 'SUCCESS', upper($5) from anna
  ),
  told as (
    insert into audit_events (partner_id, actor, event, details)
    select partner_id, 'https', 'https.changed', jsonb_build_object('userId', id, 'payee', $3, 'amount', $4::numeric, 'to', $4::numeric) from anna
  )
  insert into budgets (id, partner_id, user_id, created_time, stale_since)
  select $6::uuid, partner_id, id, '2026-11-20T10:00:00', null from anna`;

/** What somebody's browser holds: a cookie, and the token of its forms. */
export type Browser = {
  get(at: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** With the form's token and the console's own origin, unless told otherwise. */
  post(
    at: string,
    fields?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  cookie: string;
  form: string;
};

const answerWithinMs = 30_000;

export function openBrowser(world: World, from: Address): Browser {
  const origin = `https://127.0.0.1:${world.service.consolePort}`;
  const agent = new Agent({ keepAlive: true, ca: world.authority });
  const ask = async (
    method: "GET" | "POST",
    at: string,
    body: string | undefined,
    more: Readonly<Record<string, string>>,
  ): Promise<Answer> => {
    const headers = {
      accept: "text/html",
      ...(browser.cookie !== "" && { cookie: browser.cookie }),
      ...(body !== undefined && {
        origin,
        "content-type": "application/x-www-form-urlencoded",
        "content-length": String(Buffer.byteLength(body)),
      }),
      ...more,
    };
    const answer = await new Promise<Answer>((resolve, reject) => {
      const options = { agent, method, headers, localAddress: from, family: 4, timeout: answerWithinMs };
      const call = request(`${origin}${at}`, options);
      call.once("error", reject);
      call.once("timeout", () => call.destroy(new Error("no answer in time")));
      call.once("response", (response) => {
        const pieces: Buffer[] = [];
        response.on("data", (piece: Buffer) => pieces.push(piece));
        response.once("error", reject);
        response.once("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            html: Buffer.concat(pieces).toString("utf8"),
            headers: response.headers,
          }),
        );
      });
      call.end(body);
    });
    for (const line of [answer.headers["set-cookie"] ?? []].flat() as string[])
      browser.cookie = /max-age=0/i.test(line) ? "" : (line.split(";")[0] ?? "");
    browser.form = /name="form"\s+value="([^"]*)"/.exec(answer.html)?.[1] ?? browser.form;
    return answer;
  };
  const browser: Browser = {
    cookie: "",
    form: "",
    get: (at, headers = {}) => ask("GET", at, undefined, headers),
    post: (at, fields = {}, headers = {}) =>
      ask("POST", at, new URLSearchParams({ form: browser.form, ...fields }).toString(), headers),
  };
  return browser;
}

/** By the token, as a person does. @throws when it is not let in */
export async function signedIn(world: World, from: Address, token: string): Promise<Browser> {
  const browser = openBrowser(world, from);
  await browser.get("/console/sign-in");
  const { status, html } = await browser.post("/console/sign-in", { token });
  if (status !== 303) throw new Error(`not signed in: ${status} ${html.slice(-300)}`);
  await browser.get("/console/account");
  return browser;
}

/** `about`: the whole service, which an account of some partners does not touch. */
export type Action = {
  at: string;
  needs: Role;
  about: "session" | "bank" | "service";
  fields?: Readonly<Record<string, string>>;
};

/** Every action that the console knows, on what one bank has; test/console/actions.test.ts holds the list to the routes. */
export function actionsOn(bank: string, { subject, serviceId, waiting }: Held): Action[] {
  const delivery = (name: string, needs: Role): Action => ({
    at: `/console/deliveries/${waiting}/${name}`,
    needs,
    about: "bank",
  });
  const user = `/console/users/${subject}`;
  const reason = { reason: "because I can" };
  const product = {
    title: "Owned",
    type: "SUBSCRIPTION",
    category: "LEISURE_STREAMING",
    words: "owned",
    countries: "*",
    cancellation: "POSSIBLE",
  };
  const step = (name: string): Action => ({
    at: `${user}/services/${serviceId}/cancellation/${name}`,
    needs: "operator",
    about: "bank",
    fields: { [`${name}-message`]: "owned", "abort-reason": "OTHER" },
  });
  return [
    delivery("retry", "operator"),
    delivery("cancel", "operator"),
    delivery("release", "operator"),
    delivery("drop", "admin"),
    delivery("withdraw", "admin"),
    delivery("original", "admin"),
    { at: `${user}/show`, needs: "operator", about: "bank", fields: reason },
    { at: `${user}/hide`, needs: "operator", about: "bank" },
    { at: `${user}/export`, needs: "admin", about: "bank" },
    { at: `${user}/erase`, needs: "admin", about: "bank", fields: { ...reason, id: `anna-of-${bank}${marks.markup}` } },
    ...["open", "ask", "answer", "confirm", "abort"].map(step),
    { at: `/console/partners/${bank}/handover`, needs: "admin", about: "bank" },
    { at: `/console/partners/${bank}/disconnect`, needs: "operator", about: "bank", fields: { id: "1" } },
    { at: `/console/partners/${bank}/replay`, needs: "operator", about: "bank" },
    { at: "/console/partners/new", needs: "admin", about: "service", fields: { id: "owned" } },
    {
      at: "/console/approvals/ask",
      needs: "operator",
      about: "bank",
      fields: { action: "withdraw", delivery: waiting, ...reason },
    },
    { at: "/console/approvals/guard", needs: "admin", about: "service", fields: { about: "withdraw" } },
    ...["confirm", "refuse", "recall"].map((verdict): Action => ({
      at: `/console/approvals/${serviceId}/${verdict}`,
      needs: "operator",
      about: "bank",
    })),
    { at: "/console/keys/rotate", needs: "admin", about: "service", fields: { about: "receipts" } },
    { at: "/console/audit/verify", needs: "operator", about: "service" },
    { at: "/console/audit/export", needs: "admin", about: "session" },
    { at: "/console/catalogue/new", needs: "admin", about: "service", fields: product },
    { at: "/console/catalogue/products/netflix", needs: "admin", about: "service", fields: product },
    { at: "/console/catalogue/products/netflix/remove", needs: "admin", about: "service" },
    { at: "/console/catalogue/products/netflix/reset", needs: "admin", about: "service" },
    { at: "/console/sign-out", needs: "viewer", about: "session" },
    { at: "/console/sign-out-everywhere", needs: "viewer", about: "session" },
  ];
}

/** Every page that shows something, of what one bank has. */
export function pagesOn(bank: string, { subject, serviceId, budgetId, refused, waiting, loaded }: Held): string[] {
  const user = `/console/users/${subject}`;
  return [
    "/console",
    "/console/account",
    "/console/deliveries",
    `/console/deliveries?name=${encodeURIComponent(marks.markup)}&correlation=${encodeURIComponent(marks.markup)}`,
    `/console/deliveries?partner=${bank}`,
    ...[refused, waiting, loaded].map((id) => `/console/deliveries/${id}`),
    `/console/deliveries/${refused}/drop`,
    `/console/deliveries/${loaded}/withdraw`,
    `/console/deliveries/${loaded}/receipt.json`,
    "/console/users",
    `/console/users?id=${encodeURIComponent(`anna-of-${bank}${marks.markup}`)}`,
    "/console/users/all",
    user,
    `${user}/export`,
    `${user}/erase`,
    `${user}/services/${serviceId}`,
    `${user}/services/${serviceId}/cancellation`,
    `${user}/budgets/${budgetId}`,
    "/console/partners",
    "/console/partners/new",
    `/console/partners/${bank}`,
    `/console/partners/${bank}/onboarding`,
    "/console/endings",
    "/console/cancellations",
    "/console/cancellations?which=all",
    "/console/catalogue",
    `/console/catalogue?find=${encodeURIComponent(marks.markup)}`,
    `/console/catalogue/new?word=${encodeURIComponent(marks.markup)}`,
    "/console/catalogue/products/netflix",
    "/console/approvals",
    `/console/approvals/new?action=withdraw&delivery=${waiting}`,
    "/console/flow",
    "/console/fleet",
    "/console/audit",
    `/console/audit?partner=${bank}&event=sftp`,
  ];
}
