/** The settings of the operators' console. */
import { knob } from "./knob.ts";
import { anyText, integer, oneOf, or, providerAddress, url, valuesByLabel } from "./knob-values.ts";

export const consoleRoles = ["viewer", "operator", "admin"] as const;
export type ConsoleRole = (typeof consoleRoles)[number];

/** Where it listens when the API's listener, which it was to share, is in another process. */
export const consolePortAlone = 8444;

export const consoleKnobs = {
  consolePort: knob<number | "api">({
    environment: "TIDELINE_CONSOLE_PORT",
    flag: "--console-port",
    unit: "port",
    byDefault: consolePortAlone,
    parse: or("api", integer(0, 65_535)),
    reason:
      "The operators' console, beside the API's usual port; 0 takes any free one, api is the API's own listener, for whoever reaches that one.",
  }),
  consoleHost: knob({
    environment: "TIDELINE_CONSOLE_HOST",
    unit: "address",
    byDefault: "127.0.0.1",
    parse: anyText,
    reason:
      "Whoever is on this machine, whatever the doors listen at; operators elsewhere come through a tunnel or a proxy.",
  }),
  consoleUrl: knob<string | undefined>({
    environment: "TIDELINE_CONSOLE_URL",
    unit: "address",
    byDefault: undefined,
    parse: url("https"),
    reason: "The console's address as browsers see it, where a proxy before it changes the Host header.",
  }),
  consoleOidcIssuer: knob<string | undefined>({
    environment: "TIDELINE_CONSOLE_OIDC_ISSUER",
    unit: "address",
    byDefault: undefined,
    parse: providerAddress,
    reason:
      "The OpenID provider at which operators sign in to the console; below it lies .well-known/openid-configuration. Default: console tokens alone.",
  }),
  consoleOidcClientId: knob<string | undefined>({
    environment: "TIDELINE_CONSOLE_OIDC_CLIENT_ID",
    unit: "text",
    byDefault: undefined,
    parse: anyText,
    reason: "What the provider calls the console.",
  }),
  consoleOidcClientSecret: knob<string | undefined>({
    environment: "TIDELINE_CONSOLE_OIDC_CLIENT_SECRET",
    unit: "text",
    secret: true,
    byDefault: undefined,
    parse: anyText,
    reason: "By which the console proves it. Default: none, a public client, which PKCE guards alone.",
  }),
  consoleOidcScope: knob({
    environment: "TIDELINE_CONSOLE_OIDC_SCOPE",
    unit: "words",
    byDefault: "openid profile",
    parse: anyText,
    reason: "What is asked of the provider; more where roles or partners are claims of a scope of their own.",
  }),
  consoleOidcRoleClaim: knob({
    environment: "TIDELINE_CONSOLE_OIDC_ROLE_CLAIM",
    unit: "claim",
    byDefault: "groups",
    parse: anyText,
    reason: "The claim that tells roles: a text or a list; dots lead inside, as in realm_access.roles.",
  }),
  consoleOidcRoles: knob<Readonly<Record<string, ConsoleRole>>>({
    environment: "TIDELINE_CONSOLE_OIDC_ROLES",
    unit: "value=role, comma-separated",
    byDefault: { "tideline-viewer": "viewer", "tideline-operator": "operator", "tideline-admin": "admin" },
    parse: valuesByLabel(oneOf(consoleRoles)),
    reason: "Which of the claim's values is which role; of several the highest. Who has none of them does not get in.",
  }),
  consoleOidcPartnerClaim: knob<string | undefined>({
    environment: "TIDELINE_CONSOLE_OIDC_PARTNER_CLAIM",
    unit: "claim",
    byDefault: undefined,
    parse: anyText,
    reason:
      "The claim that names the partners whom somebody sees, or * for all; who lacks it does not get in. Default: everybody sees all.",
  }),
  consoleOidcNameClaim: knob({
    environment: "TIDELINE_CONSOLE_OIDC_NAME_CLAIM",
    unit: "claim",
    byDefault: "preferred_username",
    parse: anyText,
    reason: "What the audit trail calls somebody, from the first sign-in on; else the provider's subject.",
  }),
} as const;
