/**
 * Reads of stored documents: the text comes from the database only when neither the caller nor this process has the
 * version in force.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { RememberedDocument, RememberedDocuments } from "./remembered-documents.ts";
import { callerOf } from "./identify.ts";
import { noBody, sendJson } from "./reply.ts";

/**
 * What a read found. version: of the document in force; null: there is none. document: its JSON text; null: the asker
 * has that version.
 */
export type Read = { version: string | null; document: string | null };

/** bytes null: the caller has that version, as its If-None-Match says. */
export type StoredDocument = { version: string; bytes: Buffer | null };

/** Tags of an If-None-Match that are looked at: a client has one or a few of an address. */
const tagsMax = 8;
const anyTag = "*";

export const NotModifiedSchema = noBody(
  "The caller has the present state: the ETag of an earlier answer came as If-None-Match.",
  {
    ETag: { type: "string", description: "The version in force." },
  },
);

/**
 * Asks `read` for a document, telling it which versions need no text.
 * @param name of the document among the caller's
 * @returns what `read` found with the document's bytes in the text's place; document null: there is none.
 */
export async function readStored<Found extends Read>(
  documents: RememberedDocuments,
  request: FastifyRequest,
  name: string,
  read: (versions: readonly string[]) => Promise<Found | null>,
): Promise<(Omit<Found, keyof Read> & { document: StoredDocument | null }) | null> {
  const { partnerId, subject } = callerOf(request);
  const key = `${partnerId} ${subject} ${name}`;
  const ofCaller = tagsOf(request.headers["if-none-match"]);
  const known = documents.find(key);
  const found = await read(known === null ? ofCaller : [known.version, ...ofCaller]);
  if (found === null || found.version === null) {
    documents.forget(key);
    return found && { ...found, document: null };
  }
  const { version } = found;
  const present =
    known?.version === version
      ? known
      : found.document === null
        ? null
        : { version, bytes: Buffer.from(found.document) };
  if (present !== null) documents.remember(key, present);
  return { ...found, document: { version, bytes: bytesFor(ofCaller, version, present) } };
}

function bytesFor(ofCaller: readonly string[], version: string, present: RememberedDocument | null): Buffer | null {
  if (ofCaller.includes(version) || ofCaller.includes(anyTag)) return null;
  if (present === null) throw new Error("a document was left out that nobody has");
  return present.bytes;
}

/** Only the caller may keep it, and asks each time whether it is still in force. */
export function sendStored(reply: FastifyReply, { version, bytes }: StoredDocument): FastifyReply {
  reply.header("etag", `"${version}"`).header("cache-control", "private, no-cache");
  return bytes === null ? reply.code(304).send() : sendJson(reply, bytes);
}

/**
 * RFC 9110, 13.1.2: compared weakly, so that what an intermediary marked as weak still matches. What is no tag matches
 * nothing.
 */
function tagsOf(header: string | undefined): string[] {
  if (header === undefined) return [];
  return header.split(",", tagsMax).map((tag) => tag.trim().replace(/^(?:W\/)?"(.*)"$/, "$1"));
}
