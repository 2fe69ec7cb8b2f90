/** What can go wrong between a partner's program and the service, as errors of a class and a code each. */
import type { FieldProblem, Problem, ProblemCode, RecordProblem, TransactionsErrorCode } from "./generated/schemas.ts";

/** Of a batch's problems in an error's message; all of them are its `details`. */
const placesShown = 3;

/** Above all of them. `code` is for programs, the message for people. */
export class TidelineError extends Error {
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** The folder of the operator lacks something, or it cannot be read. */
export class AccessInvalid extends TidelineError {
  constructor(message: string, options?: ErrorOptions) {
    super("ACCESS_INVALID", message, options);
  }
}

/** The service stayed away for all attempts, or its certificate is not trusted. */
export class Unreachable extends TidelineError {
  constructor(message: string, options?: ErrorOptions) {
    super("SERVICE_UNREACHABLE", message, options);
  }
}

/** It went on answering 202 for longer than the caller wanted to wait. */
export class StillNotReady extends TidelineError {
  constructor(message: string) {
    super("NOT_READY", message);
  }
}

/** The SFTP door shows a key that known_hosts does not hold. */
export class HostKeyUnknown extends TidelineError {
  constructor(message: string, options?: ErrorOptions) {
    super("HOST_KEY_UNKNOWN", message, options);
  }
}

/** The SFTP door does not know the user's key. */
export class SftpLoginRefused extends TidelineError {
  constructor(message: string, options?: ErrorOptions) {
    super("SFTP_LOGIN_REFUSED", message, options);
  }
}

/** The service answered a call with a problem (RFC 9457) that the same call would meet again. */
export class CallRefused extends TidelineError {
  declare readonly code: ProblemCode | (string & {});
  readonly status: number;
  /** To give to the operator; empty where something on the way answered. */
  readonly correlationId: string;
  /** Places in the body that are wrong. */
  readonly errors: readonly FieldProblem[];

  constructor(call: string, status: number, problem: Partial<Problem>) {
    const errors = problem.errors ?? [];
    const places = errors.map(({ pointer, message }) => `${pointer} ${message}`).join("; ");
    const why = [problem.title, problem.detail, places].filter(Boolean).join(" ");
    super(problem.code ?? `STATUS_${status}`, `${call} was answered with ${status}${why ? `: ${why}` : "."}`);
    this.status = status;
    this.correlationId = problem.correlationId ?? "";
    this.errors = errors;
  }
}

/** What the service says of a batch that it does not take. */
export type BatchAnswer = { errorCode: TransactionsErrorCode; message?: string; details?: RecordProblem[] };

/** A batch was not taken: none of its records counts as received. */
export class BatchRefused extends TidelineError {
  declare readonly code: TransactionsErrorCode;
  /** Its reqId. */
  readonly requestId: string;
  /** Records that were pushed in the batches before this one. */
  readonly recordsBefore: number;
  /** Where and why; `index` counts within the batch. */
  readonly details: readonly RecordProblem[];

  constructor(answer: BatchAnswer, batch: { requestId: string; recordsBefore: number }) {
    const details = answer.details ?? [];
    const places = details.map(({ index, field, reason }) =>
      [index === undefined ? "" : `record ${batch.recordsBefore + index}:`, field, reason].filter(Boolean).join(" "),
    );
    super(answer.errorCode, [answer.message, places.slice(0, placesShown).join("; ")].filter(Boolean).join(" "));
    this.requestId = batch.requestId;
    this.recordsBefore = batch.recordsBefore;
    this.details = details;
  }
}
