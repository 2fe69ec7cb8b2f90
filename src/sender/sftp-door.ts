/** The SFTP door as a sender sees it: one file in a temporary place, uploaded at the end. Users are made over HTTPS. */
import { createClient } from "./client.ts";
import { type Credentials, readSftpCredentials } from "./credentials.ts";
import type { Door } from "./door.ts";
import { openFileDoor } from "./file-door.ts";
import type { FileFormat } from "./file-writer.ts";
import { createSealer } from "../sealing/sealer.ts";
import { findBatchKey, postUser } from "./service.ts";
import { uploadFile, type UploadOptions } from "./upload.ts";

export type SftpDoorOptions = UploadOptions & { name: string; format: FileFormat; spoolDirectory: string };

export async function openSftpDoor(credentials: Credentials, options: SftpDoorOptions): Promise<Door> {
  const sftp = await readSftpCredentials(credentials);
  const client = createClient(credentials, { connectionsMax: 1 });
  try {
    return await openFileDoor({
      via: "sftp",
      name: options.name,
      format: options.format,
      sealer: await createSealer(await findBatchKey(client, credentials, options.signal)),
      spoolDirectory: options.spoolDirectory,
      createUser: (user) => postUser(client, user, options.signal),
      deliver: (file) => uploadFile(sftp, file, options),
      close() {
        client.close();
        return Promise.resolve();
      },
    });
  } catch (error) {
    client.close();
    throw error;
  }
}
