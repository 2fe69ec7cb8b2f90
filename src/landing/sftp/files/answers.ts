/** What each request does and how it is answered. */
import type { SessionContext } from "./context.ts";
import {
  closeReading,
  openFile,
  readFile,
  setHandleAttributes,
  setPathAttributes,
  statHandle,
  statPath,
} from "./open-files.ts";
import { makeFolder, openFolder, removeFolder } from "./folders.ts";
import type { Handles } from "./handles.ts";
import { shownModes } from "../wire/attributes.ts";
import { resolveVirtual } from "./paths.ts";
import type { ReadBuffers } from "./read-buffers.ts";
import { removeFile, renameFile } from "./renaming.ts";
import { attributesReply, dataReply, extendedReply, handleReply, nameReply, statusReply } from "../wire/replies.ts";
import type { Request, RequestKind } from "../wire/requests.ts";
import { limitFields, spaceFields } from "./space.ts";
import { Refusal, statusCodes } from "../wire/status.ts";
import { closeUpload, openedOf, writeUpload } from "./upload.ts";

export type Channel = {
  readonly context: SessionContext;
  readonly handles: Handles;
  readonly readBuffers: ReadBuffers;
};

type Answer<Kind extends RequestKind> = (
  channel: Channel,
  request: Extract<Request, { kind: Kind }>,
) => Promise<Buffer>;

/**
 * Answers a request. Reads and writes may be under way several at a time; what they need of their order is settled
 * before the first await. Every other request is answered before the next one is taken.
 * @throws Refusal, which becomes a status; or a failure of ours
 */
export function answer(channel: Channel, request: Request): Promise<Buffer> {
  // Each kind's function takes exactly that kind's request, which an index by a union cannot express.
  const run = answers[request.kind] as (channel: Channel, request: Request) => Promise<Buffer>;
  return run(channel, request);
}

const answers: { readonly [Kind in RequestKind]: Answer<Kind> } = {
  async open({ context, handles }, { id, path, flags }) {
    handles.assertRoom();
    return handleReply(id, handles.add(await openFile(context, path, flags)));
  },
  async close({ context, handles }, { id, handle }) {
    const closing = handles.remove(handle);
    if (closing.kind === "upload") await closeUpload(context, closing);
    else if (closing.kind === "folder") await closing.close();
    else await closeReading(closing);
    return ok(id);
  },
  async read({ handles, readBuffers }, { id, handle, offset, sizeBytes }) {
    const read = await readFile(readBuffers, handles.file(handle), offset, sizeBytes);
    if (read.sizeBytes === 0) return endOfFile(id);
    return dataReply(id, read.buffer, read.sizeBytes);
  },
  async write({ handles }, { id, handle, offset, data }) {
    await writeUpload(handles.upload(handle), offset, data);
    return ok(id);
  },
  async stat({ context }, { id, path }) {
    return attributesReply(id, await statPath(context, path));
  },
  async handleStat({ handles }, { id, handle }) {
    return attributesReply(id, await statHandle(handles.file(handle)));
  },
  async setStat({ context }, { id, path, attributes }) {
    await setPathAttributes(context, path, attributes);
    return ok(id);
  },
  async handleSetStat({ handles }, { id, handle, attributes }) {
    await setHandleAttributes(handles.file(handle), attributes);
    return ok(id);
  },
  async openFolder({ context, handles }, { id, path }) {
    handles.assertRoom();
    return handleReply(id, handles.add(await openFolder(context, path)));
  },
  async readFolder({ context, handles }, { id, handle }) {
    const names = await handles.folder(handle).next();
    return names.length === 0 ? endOfFile(id) : nameReply(id, names, context.partnerId, new Date());
  },
  async remove({ context }, { id, path }) {
    await removeFile(context, path);
    return ok(id);
  },
  async makeFolder({ context }, { id, path }) {
    await makeFolder(context, path);
    return ok(id);
  },
  async removeFolder({ context }, { id, path }) {
    await removeFolder(context, path);
    return ok(id);
  },
  async realPath({ context }, { id, path }) {
    const attributes = { sizeBytes: 0, mode: shownModes.fixedFolder, accessedAt: 0, modifiedAt: 0 };
    return nameReply(id, [{ name: resolveVirtual(path), attributes }], context.partnerId, new Date());
  },
  async rename({ context }, { id, from, to, replace }) {
    await renameFile(context, from, to, replace);
    return ok(id);
  },
  async sync({ handles }, { id, handle }) {
    const { file, writing } = await openedOf(handles.upload(handle));
    await writing.flushed();
    await file.sync();
    return ok(id);
  },
  async space({ context }, { id }) {
    return extendedReply(id, ...(await spaceFields(context.partnerFolder, await context.room.usage.left())));
  },
  async limits({ handles }, { id }) {
    return extendedReply(id, ...limitFields(handles.countMax));
  },
  async unsupported(_channel, { operation }) {
    throw new Refusal(statusCodes.operationUnsupported, `${operation} is not supported.`);
  },
};

function ok(id: number): Buffer {
  return statusReply(id, statusCodes.ok, "");
}

/** The ordinary end of reading, not a refusal. */
function endOfFile(id: number): Buffer {
  return statusReply(id, statusCodes.endOfFile, "End.");
}
