/** Secrets known by their form, wherever in the repository they stand. What is told of one is its kind, never the value. */

const forms: readonly { kind: string; pattern: RegExp }[] = [
  { kind: "private key", pattern: /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----(?:\s|\\n)*[A-Za-z0-9+/=:]{40,}/ },
  { kind: "private JWK", pattern: /"(?:d|k)"\s*:\s*"[\w-]{40,}"/ },
  { kind: "signed token", pattern: /\beyJ[\w-]{15,}\.[\w-]{15,}\.[\w-]{40,}/ },
  { kind: "webhook secret", pattern: /\bwhsec_[A-Za-z0-9+/]{32,}/ },
  {
    kind: "token of a cloud or a forge",
    pattern:
      /\b(?:(?:AKIA|ASIA)[0-9A-Z]{16}|gh[oprsu]_\w{30,}|github_pat_\w{30,}|glpat-[\w-]{20,}|npm_\w{30,}|xox[abprs]-[\w-]{10,}|AIza[\w-]{35})\b/,
  },
  // Examples have words for them.
  {
    kind: "password in an address",
    pattern: /\b[a-z][a-z0-9+]*:\/\/[^/\s:@"'`$]+:(?=[^/\s:@]*\d)(?=[^/\s:@]*[A-Za-z])[\w%+=.~-]{12,}@[a-z0-9]/,
  },
];

/** @returns the kinds that a text holds, each once */
export function secretsIn(text: string): string[] {
  return forms.filter(({ pattern }) => pattern.test(text)).map(({ kind }) => kind);
}
