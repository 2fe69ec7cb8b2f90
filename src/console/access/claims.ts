/** What an identity provider's claims make of somebody: a name, a role, partners. */
import { accountNamePattern, type ConsoleRole, consoleRoles, isAtLeast } from "./accounts.ts";

export type ClaimRules = {
  roleClaim: string;
  roles: Readonly<Record<string, ConsoleRole>>;
  /** Null: everybody sees all partners. */
  partnerClaim: string | null;
  nameClaim: string;
};

export type Claims = Readonly<Record<string, unknown>>;

export type Claimed =
  | { outcome: "known"; name: string; role: ConsoleRole; partnerIds: string[] | null }
  | { outcome: "refused"; reason: "role" | "partners" | "name" };

/** Somebody with more could not be told from the rest of the claim. */
const partnersMax = 1000;

/** @param claims of the ID token, with those of the userinfo endpoint where the token lacks them */
export function readClaims(claims: Claims, { roleClaim, roles, partnerClaim, nameClaim }: ClaimRules): Claimed {
  const role = highest(
    textsOf(claims, roleClaim).flatMap((value) => (Object.hasOwn(roles, value) ? [roles[value]] : [])),
  );
  if (role === null) return { outcome: "refused", reason: "role" };
  const partners = partnerClaim === null ? ["*"] : textsOf(claims, partnerClaim);
  if (partners.length === 0 || partners.length > partnersMax) return { outcome: "refused", reason: "partners" };
  const name = [...textsOf(claims, nameClaim), ...textsOf(claims, "sub")].find((one) => accountNamePattern.test(one));
  if (name === undefined) return { outcome: "refused", reason: "name" };
  return {
    outcome: "known",
    name,
    role,
    partnerIds: partners.includes("*") ? null : [...new Set(partners)].toSorted(),
  };
}

/** Whether the claims lack what the rules look for. */
export function lacks(claims: Claims, { roleClaim, partnerClaim, nameClaim }: ClaimRules): boolean {
  return [roleClaim, partnerClaim, nameClaim].some((name) => name !== null && textsOf(claims, name).length === 0);
}

function highest(roles: readonly (ConsoleRole | undefined)[]): ConsoleRole | null {
  return (
    consoleRoles.toReversed().find((role) => roles.some((one) => one !== undefined && isAtLeast(one, role))) ?? null
  );
}

/** A claim by its whole name (they may be addresses, with dots), else along its dots. */
function textsOf(claims: Claims, name: string): string[] {
  const value = Object.hasOwn(claims, name) ? claims[name] : name.split(".").reduce<unknown>(inside, claims);
  return [value].flat().filter((one) => typeof one === "string");
}

function inside(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Claims)[name]
    : undefined;
}
