/**
 * A bucket of a store that speaks S3, by Amazon's own client, which is read only where somebody asks for it. Every request
 * that brings bytes carries their MD5, which each such store holds them against; the SHA-256 of the whole goes along as
 * metadata, and whoever fetches holds what came against it.
 */
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { S3Client } from "@aws-sdk/client-s3";
import type { S3Settings } from "./settings.ts";

/** Parts of one file that are under way together. */
const partsAtOnce = 4;
/** S3 takes 10,000. */
const partsMax = 9000;
const attemptsMax = 3;
const shaName = "tideline-sha256";

export type StoredObject = { key: string; sizeBytes: number };

export type ObjectStore = {
  /** @param sha256 of all of the file, which does not change meanwhile */
  putFile(key: string, file: string, sizeBytes: number, sha256: Buffer): Promise<void>;
  putBytes(key: string, bytes: Buffer): Promise<void>;
  /** Null: there is no such object. For objects of some kilobytes. */
  readBytes(key: string): Promise<Buffer | null>;
  /** Writes an object's bytes into a new file, durably. @returns whether there is such an object */
  fetch(key: string, file: string): Promise<boolean>;
  has(key: string): Promise<boolean>;
  /** Null: there is no such object. */
  sizeOf(key: string): Promise<number | null>;
  remove(key: string): Promise<void>;
  /** Objects below a beginning of their keys. */
  list(prefix: string): AsyncGenerator<StoredObject>;
  /** What comes next after a beginning, up to a slash. */
  listFolders(prefix: string): Promise<string[]>;
  /** Takes away parts of files that were never put together, of keys below a beginning that are meant. */
  abortUploads(prefix: string, isMeant: (key: string) => boolean): Promise<void>;
  close(): void;
};

type Sdk = typeof import("@aws-sdk/client-s3");
type Opened = { sdk: Sdk; client: S3Client };

export function openObjectStore(settings: S3Settings): ObjectStore {
  const { bucket: Bucket } = settings;
  let opening: Promise<Opened> | null = null;
  const opened = () => (opening ??= connect(settings));
  const encrypted = encryptionOf(settings);

  return {
    async putFile(key, file, sizeBytes, sha256) {
      const { sdk, client } = await opened();
      const given = { Bucket, Key: key, Metadata: { [shaName]: sha256.toString("hex") }, ...encrypted };
      const handle = await open(file, "r");
      try {
        if (sizeBytes > settings.partBytes) return await putParts(sdk, client, given, handle, sizeBytes, settings);
        const Body = await readAt(handle, 0, sizeBytes);
        await client.send(new sdk.PutObjectCommand({ ...given, Body, ContentMD5: md5Of(Body) }));
      } finally {
        await handle.close();
      }
    },
    async putBytes(key, Body) {
      const { sdk, client } = await opened();
      await client.send(new sdk.PutObjectCommand({ Bucket, Key: key, Body, ContentMD5: md5Of(Body), ...encrypted }));
    },
    async readBytes(key) {
      const { sdk, client } = await opened();
      const answer = await unlessMissing(client.send(new sdk.GetObjectCommand({ Bucket, Key: key })));
      return answer?.Body === undefined ? null : Buffer.from(await answer.Body.transformToByteArray());
    },
    async fetch(key, file) {
      const { sdk, client } = await opened();
      const answer = await unlessMissing(client.send(new sdk.GetObjectCommand({ Bucket, Key: key })));
      if (answer === null) return false;
      const digest = createHash("sha256");
      const counted = async function* (bytes: AsyncIterable<Buffer>) {
        for await (const piece of bytes) {
          digest.update(piece);
          yield piece;
        }
      };
      await pipeline(
        answer.Body as Readable,
        counted,
        createWriteStream(file, { flags: "wx", mode: 0o600, flush: true }),
      );
      const promised = answer.Metadata?.[shaName];
      if (promised !== undefined && promised !== digest.digest("hex"))
        throw new Error(`the object ${key} is not what was put there`);
      return true;
    },
    async has(key) {
      const { sdk, client } = await opened();
      return (await unlessMissing(client.send(new sdk.HeadObjectCommand({ Bucket, Key: key })))) !== null;
    },
    async sizeOf(key) {
      const { sdk, client } = await opened();
      const answer = await unlessMissing(client.send(new sdk.HeadObjectCommand({ Bucket, Key: key })));
      return answer === null ? null : (answer.ContentLength ?? 0);
    },
    async remove(key) {
      const { sdk, client } = await opened();
      // A store that tells of a key that is not there has what was asked for.
      await unlessMissing(client.send(new sdk.DeleteObjectCommand({ Bucket, Key: key })));
    },
    async *list(prefix) {
      const { sdk, client } = await opened();
      for await (const page of sdk.paginateListObjectsV2({ client }, { Bucket, Prefix: prefix }))
        for (const { Key = "", Size = 0 } of page.Contents ?? []) yield { key: Key, sizeBytes: Size };
    },
    async listFolders(prefix) {
      const { sdk, client } = await opened();
      const found: string[] = [];
      const given = { Bucket, Prefix: prefix, Delimiter: "/" };
      for await (const page of sdk.paginateListObjectsV2({ client }, given))
        for (const { Prefix = "" } of page.CommonPrefixes ?? []) found.push(Prefix.slice(prefix.length, -1));
      return found;
    },
    async abortUploads(prefix, isMeant) {
      const { sdk, client } = await opened();
      const { Uploads = [] } = await client.send(new sdk.ListMultipartUploadsCommand({ Bucket, Prefix: prefix }));
      for (const { Key = "", UploadId } of Uploads)
        if (isMeant(Key))
          await unlessMissing(client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId })));
    },
    close() {
      void opening?.then(({ client }) => client.destroy()).catch(() => undefined);
    },
  };
}

