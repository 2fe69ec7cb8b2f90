/**
 * How a partner's users connect banks: `settings.psd2`. Where they may be sent after a flow in a browser, nowhere by
 * default; and whether they are offered the sandbox bank, not by default.
 */
import { Fault } from "../../errors.ts";
import { describe, readGroup } from "./described.ts";

/** Apps, pages and their test stages. */
export const redirectPrefixesMax = 50;

const psd2Settings = describe((Type) =>
  Type.Object({
    redirectPrefixes: Type.Optional(Type.Array(Type.String(), { maxItems: redirectPrefixesMax })),
    sandbox: Type.Optional(Type.Boolean()),
  }),
);

/** @throws Fault CONFIG_INVALID: a looser guess would be an open redirect */
export function readRedirectPrefixes(partnerSettings: object): readonly string[] {
  return readGroup(partnerSettings, "psd2", psd2Settings)?.redirectPrefixes ?? [];
}

/** @throws Fault CONFIG_INVALID: a looser guess would let strangers' consents count */
export function readRequiresConfirmation(partnerSettings: object): boolean {
  const required = "psd2RequiresConfirmation" in partnerSettings ? partnerSettings.psd2RequiresConfirmation : false;
  if (typeof required !== "boolean")
    throw new Fault("CONFIG_INVALID", "The partner's psd2RequiresConfirmation is not usable.");
  return required;
}

/** @throws Error whose message completes "must be …" */
export function parseRedirectPrefixes(text: string): string[] {
  const prefixes = text.split(",").map((one) => one.trim());
  const isUsable = (one: string): boolean =>
    URL.canParse(one) && /^https?:$/.test(new URL(one).protocol) && new URL(one).search === "";
  if (prefixes.length > redirectPrefixesMax || !prefixes.every(isUsable))
    throw new Error("addresses such as https://bank.example/app, separated by commas");
  return prefixes;
}
