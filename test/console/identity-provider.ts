/** A real OpenID provider (node-oidc-provider) on this machine, with people who type their name and are who they say. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import Provider from "oidc-provider";

/** Claims by the name that somebody types. */
export type People = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export type RealProvider = {
  issuer: string;
  /** From now on the console is a client of it, at this address. */
  serve(consoleOrigin: string): Promise<void>;
  close(): Promise<void>;
};

export const [clientId, clientSecret] = ["console", "a secret of the console"];

/** @param people may be changed while it runs */
export async function startProvider(people: People): Promise<RealProvider> {
  let answer = (_request: IncomingMessage, response: ServerResponse): unknown => response.writeHead(503).end();
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((listens) => server.listen(0, "127.0.0.1", listens));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    async serve(consoleOrigin) {
      const provider = await makeProvider(issuer, consoleOrigin, people);
      const others = provider.callback();
      answer = (request, response) =>
        request.url?.startsWith("/who/") === true
          ? askWho(provider, people, request, response)
          : others(request, response);
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function makeProvider(issuer: string, consoleOrigin: string, people: People): Promise<Provider> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${consoleOrigin}/console/sign-in/provider/end`],
        post_logout_redirect_uris: [`${consoleOrigin}/console/sign-in`],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: "RS256", use: "sig", kid: "one" }] },
    cookies: { keys: ["for the provider's own cookies"] },
    claims: { openid: ["sub"], profile: ["preferred_username", "groups", "partners"] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_context, interaction) => `/who/${interaction.uid}` },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
    // Whoever signs in agrees to what the console asks.
    async loadExistingGrant(context) {
      const grant = new context.oidc.provider.Grant({
        clientId: context.oidc.client?.clientId ?? "",
        accountId: context.oidc.session?.accountId ?? "",
      });
      grant.addOIDCScope("openid profile");
      await grant.save();
      return grant;
    },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  });
}

async function askWho(provider: Provider, people: People, request: IncomingMessage, response: ServerResponse) {
  if (request.method !== "POST") {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(
      `<!doctype html><html lang="en"><title>Who are you?</title><main><h1>Who are you?</h1><form method="post"><label>Name <input name="name"></label><button>That is me</button></form></main></html>`,
    );
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const name = new URLSearchParams(Buffer.concat(chunks).toString()).get("name") ?? "";
  if (!Object.hasOwn(people, name)) {
    await provider.interactionFinished(request, response, { error: "access_denied" });
    return;
  }
  await provider.interactionFinished(request, response, { login: { accountId: name } });
}