async function connect({ endpoint, region, credentials, answersWithinMs }: S3Settings): Promise<Opened> {
  const sdk = await import("@aws-sdk/client-s3");
  const client = new sdk.S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === undefined ? {} : { credentials }),
    maxAttempts: attemptsMax,
    // Of those of our own every store knows; the newer ones come as trailers, which not all do.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: Math.min(answersWithinMs, 5000),
      requestTimeout: answersWithinMs,
      throwOnRequestTimeout: true,
      socketTimeout: answersWithinMs,
    },
  });
  return { sdk, client };
}

function encryptionOf({ encryption, kmsKeyId }: S3Settings) {
  if (encryption === "none") return {};
  return { ServerSideEncryption: encryption, ...(kmsKeyId === undefined ? {} : { SSEKMSKeyId: kmsKeyId }) };
}

/** What is broken off is taken away again, as far as the store can be reached; the rest goes with its day. */
async function putParts(
  sdk: Sdk,
  client: S3Client,
  given: { Bucket: string; Key: string; Metadata: Record<string, string> },
  handle: FileHandle,
  sizeBytes: number,
  { partBytes }: S3Settings,
): Promise<void> {
  const { Bucket, Key } = given;
  const size = Math.max(partBytes, Math.ceil(sizeBytes / partsMax));
  const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand(given));
  const upload = { Bucket, Key, UploadId };
  try {
    const starts = Array.from({ length: Math.ceil(sizeBytes / size) }, (_, part) => part * size);
    const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
    const putNext = async (): Promise<void> => {
      for (let next = starts.shift(); next !== undefined; next = starts.shift()) {
        const Body = await readAt(handle, next, Math.min(size, sizeBytes - next));
        const PartNumber = next / size + 1;
        const sent = { ...upload, PartNumber, Body, ContentMD5: md5Of(Body) };
        const { ETag } = await client.send(new sdk.UploadPartCommand(sent)).catch((error: unknown) => {
          starts.length = 0;
          throw error;
        });
        Parts.push({ PartNumber, ETag });
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: partsAtOnce }, putNext));
    const failed = ends.find((one) => one.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    Parts.sort((one, other) => one.PartNumber - other.PartNumber);
    await client.send(new sdk.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
    const { ContentLength } = await client.send(new sdk.HeadObjectCommand({ Bucket, Key }));
    if (ContentLength !== sizeBytes) throw new Error(`the object ${Key} has ${ContentLength} of ${sizeBytes} bytes`);
  } catch (error) {
    await client.send(new sdk.AbortMultipartUploadCommand(upload)).catch(() => undefined);
    throw error;
  }
}

async function readAt(handle: FileHandle, from: number, sizeBytes: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(sizeBytes);
  for (let at = 0; at < sizeBytes;) {
    const { bytesRead } = await handle.read(bytes, at, sizeBytes - at, from + at);
    if (bytesRead === 0) throw new Error("a file became shorter while it was kept");
    at += bytesRead;
  }
  return bytes;
}

/** As RFC 1864 has it: against what the way may have done, not against anybody. */
function md5Of(bytes: Buffer): string {
  return createHash("md5").update(bytes).digest("base64");
}

/** Null: the store says that there is nothing of that name. */
async function unlessMissing<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  return await answer.catch((error: unknown) => {
    const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
    // A bucket that is missing is another matter.
    if ($metadata?.httpStatusCode === 404 && name !== "NoSuchBucket") return null;
    throw error;
  });
}
