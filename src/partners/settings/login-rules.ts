/** How a partner's login JWTs are judged: `settings.login` of the partner, with the defaults for what it leaves out. */
import type { Static } from "typebox";
import { describe, readGroup } from "./described.ts";

/** JWS algorithms (RFC 7518, 3.1; RFC 8037) with a key pair whose public half a partner can register. */
const loginAlgorithm = describe((Type) =>
  Type.Union([Type.Literal("RS256"), Type.Literal("PS256"), Type.Literal("ES256"), Type.Literal("EdDSA")]),
);
export type LoginAlgorithm = Static<ReturnType<typeof loginAlgorithm>>;

/** What an operator may write below `login` in a partner's settings; everything may be left out. */
export const loginSettings = describe((Type) =>
  Type.Object({
    algorithms: Type.Optional(Type.Array(loginAlgorithm(), { minItems: 1 })),
    brandClaim: Type.Optional(Type.String({ minLength: 1 })),
    issuer: Type.Optional(Type.String({ minLength: 1 })),
    audience: Type.Optional(Type.String({ minLength: 1 })),
    jti: Type.Optional(Type.Union([Type.Literal("required"), Type.Literal("optional")])),
  }),
);

export type LoginRules = {
  algorithms: readonly LoginAlgorithm[];
  /** Name of the claim that carries the brand. */
  brandClaim: string;
  /** What `iss` and `aud` must be; null: not checked. */
  issuer: string | null;
  audience: string | null;
  /** Whether each must name an id, so that none counts twice. */
  requiresId: boolean;
};

/** @throws Fault CONFIG_INVALID: a partner's rules are never guessed, since a looser guess would let strangers in. */
export function readLoginRules(partnerSettings: object): LoginRules {
  const login = readGroup(partnerSettings, "login", loginSettings);
  return {
    algorithms: login?.algorithms ?? ["RS256"],
    brandClaim: login?.brandClaim ?? "brand",
    issuer: login?.issuer ?? null,
    audience: login?.audience ?? null,
    requiresId: login?.jti === "required",
  };
}
