/** The process of one of `servers.ts`: the API, or the floors beside it. */
import { readConfig } from "../../../src/config.ts";
import { createEvents } from "../../../src/events.ts";
import { countBuffersWithHeap } from "../../../src/machine/garbage-collection.ts";
import { openTideline } from "../../../src/main.ts";
import { createClock } from "../../../src/time/clock.ts";
import { ownCpuMs } from "../processor.ts";
import { asOf } from "./as-of.ts";
import { type Floor, openFloor } from "./floor.ts";
import type { Asked, Opened, Opening } from "./servers.ts";

let floor: Floor | null = null;
let close: () => Promise<void> = async () => undefined;

process.on("message", async (asked: Asked) => process.send?.(await answer(asked)));

async function answer(asked: Asked): Promise<Opened | number | "done"> {
  if (asked === "processor") return ownCpuMs();
  if (asked === "close") await close();
  else if ("open" in asked) return await open(asked);
  else floor?.answer(asked);
  return "done";
}

async function open(opening: Opening): Promise<Opened> {
  if (opening.open === "floors") {
    countBuffersWithHeap();
    const keyEncryptionKey = Buffer.from(opening.keyEncryptionKey, "base64");
    const { databaseUrl, tls } = opening;
    floor = await openFloor({ databaseUrl, tls, keyEncryptionKey, clock: createClock(asOf) });
    close = floor.close;
    return { port: floor.port, certificate: tls };
  }
  const { databaseUrl, dataDir, keyEncryptionKey, rememberedBytesMax } = opening;
  const tideline = await openTideline(
    readConfig(
      { dataDir, httpsPort: "0", sftpPort: "0", roles: "api", asOf },
      {
        DATABASE_URL: databaseUrl,
        TIDELINE_KEY_ENCRYPTION_KEY: keyEncryptionKey,
        ...(rememberedBytesMax === null ? {} : { TIDELINE_REMEMBERED_DOCUMENT_BYTES_MAX: String(rememberedBytesMax) }),
      },
    ),
    createEvents({ level: "silent" }),
  );
  close = tideline.close;
  return { port: tideline.httpsPort ?? 0, certificate: tideline.certificate };
}
