/**
 * One id follows a call through every answer, log line, job, receipt and notification; so does the trace that it names,
 * with a span of the call where traces are made.
 */
import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyRequest } from "fastify";
import type { Origin } from "../interface/notification.ts";
import type { Partner } from "../partners/partners.ts";
import { beginSpan, isTracing, type Span } from "../traces.ts";
import type { App } from "./context.ts";

/** "string, any format" (interface document, "What the service does"); longer ones would only swell logs and rows. */
export const correlationIdLengthMax = 200;
/** They would break the log line, or a terminal that shows it. */
const controlCharacter = /\p{Cc}/u;

/** The caller's X-Correlation-ID; a new UUID when there is none, or one that is refused. */
export function correlationIdOf(headers: IncomingHttpHeaders): string {
  const given = givenOf(headers);
  return given === null || problemOf(given) !== null ? randomUUID() : given;
}

/** Why the caller's X-Correlation-ID cannot be taken as it is; null: it can, or there is none. */
export function correlationProblem(headers: IncomingHttpHeaders): string | null {
  const given = givenOf(headers);
  return given === null ? null : problemOf(given);
}

function problemOf(given: string): string | null {
  if (given.length > correlationIdLengthMax)
    return `has an X-Correlation-ID of more than ${correlationIdLengthMax} characters`;
  return controlCharacter.test(given) ? "has an X-Correlation-ID with a control character" : null;
}

/** An empty one says nothing. */
function givenOf(headers: IncomingHttpHeaders): string | null {
  const given = headers["x-correlation-id"];
  return typeof given === "string" && given !== "" ? decode(given) : null;
}

/** The id for an answer, as Node writes headers, one character a byte: a given one exactly as it came. */
export function correlationHeader({ id, headers }: { id: string; headers: IncomingHttpHeaders }): string {
  return id === givenOf(headers) ? String(headers["x-correlation-id"]) : bytesOf(id);
}

function bytesOf(correlationId: string): string {
  return Buffer.from(correlationId, "utf8").toString("latin1");
}

/**
 * W3C Trace Context, 3.2: version, trace id, parent id, flags; ids of zeros and version ff are none. Later versions may
 * add fields.
 */
const traceParent = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;
/** Version 00 has 55 characters; room for what a later one adds. */
const traceParentLengthMax = 200;

/** The caller's trace context as it came, and its trace id. Null: none, or one that the standard says to ignore. */
export function traceOf({ traceparent }: IncomingHttpHeaders): { traceparent: string; traceId: string } | null {
  if (typeof traceparent !== "string" || traceparent.length > traceParentLengthMax) return null;
  const traceId = traceParent.exec(traceparent)?.[1];
  if (traceId === undefined || (traceparent.startsWith("00-") && traceparent.length !== 55)) return null;
  return { traceparent, traceId };
}

/** The call as what it gives is told of it. */
export function originOf({ id, headers }: { id: string; headers: IncomingHttpHeaders }): Origin {
  return { correlationId: id, traceparent: traceOf(headers)?.traceparent ?? null };
}

/** A span of each call, in its caller's trace where it names one. */
export function traceCalls(app: App): void {
  app.decorateRequest("span", null);
  app.addHook("onRequest", (request, _reply, done) => {
    if (isTracing()) request.setDecorator("span", begin(request));
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const span = request.getDecorator<Span | null>("span");
    const partner = request.getDecorator<Partner | null>("partner");
    const { statusCode } = reply;
    span?.end({
      attributes: {
        "http.response.status_code": statusCode,
        ...(partner === null ? {} : { "tideline.partner.id": partner.id }),
      },
      ...(statusCode >= 500 ? { failure: String(statusCode) } : {}),
    });
    done();
  });
}

/** What follows from a call follows from its span; where none is made, from what its caller named. Null: neither. */
export function traceparentOf(request: FastifyRequest): string | null {
  return request.getDecorator<Span | null>("span")?.traceparent ?? traceOf(request.headers)?.traceparent ?? null;
}

/** The pattern, never the path: paths hold ids. */
function begin(request: FastifyRequest): Span | null {
  const route = request.routeOptions.url ?? "unmatched";
  return beginSpan(`${request.method} ${route}`, {
    kind: "server",
    parent: traceOf(request.headers)?.traceparent ?? null,
    attributes: { "http.request.method": request.method, "http.route": route, "url.scheme": "https" },
  });
}

/** Node reads each byte of a header as one character; callers who write more than ASCII mean UTF-8. */
function decode(header: string): string {
  const bytes = Buffer.from(header, "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : header;
}
