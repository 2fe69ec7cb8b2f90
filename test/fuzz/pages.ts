/**
 * The pages on which users connect a bank, and the sandbox bank's: walked from end to end, with changed calls between
 * the right ones.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { Random } from "../faults/random.ts";
import type { Partner } from "../outside/partner.ts";
import { bodyBytes, changedBody } from "./bodies.ts";
import { junkSegment, oddHeaders } from "./junk.ts";
import { type Answer, type Call, NoAnswer } from "./http.ts";
import { problemOfAny, problemOfPage } from "./judge.ts";
import { uuidOf } from "./sealing.ts";
import type { Target } from "./target.ts";
import { Violation } from "./violation.ts";
import { callOf, type Decision, ends, type Fields, firstStep, givingUp, type Step, stepAfter } from "./walk.ts";

/** Of one login: its bank and where its end goes. */
type Owner = { partner: Partner; token: string; done: string };
type Noted = { kind: string; answer: string; ms: number };

const [ownApp, otherApp] = ["https://bank.example/app", "https://heron.example/app"];
/** A changed setting is in force within seconds. */
const settingWithinMs = 20_000;
const undisturbedShare = 0.2;
/** Must come back only as text. */
const mark = `"'><svg onload=alert(1)></textarea><script>alert(1)</script>`;

export class PageFuzz {
  readonly #target: Target;
  readonly #own: Owner;
  readonly #other: { owner: Owner; start: Step };

