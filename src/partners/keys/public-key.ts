/** Reading a public key that a partner hands over, and whether it is good for signatures. */
import { createPublicKey, type KeyObject } from "node:crypto";
import type { JWK } from "jose";
import { Fault } from "../../errors.ts";
import type { LoginAlgorithm } from "../settings/login-rules.ts";

/** NIST SP 800-131A: shorter RSA keys are no longer signatures. */
const modulusLengthBitsMin = 2048;
/** FIPS 186-5, A.1.1. With an exponent of 1 anybody can sign. */
const publicExponentMin = 65_537n;

/**
 * @param text a public key or an X.509 certificate in PEM form, or one JSON Web Key (RFC 7517).
 * @throws Fault COMMAND_USAGE when it is none of them, is a private key, or is meant for something else.
 */
export function readPublicKey(text: string, algorithm: LoginAlgorithm): KeyObject {
  // Node makes a public key of a private one without a word.
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) throw secretKey();
  try {
    return text.trimStart().startsWith("{") ? readJwk(JSON.parse(text) as JWK, algorithm) : createPublicKey(text);
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    throw new Fault(
      "COMMAND_USAGE",
      "The login key is neither a public key nor a certificate in PEM form, nor a JSON Web Key.",
      { cause },
    );
  }
}

/**
 * What a key says of itself must allow what it is registered for: its algorithm, use (RFC 7517, 4.2) and operations
 * (4.3).
 */
function readJwk(jwk: JWK, algorithm: LoginAlgorithm): KeyObject {
  const { use, alg, d, k, key_ops: operations } = jwk;
  if (d !== undefined || k !== undefined) throw secretKey();
  const isMeant =
    (use ?? "sig") === "sig" &&
    (alg ?? algorithm) === algorithm &&
    (!Array.isArray(operations) || operations.includes("verify"));
  if (!isMeant) throw new Fault("COMMAND_USAGE", `The login key is not meant for signatures by ${algorithm}.`);
  return createPublicKey({ key: jwk, format: "jwk" });
}

function secretKey(): Fault {
  return new Fault(
    "COMMAND_USAGE",
    "This is a private key: register its public half (openssl pkey -in KEY -pubout), and make a new one if anybody but its owner has seen this one.",
  );
}

/** Whether the algorithm can use the key, and nobody can compute its private half. */
export function suits(key: KeyObject, algorithm: LoginAlgorithm): boolean {
  const details = key.asymmetricKeyDetails;
  if (algorithm === "EdDSA") return key.asymmetricKeyType === "ed25519";
  if (algorithm === "ES256") return key.asymmetricKeyType === "ec" && details?.namedCurve === "prime256v1";
  return (
    key.asymmetricKeyType === "rsa" &&
    (details?.modulusLength ?? 0) >= modulusLengthBitsMin &&
    (details?.publicExponent ?? 0n) >= publicExponentMin &&
    !isOfWeakChip(key)
  );
}

/** Enough that a sound modulus passes for a weak one once in some 10^9. */
const fingerprintPrimes = primesUpTo(167).filter((prime) => prime > 2n);
/** What the library of those chips builds its primes of. */
const generator = 65_537n;

/**
 * Keys of chips whose primes are powers of 65537 modulo a product of small primes can be factored (ROCA,
 * CVE-2017-15361). Their modulus then is such a power modulo each of those primes. Source: Nemec et al., The Return of
 * Coppersmith's Attack, CCS 2017, section 2.3.
 */
function isOfWeakChip(key: KeyObject): boolean {
  const modulus = BigInt(`0x${Buffer.from(key.export({ format: "jwk" }).n ?? "", "base64url").toString("hex")}`);
  return fingerprintPrimes.every((prime) => isPowerModulo(modulus % prime, prime));
}

function isPowerModulo(value: bigint, prime: bigint): boolean {
  let power = 1n;
  do {
    if (power === value) return true;
    power = (power * generator) % prime;
  } while (power !== 1n && power !== 0n);
  return false;
}

function primesUpTo(last: number): bigint[] {
  const numbers = Array.from({ length: last - 1 }, (_, index) => index + 2);
  return numbers
    .filter((number) => numbers.every((divisor) => divisor >= number || number % divisor !== 0))
    .map(BigInt);
}
