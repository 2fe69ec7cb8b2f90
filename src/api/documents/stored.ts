/**
 * Reads of stored documents: the text comes from the database only when neither the caller nor this process has the
 * version in force; compressed, as it lies there, for who takes it so.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { unpack } from "../../interface/packed.ts";
import { free } from "../../machine/free.ts";
import { RememberedDocument, type RememberedDocuments } from "./remembered.ts";
import { callerOf } from "../identify.ts";
import { takesGzip } from "../negotiation.ts";
import { noBody, sendJson } from "../reply.ts";

/**
 * What a read found. version: of the document in force; null: there is none. document: its JSON text as UTF-8, or packed:
 * that as gzip; both null: the asker has that version.
 */
export type Read = { version: string | null; document: Buffer | null; packed?: Buffer | null };

/** present null: the caller has that version, as its If-None-Match says. tag: the ETag of what is sent, or of what it has. */
export type StoredDocument = { tag: string; present: RememberedDocument | null };

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
 * @returns what `read` found with the document in the text's place, which `sendStored` gives back; document null: there
 * is none.
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
  try {
    const versions = ofCaller.map(versionOf);
    const found = await read(known === null ? versions : [known.version, ...versions]);
    if (found === null || found.version === null) {
      documents.forget(key);
      return found && { ...found, document: null };
    }
    const { version } = found;
    const present = known?.version === version ? known.lend() : presentOf(found, version, wantsPacked);
    if (present !== null) documents.remember(key, present);
    return { ...found, document: documentFor(ofCaller, version, present) };
  } finally {
    known?.giveBack();
  }
}

function presentOf({ document, packed }: Read, version: string, wantsPacked: boolean): RememberedDocument | null {
  if (packed && wantsPacked) return new RememberedDocument({ version, bytes: packed, isPacked: true });
  if (!packed) return document && new RememberedDocument({ version, bytes: document, isPacked: false });
  const bytes = unpack(packed);
  free(packed);
  return new RememberedDocument({ version, bytes, isPacked: false });
}

function documentFor(ofCaller: readonly string[], version: string, present: RememberedDocument | null): StoredDocument {
  const has = ofCaller.find((tag) => versionOf(tag) === version);
  const tag = present?.isPacked === true ? `${version}${packedSuffix}` : version;
  if (has === undefined && !ofCaller.includes(anyTag)) {
    if (present === null) throw new Error("a document was left out that nobody has");
    return { tag, present };
  }
  present?.giveBack();
  return { tag: has ?? tag, present: null };
}

/** Only the caller may keep it, and asks each time whether it is still in force. */
export function sendStored(reply: FastifyReply, { tag, present }: StoredDocument): FastifyReply {
  reply.headers({ etag: `"${tag}"`, "cache-control": "private, no-cache", vary: "accept-encoding" });
  if (present === null) return reply.code(304).send();
  if (present.isPacked) reply.header("content-encoding", "gzip");
  // When all of it has left for the caller, or the caller is gone.
  reply.raw.once("close", () => present.giveBack());
  return sendJson(reply, present.bytes);
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
