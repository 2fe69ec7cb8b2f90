/**
 * Spans of what a process does, for OpenTelemetry: a batch is one trace from its sender's call to the notification. Off
 * unless somebody has asked for traces; then nothing is measured, read or made. As everything of a process goes to one
 * place, that place is the process's own, as the log is.
 *
 * Attributes carry ids of ours, counts and codes, as events do: never what a caller wrote, a user, a name or an amount.
 */

export type SpanKind = "server" | "internal" | "producer" | "consumer" | "client";
export type Attributes = Readonly<Record<string, string | number>>;

export type SpanStart = {
  kind: SpanKind;
  /** W3C Trace Context of what it follows from; null: it begins a trace. */
  parent: string | null;
  attributes?: Attributes;
  /** Contexts of what else it has to do with. */
  links?: readonly string[];
  /** As nowMs tells it; default: now. */
  startedAtMs?: number;
};

export type SpanEnd = {
  /** A code or a kind of error; absent: it did not fail. */
  failure?: string;
  attributes?: Attributes;
  /** As nowMs tells it; default: now. */
  endedAtMs?: number;
};

export type Span = {
  /** Its own context, for what follows from it. */
  traceparent: string;
  /** Only the first one counts. */
  end(end?: SpanEnd): void;
};

export type Tracer = { begin(name: string, start: SpanStart): Span };

let tracer: Tracer | null = null;

/** From here on spans go there; null: nowhere. */
export function traceWith(next: Tracer | null): void {
  tracer = next;
}

export function isTracing(): boolean {
  return tracer !== null;
}

/** @returns null when nobody has asked for traces */
export function beginSpan(name: string, start: SpanStart): Span | null {
  return tracer?.begin(name, start) ?? null;
}

/** A span that is over. */
export function noteSpan(name: string, start: SpanStart, end: SpanEnd = {}): Span | null {
  const span = beginSpan(name, start);
  span?.end(end);
  return span;
}

/** Milliseconds since 1970, in fractions, and the same in every thread. */
export function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

/** An error's code, or its kind: what it says may tell of somebody. */
export function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return "Error";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