  private constructor(target: Target, own: Owner, other: { owner: Owner; start: Step }) {
    [this.#target, this.#own, this.#other] = [target, own, other];
  }

  static async open(target: Target): Promise<PageFuzz> {
    const own = await ownerAt(target, target.bank.partner, ownApp);
    const other = await ownerAt(target, target.other.bank.partner, otherApp);
    await begin(target, own, own.done);
    return new PageFuzz(target, own, { owner: other, start: firstStep(await begin(target, other, other.done)) });
  }

  /** One login from its beginning to an end; most are disturbed on the way by changed calls of each step. */
  async attempt(random: Random): Promise<Noted[]> {
    const isDisturbed = random.share() >= undisturbedShare;
    const decision = random.pick<Decision>(["approve", "refuse", "refuse", "fail"]);
    const noted: Noted[] = [];
    const address =
      isDisturbed && random.share() < 0.3 ? junkAddress(random) : random.share() < 0.8 ? this.#own.done : undefined;
    const started = await this.#initiate(address, noted);
    if (started === null) return noted;
    const walked: Step[] = [];
    for (let step: Step | null = started; step !== null;) {
      walked.push(step);
      if (isDisturbed) noted.push(await this.#disturb(random, walked));
      const answer = await this.#send(step.name, callOf(step), noted);
      const next: Step | null = goesOn(step, answer) ? stepAfter(random, step, answer, decision) : null;
      if (!isDisturbed) expectOrderly(step, next, answer, ends[decision], address);
      step = next;
    }
    return noted;
  }

  /** Whatever was tried with its id, the other bank's login goes its way. @throws Violation */
  async expectOtherUntouched(random: Random): Promise<void> {
    for (let step: Step | null = this.#other.start; step !== null;) {
      const answer = await this.#target.caller.call(callOf(step));
      const next: Step | null = goesOn(step, answer) ? stepAfter(random, step, answer, "approve") : null;
      expectOrderly(step, next, answer, ends.approve, this.#other.owner.done);
      step = next;
    }
  }

  async #initiate(address: string | undefined, noted: Noted[]): Promise<Step | null> {
    const { partner, token } = this.#own;
    const call = {
      method: "POST",
      path: `/partner/${partner.id}/2.0.0/psd2/initiate`,
      headers: { authorization: token, "content-type": "application/json" },
      body: Buffer.from(JSON.stringify({ redirectUrl: address })),
    };
    const answer = await this.#send("initiate", call, noted);
    return answer.status === 200 ? firstStep((JSON.parse(answer.body.toString()) as { url: string }).url) : null;
  }

  async #disturb(random: Random, walked: readonly Step[]): Promise<Noted> {
    const [first = this.#other.start] = walked;
    const base =
      random.share() < 0.6 ? (walked.at(-1) ?? first) : random.pick([...walked, givingUp(first), ...bankSide(random)]);
    const changed = this.#changed(random, base);
    const noted: Noted[] = [];
    await this.#send(`${base.name}, changed`, changed, noted);
    return noted[0] ?? { kind: `${base.name}, changed`, answer: "closed", ms: 0 };
  }

  #changed(random: Random, base: Step): Call {
    let step = base;
    for (let changes = random.between(1, 3); changes > 0; changes -= 1)
      step = { ...step, fields: changedFields(random, step.fields) };
    // One of the two, never both: with both it would be the other's own way.
    const mixUp = random.share();
    if (mixUp < 0.15)
      step = { ...step, path: step.path.replace(/^\/psd2\/[0-9a-f-]{36}/, `/psd2/${idIn(this.#other.start)}`) };
    else if (mixUp < 0.3) step = { ...step, fields: { ...step.fields, key: this.#other.start.fields.key ?? "" } };
    else if (mixUp < 0.4) step = { ...step, path: step.path.replace(/[^/]+$/, () => junkSegment(random)) };
    const call = random.share() < 0.12 ? asJson(random, step) : callOf(step);
    const method =
      random.share() < 0.92 ? call.method : random.pick(["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"]);
    const language =
      random.share() < 0.5
        ? {}
        : {
            "accept-language": random.pick([
              "da",
              "xx-XX",
              "*",
              "x".repeat(4000),
              `${mark}`,
              "en;q=",
              "__proto__",
              "..%2f",
            ]),
          };
    const body = random.share() < 0.05 ? bodyBytes(random, (call.body ?? Buffer.from("a=b")).toString()) : call.body;
    return {
      ...call,
      method,
      headers: { ...call.headers, ...language, ...(random.share() < 0.15 ? oddHeaders(random) : {}) },
      ...(body === undefined ? {} : { body }),
    };
  }

  async #send(kind: string, call: Call, noted: Noted[]): Promise<Answer> {
    const answer = await this.#exchange(call);
    const mayGoTo = (address: string) =>
      isBelow(address, ownApp) || isLoginPage(address) || isOwnPage(address, this.#target.world);
    const problem =
      answer.status === 0
        ? null
        : (problemOfAny(answer, [...this.#target.other.secrets, "heron.example"], true) ??
          problemOfPage(answer, mayGoTo));
    if (problem !== null) throw new Violation(`${kind}: ${problem}`, describe(call, answer));
    noted.push({ kind, answer: answer.status === 0 ? "closed" : String(answer.status), ms: answer.ms });
    return answer;
  }

  async #exchange(call: Call): Promise<Answer> {
    try {
      return await this.#target.caller.call(call);
    } catch (error) {
      if (error instanceof NoAnswer) throw new Violation(error.message, describe(call));
      // The last: a request line too long to be read is refused with a body, and here the method was HEAD.
      if (["ECONNRESET", "EPIPE", "HPE_CLOSED_CONNECTION"].includes(String((error as NodeJS.ErrnoException).code)))
        return { status: 0, headers: {}, body: Buffer.alloc(0), ms: 0 };
      throw new Violation(String(error), describe(call));
    }
  }
}

/** Users of their own: what their banks bring is in no book. */
async function ownerAt(target: Target, partner: Partner, app: string): Promise<Owner> {
  const bankUserId = `connecting-${partner.id}`;
  await target.world.tideline("partner", "set", partner.id, `psd2.redirectPrefixes=${app}`, "psd2.sandbox=true");
  await partner.call("POST", "/users", { body: { bankUserId, brand: partner.brand.id, locale: partner.brand.locale } });
  return { partner, token: await partner.login(bankUserId), done: `${app}/done?order=7` };
}

/** @returns the page's address, as soon as the prefix is known */
async function begin({ caller }: Target, { partner, token }: Owner, redirectUrl: string): Promise<string> {
  const deadline = performance.now() + settingWithinMs;
  for (;;) {
    const answer = await caller.call({
      method: "POST",
      path: `/partner/${partner.id}/2.0.0/psd2/initiate`,
      headers: { authorization: token, "content-type": "application/json" },
      body: Buffer.from(JSON.stringify({ redirectUrl })),
    });
    if (answer.status === 200) return (JSON.parse(answer.body.toString()) as { url: string }).url;
    if (performance.now() > deadline)
      throw new Error(`initiate is still answered with ${answer.status}: ${answer.body.toString()}`);
    await wait(200);
  }
}

/** Only the last step's answer is an end; any other refusal ends the way too. */
function goesOn({ name }: Step, { status, headers }: Answer): boolean {
  const leads = ["confirm", "bank chosen", "decide"].includes(name);
  return name !== "come back" && (leads ? status === 303 && isOnTheWay(headers.location ?? "") : status === 200);
}

function isOnTheWay(address: string): boolean {
  return isLoginPage(address) || isBankOrCallback(address);
}

/** After the confirmation the page is opened anew, on the host on which it was. */
function isLoginPage(address: string): boolean {
  return /^\/psd2\/[0-9a-f-]{36}\?key=[A-Za-z0-9%_-]*$/.test(address);
}

function isBankOrCallback(address: string): boolean {
  return URL.canParse(address) && /^\/(sandbox-bank\/authorize|psd2\/callback)$/.test(new URL(address).pathname);
}

/** @throws Violation when an undisturbed way leads elsewhere than it should */
function expectOrderly(
  { name }: Step,
  next: Step | null,
  { status, headers, body }: Answer,
  end: string,
  address: string | undefined,
): void {
  if (next !== null) return;
  const told = `${status} ${headers.location ?? ""}`;
  const expected = address === undefined ? "200 " : `303 ${address}&psd2Status=${end}`;
  if (name !== "come back" || told !== expected)
    throw new Violation(`undisturbed, the way ends at "${name}" with ${told}, not with ${expected}`, body);
}

function isBelow(address: string, app: string): boolean {
  const [url, base] = [URL.canParse(address) ? new URL(address) : null, new URL(app)];
  return (
    url !== null &&
    url.origin === base.origin &&
    url.username === "" &&
    (url.pathname === base.pathname || url.pathname.startsWith(`${base.pathname}/`))
  );
}

function isOwnPage(address: string, { member }: Target["world"]): boolean {
  const port = member("everything").settings.flags.at(member("everything").settings.flags.indexOf("--https-port") + 1);
  const url = URL.canParse(address) ? new URL(address) : null;
  return (
    url !== null &&
    url.protocol === "https:" &&
    ["localhost", "127.0.0.1"].includes(url.hostname) &&
    url.port === port &&
    isBankOrCallback(address)
  );
}

function idIn({ path }: Step): string {
  return path.split("/")[2] ?? "";
}

/** What a bank's own clients send. */
function bankSide(random: Random): Step[] {
  const redirect_uri = random.pick(["https://evil.example/", "https://localhost/psd2/callback", "\0"]);
  const steps: Omit<Step, "cookie">[] = [
    {
      name: "token",
      method: "POST",
      path: "/sandbox-bank/token",
      fields: {
        grant_type: random.pick(["authorization_code", "refresh_token", "password"]),
        code: uuidOf(random),
        code_verifier: "v",
        redirect_uri,
        refresh_token: uuidOf(random),
      },
    },
    {
      name: "consents",
      method: "POST",
      path: "/sandbox-bank/psd2/v1/consents",
      fields: { validUntil: random.pick(["2099-01-01", "0000-01-01", "2026-02-30", "9999-12-31"]) },
    },
    { name: "accounts", method: "GET", path: "/sandbox-bank/psd2/v1/accounts", fields: { withBalance: "true" } },
    {
      name: "transactions",
      method: "GET",
      path: `/sandbox-bank/psd2/v1/accounts/${uuidOf(random)}/transactions`,
      fields: { dateFrom: "2026-01-01", offset: "-1" },
    },
    {
      name: "consent status",
      method: "GET",
      path: `/sandbox-bank/psd2/v1/consents/${uuidOf(random)}/status`,
      fields: {},
    },
  ];
  return steps.map((step) => ({ ...step, cookie: null }));
}

function changedFields(random: Random, fields: Fields): Fields {
  const names = Object.keys(fields);
  const name =
    names.length === 0 || random.share() < 0.1
      ? random.pick([
          "__proto__",
          "constructor",
          "toString",
          "decision",
          "account",
          "error",
          "code",
          "state",
          "key",
          "bank",
          "person",
          "",
          "\0",
          "a[b]",
        ])
      : random.pick(names);
  const way = random.share();
  const { [name]: old = "", ...others } = fields;
  if (way < 0.15) return others;
  if (way < 0.3) return { ...fields, [name]: [...[old].flat(), junkText(random, old)] };
  return { ...fields, [name]: junkText(random, old) };
}

function junkText(random: Random, old: string | readonly string[]): string {
  const text = [old].flat().join("");
  const at = random.between(0, text.length);
  return random.pick<() => string>([
    () => "",
    () => "\0",
    () => `${text}\0`,
    () => mark,
    () => `${text}${mark}`,
    () => junkAddress(random),
    () => text.slice(0, at),
    () => `${text.slice(0, at)}x${text.slice(at + 1)}`,
    () => text.toUpperCase(),
    () => ` ${text} `,
    () => "x".repeat(random.between(200, 60_000)),
    () => "'; drop table psd2_logins; --",
    () => uuidOf(random),
    () => "💳\u202e\ufffe",
    () => "%00%ff",
    () => "AIS:",
    () => `AIS:${uuidOf(random)}`,
    () => "AIS:\0",
    () => "\r\nX-Injected: 1",
    () => "-1",
    () => "null",
    () => "sandbox",
    () => "approve",
    () => "fail",
    () => "refuse",
    () => "access_denied",
    () => "S256",
    () => "plain",
  ])();
}

/** Addresses to which no end may lead unless they lie below the registered one. */
function junkAddress(random: Random): string {
  return random.pick([
    "https://evil.example/",
    "//evil.example/app",
    "https://bank.example.evil.example/app",
    "https://bank.example@evil.example/app",
    "https://bank.example/apple",
    "https://bank.example/app/../other",
    "https://bank.example/app%2f..%2fother",
    "https://bank.example\\@evil.example/app",
    "HTTPS://BANK.EXAMPLE/app/x",
    "http://bank.example/app",
    "https://bank.example:444/app",
    "https://bank.example./app",
    "https://user:word@bank.example/app",
    "javascript:alert(1)//https://bank.example/app",
    "data:text/html,<script>alert(1)</script>",
    "https://bank.example/app/x?psd2Status=SUCCESS&psd2Status=SUCCESS",
    "https://bank.example/app/#fragment",
    `https://bank.example/app/${"x".repeat(1900)}`,
    `https://bank.example/app/?q=${mark}`,
    "https://bank.example/app/\r\nX-Injected: 1",
    "https://bank.example/app/\t/x",
    "https://heron.example/app/done",
    "https://[::1]/app",
    "\\\\evil.example",
    "https:evil.example",
    "https:/evil.example/app",
    "",
  ]);
}

/** Forms are no JSON; whoever sends some all the same can put objects where texts are expected. */
function asJson(random: Random, { method, path, fields }: Step): Call {
  return {
    method: method === "GET" ? "POST" : method,
    path,
    headers: { "content-type": "application/json" },
    body: Buffer.from(changedBody(random, fields)),
  };
}

function describe({ method, path, headers, body }: Call, answer?: Answer): string {
  return [
    `${method} ${path}`,
    JSON.stringify(headers),
    body?.toString("latin1") ?? "",
    answer ? `${answer.status} ${JSON.stringify(answer.headers)}\n${answer.body.toString("latin1")}` : "",
  ].join("\n\n");
}
