/** The demo's partner, and the running service on which it is set up: what the demo needs of it. */
import type { Database } from "../database/database.ts";
import type { HostKeys } from "../landing/sftp/connection/host-keys.ts";
import type { DataFolder } from "../machine/data-folder.ts";
import type { ServerCertificate } from "../machine/tls/authority.ts";
import type { Clock } from "../time/clock.ts";

export const demoPartnerId = "demo";

export type DemoHost = {
  folder: DataFolder;
  clock: Clock;
  database: Database;
  keyEncryptionKey: Buffer;
  certificate: ServerCertificate;
  hostKeys: HostKeys;
  /** The API's base address as partners see it. */
  baseUrl: string;
  /** Null where the role does not run here. */
  httpsPort: number | null;
  sftpPort: number | null;
  /** Where clients on this machine find both doors. */
  host: string;
};
