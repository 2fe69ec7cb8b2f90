/**
 * Reads of stored documents: the text comes from the database only when neither the caller nor this process has the
 * version in force; compressed, as it lies there, for who takes it so.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { unpack } from "../../interface/packed.ts";
import type { RememberedDocument, RememberedDocuments } from "./remembered.ts";
import { callerOf } from "../identify.ts";
import { takesGzip } from "../negotiation.ts";
import { noBody, sendJson } from "../reply.ts";

/**
 * What a read found. version: of the document in force; null: there is none. document: its JSON text, or packed: that
 * as gzip; both null: the asker has that version.
 */
export type Read = { version: string | null; document: string | null; packed?: Buffer | null };

/** bytes null: the caller has that version, as its If-None-Match says. tag: the ETag of what is sent, or of what it has. */
export type StoredDocument = { tag: string; bytes: Buffer | null; isPacked: boolean };

/** Tags of an If-None-Match that are looked at: a client has one or a few of an address. */
const tagsMax = 8;
const anyTag = "*";
/** What is encoded otherwise is another representation, whose tag must be another (RFC 9110, 8.8.3.3). */
const packedSuffix = "-gzip";

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
  const wantsPacked = takesGzip(request.headers["accept-encoding"]);
  const key = `${partnerId} ${subject} ${name}${wantsPacked ? packedSuffix : ""}`;
  const ofCaller = tagsOf(request.headers["if-none-match"]);
  const known = documents.find(key);
  const versions = ofCaller.map(versionOf);
  const found = await read(known === null ? versions : [known.version, ...versions]);
  if (found === null || found.version === null) {
    documents.forget(key);
    return found && { ...found, document: null };
  }
  const { version } = found;
  const present = known?.version === version ? known : presentOf(found, version, wantsPacked);
  if (present !== null) documents.remember(key, present);
  return { ...found, document: documentFor(ofCaller, version, present) };
}

function presentOf({ document, packed }: Read, version: string, wantsPacked: boolean): RememberedDocument | null {
  if (packed) return { version, bytes: wantsPacked ? packed : unpack(packed), isPacked: wantsPacked };
  return document === null ? null : { version, bytes: Buffer.from(document), isPacked: false };
}

function documentFor(ofCaller: readonly string[], version: string, present: RememberedDocument | null): StoredDocument {
  const has = ofCaller.find((tag) => versionOf(tag) === version);
  const tag = present?.isPacked === true ? `${version}${packedSuffix}` : version;
  if (has !== undefined) return { tag: has, bytes: null, isPacked: false };
  if (ofCaller.includes(anyTag)) return { tag, bytes: null, isPacked: false };
  if (present === null) throw new Error("a document was left out that nobody has");
  return { tag, bytes: present.bytes, isPacked: present.isPacked };
}

/** Only the caller may keep it, and asks each time whether it is still in force. */
export function sendStored(reply: FastifyReply, { tag, bytes, isPacked }: StoredDocument): FastifyReply {
  reply.headers({ etag: `"${tag}"`, "cache-control": "private, no-cache", vary: "accept-encoding" });
  if (bytes === null) return reply.code(304).send();
  if (isPacked) reply.header("content-encoding", "gzip");
  return sendJson(reply, bytes);
}

function versionOf(tag: string): string {
  return tag.endsWith(packedSuffix) ? tag.slice(0, -packedSuffix.length) : tag;
}

/**
 * RFC 9110, 13.1.2: compared weakly, so that what an intermediary marked as weak still matches. What is no tag matches
 * nothing.
 */
function tagsOf(header: string | undefined): string[] {
  if (header === undefined) return [];
  return header.split(",", tagsMax).map((tag) => tag.trim().replace(/^(?:W\/)?"(.*)"$/, "$1"));
}
