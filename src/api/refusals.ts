/** Turns whatever was thrown while answering a call into the one refusal that the caller is told. */
import type { FastifyError } from "fastify";
import { isDatabaseAway } from "../database/database.ts";
import { isSqlState } from "../database/sql-states.ts";
import { Fault } from "../errors.ts";
import { fieldProblems, type Finding } from "./field-problems.ts";
import { Refusal, statusOf } from "./problem.ts";

/** A database that restarts or fails over is usually back by then. */
export const databaseAwayRetrySeconds = 5;

/** @returns null for what nobody expected: the caller is told INTERNAL and nothing else. */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  if (isDatabaseAway(error)) return busy(databaseAwayRetrySeconds, error);
  if (error instanceof Fault) return statusOf(error.code) === 500 ? null : new Refusal(error.code, { cause: error });
  if (!(error instanceof Error) || !("code" in error)) return isInvalid(error) ? invalid(error) : null;
  if (isInvalid(error)) return invalid(error);
  if (isUnstorable(error)) {
    return new Refusal("REQUEST_INVALID", {
      cause: error,
      errors: [{ pointer: "", message: "holds text or nesting that cannot be stored" }],
    });
  }
  return frameworkRefusal(error as FastifyError);
}

/** Texts and nesting that JSON allows and Postgres does not store. */
function isUnstorable(error: Error): boolean {
  if (isSqlState(error, "untranslatableCharacter", "characterNotInRepertoire", "statementTooComplex")) return true;
  // Said of half a surrogate pair in JSON, too; of anything else it would be a mistake of ours.
  return isSqlState(error, "invalidTextRepresentation") && error.message.includes("type json");
}

export function busy(retryAfterSeconds: number, cause?: unknown): Refusal {
  return new Refusal("BUSY", { headers: { "retry-after": String(retryAfterSeconds) }, cause });
}

/** Fastify's own errors: each code that a caller can cause. Source: Fastify's error reference. */
function frameworkRefusal(error: FastifyError): Refusal | null {
  switch (error.code) {
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new Refusal("MEDIA_TYPE_UNSUPPORTED", { cause: error });
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new Refusal("BODY_TOO_LARGE", { cause: error });
    case "FST_ERR_BAD_URL":
    case "FST_ERR_MAX_PARAM_LENGTH":
      return new Refusal("ROUTE_UNKNOWN", { cause: error });
    default:
      // Cut-off bodies, wrong lengths and the like: the caller's doing when the framework says so.
      return error.statusCode !== undefined && error.statusCode < 500
        ? new Refusal("REQUEST_INVALID", { cause: error })
        : null;
  }
}

type Invalid = { validation: readonly Finding[] };

function isInvalid(error: unknown): error is Error & Invalid {
  return error instanceof Error && "validation" in error && Array.isArray(error.validation);
}

function invalid(error: Invalid): Refusal {
  return new Refusal("REQUEST_INVALID", { errors: fieldProblems(error.validation) });
}
