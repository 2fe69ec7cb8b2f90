/** The frame of every page: landmarks, navigation, who is signed in, both clocks. */
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { type Account, isAtLeast } from "../access/accounts.ts";
import { assetAddress } from "../assets.ts";
import { sections } from "../sections.ts";
import { html, type Html } from "./html.ts";
import { utcMinute } from "./times.ts";

export type Framed = {
  title: string;
  status?: number;
  body: Html | readonly Html[];
  /** Null: nobody is signed in. */
  account: Account | null;
  formToken: string | null;
  /** As it was asked for, query included. */
  path: string;
  /** Its address, where the path does not begin with it. */
  section?: string;
  live?: true;
  /** Follows the body when it is known. */
  rest?: Promise<Html>;
  /** What tells the same on the command line; undefined: nothing. */
  twin?: string | undefined;
  now: Date;
};

export function sendPage(reply: FastifyReply, page: Framed): FastifyReply {
  const { rest } = page;
  reply.code(page.status ?? 200).type("text/html; charset=utf-8");
  return reply.send(
    rest === undefined ? `${head(page).toString()}${foot(page).toString()}` : Readable.from(inParts(page, rest)),
  );
}

/** A browser shows what it has while it waits for the rest. */
async function* inParts(page: Framed, rest: Promise<Html>): AsyncGenerator<string> {
  yield head(page).toString();
  yield `${(await rest).toString()}${foot(page).toString()}`;
}

function head({ title, body, account, formToken, path, section, live }: Framed): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Tideline</title>
<link rel="icon" type="image/svg+xml" href="${assetAddress("icon.svg")}">
<link rel="stylesheet" href="${assetAddress("console.css")}">
<script type="module" src="${assetAddress("console.js")}"></script>
</head>
<body${account === null && html` class="outside"`}>
<a class="skip" href="#main">To the content</a>
<header class="top">
<a class="brand" href="/console"><svg viewBox="0 0 32 32" aria-hidden="true"><path d="M2 12c5-6 9-6 14 0s9 6 14 0"/><path d="M2 21c5-6 9-6 14 0s9 6 14 0"/></svg>Tideline</a>
${account !== null && formToken !== null && visitor(account, formToken)}
</header>
${account !== null && navigation(account, section ?? path)}
<main id="main" tabindex="-1"${live === true && html` data-live`}>
${body}`;
}

function foot({ live, twin, now }: Framed): Html {
  return html`
</main>
<footer><p>As of <time datetime="${now.toISOString()}">${utcMinute(now)} UTC</time>${live === true && html`<span class="live" data-live-state> · reload for what is new</span>`}${twin !== undefined && html` · <code>${twin}</code>`}</p></footer>
</body>
</html>`;
}

function visitor(account: Account, formToken: string): Html {
  const limited = account.partnerIds !== null && html` · ${account.partnerIds.join(", ")}`;
  return html`<div class="visitor">
    <a href="/console/account">${account.name}</a> <span class="quiet">${account.role}${limited}</span>
    <form class="inline" method="post" action="/console/sign-out">
      <input type="hidden" name="form" value="${formToken}" /><button class="second">Sign out</button>
    </form>
  </div>`;
}

function navigation(account: Account, path: string): Html {
  const at = path.split("?")[0] ?? "";
  const links = sections
    .filter(({ needs, all }) => isAtLeast(account.role, needs) && (all !== true || account.partnerIds === null))
    .map(({ href, title }) => {
      const isHere = href === "/console" ? at === href : at === href || at.startsWith(`${href}/`);
      return html`<li><a href="${href}" ${isHere && html` aria-current="page"`}>${title}</a></li>`;
    });
  return html`<nav class="sections" aria-label="Sections">
    <ul>
      ${links}
    </ul>
  </nav>`;
}
