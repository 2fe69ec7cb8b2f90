/** Refusals, and how they are told: problem documents (RFC 9457) built from the error catalogue. */
import { type Static, Type } from "@fastify/type-provider-typebox";
import { type ErrorCode, errorCatalogue, Fault } from "../errors.ts";

export const problemMediaType = "application/problem+json";

export const FieldProblemSchema = Type.Object(
  {
    pointer: Type.String({
      description: "JSON pointer (RFC 6901) to the place in the body; for a query parameter, its name after a slash.",
    }),
    message: Type.String(),
  },
  { title: "FieldProblem" },
);
export type FieldProblem = Static<typeof FieldProblemSchema>;

export const ProblemSchema = Type.Object(
  {
    type: Type.String({ format: "uri-reference", description: "Where the code is explained." }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: "What to do about it." }),
    code: Type.String({ description: "Stable; what programs should look at." }),
    correlationId: Type.String(),
    errors: Type.Optional(
      Type.Array(FieldProblemSchema, { description: "Each place that is wrong, where there are several." }),
    ),
  },
  { title: "Problem" },
);
export type Problem = Static<typeof ProblemSchema>;

/** An expected "no" to a caller; thrown by handlers and hooks, written by the error handler. */
export class Refusal extends Fault {
  readonly errors: readonly FieldProblem[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    detail: { errors?: readonly FieldProblem[]; headers?: Readonly<Record<string, string>>; cause?: unknown } = {},
  ) {
    super(code, undefined, { cause: detail.cause });
    this.name = "Refusal";
    this.errors = detail.errors ?? [];
    this.headers = detail.headers ?? {};
  }
}

/** HTTP status of a refusal; codes that only commands and logs say are bugs here, hence 500. */
export function statusOf(code: ErrorCode): number {
  return errorCatalogue[code].status ?? 500;
}

/** The document for a refusal. `type` is a relative reference, so it leads to the server that answered. */
export function problemOf(refusal: Refusal, correlationId: string): Problem {
  const entry = errorCatalogue[refusal.code];
  return {
    type: `/reference#${refusal.code}`,
    title: entry.sentence,
    status: statusOf(refusal.code),
    detail: entry.remedy,
    code: refusal.code,
    correlationId,
    ...(refusal.errors.length > 0 ? { errors: [...refusal.errors] } : {}),
  };
}
