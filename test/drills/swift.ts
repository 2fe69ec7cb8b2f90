/**
 * OpenStack's object store (Debian's python3-swift) with its S3 interface, as one process each for accounts, containers,
 * objects and the proxy, one device and one replica. Objects lie encrypted on its disk, by its own middleware.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { freePort } from "../ports.ts";
import { findProgram, run, type Server, Skipped, type Stage, until } from "./tools.ts";

const [account, user, password] = ["drill", "tideline", "drill-secret"];
const kinds = ["account", "container", "object"] as const;

export type Swift = {
  endpoint: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** It takes connections and answers nothing, as behind a network that swallows packets. */
  hang(): void;
  goOn(): void;
  /** Nobody listens there. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** All that its disk holds of objects. */
  filesOnDisk(): Promise<Buffer[]>;
};

/** @throws Skipped */
export async function startSwift(stage: Stage): Promise<Swift> {
  // Debian's own, whose packages these are.
  const python = await findProgram("python3", "/usr/bin");
  await run(python, ["-c", "import swift.common.middleware.s3api, swift.proxy.server, swift.obj.server"]).catch(() => {
    throw new Skipped("there is no Swift on this machine (Debian's python3-swift)");
  });
  const folder = path.join(stage.folder, "swift");
  const devices = path.join(folder, "devices");
  await mkdir(path.join(devices, "one"), { recursive: true });
  await writeFile(path.join(folder, "swift.conf"), swiftConf);
  const ports = { account: await freePort(), container: await freePort(), object: await freePort() };
  await run(python, ["-c", ringMaker, folder, String(ports.account), String(ports.container), String(ports.object)]);
  for (const kind of kinds) {
    const file = path.join(folder, `${kind}-server.conf`);
    await writeFile(file, storageConf(kind, { folder, devices, port: ports[kind] }));
    stage.spawn(python, ["-c", launcher, folder, file, `${kind}-server`]);
  }
  const port = await freePort();
  const file = path.join(folder, "proxy-server.conf");
  await writeFile(file, proxyConf({ folder, port }));
  let proxy: Server;
  const endpoint = `http://127.0.0.1:${port}`;
  const start = async () => {
    proxy = stage.spawn(python, ["-c", launcher, folder, file, "proxy-server"]);
    await until(
      `Swift answers: ${proxy.said}`,
      async () => (await fetch(`${endpoint}/healthcheck`, { signal: AbortSignal.timeout(2000) })).ok,
      240_000,
    ).catch((error: unknown) => {
      throw new Error(proxy.said, { cause: error });
    });
  };
  await start();
  return {
    endpoint,
    accessKeyId: `${account}:${user}`,
    secretAccessKey: password,
    hang: () => proxy.signal("SIGSTOP"),
    goOn: () => proxy.signal("SIGCONT"),
    kill: async () => void (await proxy.kill()),
    start,
    async filesOnDisk() {
      const found = await readdir(path.join(devices, "one"), { recursive: true, withFileTypes: true });
      const data = found.filter((one) => one.isFile() && one.name.endsWith(".data"));
      return await Promise.all(data.map((one) => readFile(path.join(one.parentPath, one.name))));
    },
  };
}

const swiftConf = `[swift-hash]
swift_hash_path_suffix = drill
swift_hash_path_prefix = drill

[storage-policy:0]
name = only
default = yes
`;

/** One partition power of 4 is plenty for minutes. */
const ringMaker = `
import sys
from swift.common import utils
folder = sys.argv[1]
utils.set_swift_dir(folder)
from swift.common.ring import RingBuilder
for kind, port in zip(("account", "container", "object"), sys.argv[2:]):
    builder = RingBuilder(4, 1, 1)
    place = {"region": 1, "zone": 1, "ip": "127.0.0.1", "port": int(port), "device": "one", "weight": 1.0}
    builder.add_dev(dict(place, replication_ip="127.0.0.1", replication_port=int(port), meta=""))
    builder.rebalance()
    builder.get_ring().save(folder + "/" + kind + ".ring.gz")
`;

/** What the commands of Debian's packages for each server do, with a folder of one's own instead of /etc/swift. */
const launcher = `
import sys
from swift.common import utils
utils.set_swift_dir(sys.argv[1])
from swift.common.storage_policy import reload_storage_policies
reload_storage_policies()
from swift.common.wsgi import run_wsgi
sys.exit(run_wsgi(sys.argv[2], sys.argv[3], verbose=True))
`;

function storageConf(
  kind: (typeof kinds)[number],
  { folder, devices, port }: { folder: string; devices: string; port: number },
): string {
  return `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
swift_dir = ${folder}
devices = ${devices}
mount_check = false
workers = 0
user = ${userOfServers}
fallocate_reserve = 0
disable_fallocate = true

[pipeline:main]
pipeline = ${kind}-server

[app:${kind}-server]
use = egg:swift#${kind}
`;
}

const userOfServers = process.env.USER ?? (process.getuid?.() === 0 ? "root" : "");

function proxyConf({ folder, port }: { folder: string; port: number }): string {
  return `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
swift_dir = ${folder}
workers = 0
user = ${userOfServers}

[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats s3api tempauth slo versioned_writes keymaster encryption proxy-server

[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true

[filter:catch_errors]
use = egg:swift#catch_errors

[filter:gatekeeper]
use = egg:swift#gatekeeper

[filter:healthcheck]
use = egg:swift#healthcheck

[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1

[filter:listing_formats]
use = egg:swift#listing_formats

[filter:s3api]
use = egg:swift#s3api
location = us-east-1
auth_pipeline_check = false

[filter:tempauth]
use = egg:swift#tempauth
user_${account}_${user} = ${password} .admin

[filter:slo]
use = egg:swift#slo
rate_limit_segments_per_sec = 1000

[filter:versioned_writes]
use = egg:swift#versioned_writes
allow_versioned_writes = true

[filter:keymaster]
use = egg:swift#keymaster
encryption_root_secret = ${Buffer.alloc(32, "drill").toString("base64")}

[filter:encryption]
use = egg:swift#encryption
`;
}
