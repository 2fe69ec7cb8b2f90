/**
 * Where the doors of a data folder's service listen, written at its start. Ports may have been given to that process
 * alone, on its command line, and whoever asks afterwards must not guess them.
 */
import { brokenFile, readSmallFile, writeSmallFile } from "./small-file.ts";

/** Null: no such door runs on this data folder. */
export type Doors = { baseUrl: string | null; sftpPort: number | null };

const remedy = "It is written anew at each start of the service; if none runs, remove it.";

/** @param file of the data folder. Stays when the service stops: it comes back where it was. */
export async function noteDoors(file: string, doors: Doors): Promise<void> {
  await writeSmallFile(file, `${JSON.stringify(doors)}\n`);
}

/** Of the service that runs, or ran last. @throws Fault FILE_BROKEN */
export async function readDoors(file: string): Promise<Doors> {
  const text = await readSmallFile(file, remedy);
  if (text === null) return { baseUrl: null, sftpPort: null };
  try {
    return JSON.parse(text) as Doors;
  } catch (error) {
    throw brokenFile(file, "is broken: it is not JSON", remedy, error);
  }
}
