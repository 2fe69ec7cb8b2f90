/** A door for tests: two partners, a vault of hard links as the real one, every event kept. */
import { link, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { connect as connectSocket, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ExecutionContext } from "ava";
import ssh2, { type Client, type ClientChannel, type ConnectConfig, type OpenMode, type SFTPWrapper } from "ssh2";
import SftpClient from "ssh2-sftp-client";
import { quotaDefaults } from "../../../config/landing.ts";
import { createEvents, type EventFields, type EventName, type Events } from "../../../src/events.ts";
import {
  type FinishedFile,
  openSftpDoor,
  type SftpDoor,
  type SftpDoorSettings,
} from "../../../src/landing/sftp/door.ts";
import type { Deliver, FindWhatIsMissing, IsKeptWithRow } from "../../../src/landing/sftp/files/finished-file.ts";
import { openHostKeys } from "../../../src/landing/sftp/connection/host-keys.ts";
import { generateEd25519, type SshKeyPair } from "../../../src/landing/sftp/connection/key-pairs.ts";
import type { SftpLimits } from "../../../src/landing/sftp/limits.ts";
import type { AuditEntry } from "../../../src/partners/audit.ts";
import type { SftpPartner } from "../../../src/partners/keys/sftp-keys.ts";
import { readPublicKey } from "../../../src/partners/keys/ssh-public-key.ts";

export type DoorWorld = {
  readonly door: SftpDoor;
  /** Removed with the test. */
  readonly folder: string;
  readonly landing: string;
  /** What was delivered, in order; each is hard-linked into the vault under its index. */
  readonly deliveries: FinishedFile[];
  /** The partners by user name, to be changed at will. `demo` and `other` log in with `key` and `otherKey`. */
  readonly partners: Map<string, SftpPartner>;
  readonly key: SshKeyPair;
  readonly otherKey: SshKeyPair;
  readonly knownHosts: string;
  /** What the door is told of a file that it finds at its start. */
  isRecorded: (file: FinishedFile) => boolean;
  /** What `deliver` does besides; may throw, may wait. */
  onDeliver: () => Promise<void>;
  /** What the structure of a closed upload is said to lack. */
  findWhatIsMissing: FindWhatIsMissing;
  /** What the door waits for before it shows receipts. */
  receiptsWritten: Promise<void>;
  /** What the partner `demo` is told to have stored, and whether the disk is said to be full; to be set at will. */
  stored: { storedBytes: number; storedFiles: number };
  diskIsLow: boolean;
  /** The audit trail. */
  readonly audited: (AuditEntry & { actor: string })[];
  inbox(...names: string[]): string;
  vaulted(index: number): Promise<Buffer>;
  /** The first event of a name so far, or the next one to come. */
  event<Name extends EventName>(name: Name): Promise<EventFields[Name]>;
  /** How often an event has come so far. */
  count(name: EventName): number;
  /** Everything that went to the log. */
  emitted(): readonly Seen[];
  /** Logged in over ssh2-sftp-client. */
  client(login?: ConnectConfig): Promise<SftpClient>;
  /** Logged in over ssh2 itself, for what the comfortable client hides. */
  bare(login?: ConnectConfig): Promise<{ ssh: Client; sftp: SFTPWrapper }>;
  /** A channel of the SFTP subsystem on which any bytes can be sent. */
  raw(): Promise<{ ssh: Client; channel: ClientChannel }>;
};

/** A machine that is busy with other things lets nobody's time run out; tests of those times set them. */
const patience: Partial<SftpLimits> = { loginGraceMs: 110_000, keyExchangeWaitMs: 60_000 };
const clientPatienceMs = 110_000;

type Seen = { name: EventName; fields: EventFields[EventName] };

/** What holds already when the door opens, besides its settings. */
type Beforehand = Partial<Pick<DoorWorld, "onDeliver" | "isRecorded" | "findWhatIsMissing">> & {
  isKeptWithRow?: IsKeptWithRow;
  prepare?: (landing: string) => Promise<void>;
};

export async function openDoorWorld(
  t: ExecutionContext,
  options: Partial<SftpDoorSettings> & Beforehand = {},
): Promise<DoorWorld> {
  const {
    prepare = async () => undefined,
    onDeliver = async () => undefined,
    isRecorded = () => false,
    findWhatIsMissing = async () => null,
    isKeptWithRow = () => false,
    limits = {},
    ...settings
  } = options;
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-sftp-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const landing = path.join(folder, "landing");
  await prepare(landing);
  const hostKeys = await hostKeysOnce();
  const [key, otherKey] = await Promise.all([generateEd25519("demo"), generateEd25519("other")]);
  const partners = new Map([
    ["demo", partner("demo", key)],
    ["other", partner("other", otherKey)],
  ]);
  const deliveries: FinishedFile[] = [];
  const { events, event, count, emitted } = recordEvents();
  const audited: DoorWorld["audited"] = [];
  const world: Pick<
    DoorWorld,
    "onDeliver" | "isRecorded" | "findWhatIsMissing" | "receiptsWritten" | "stored" | "diskIsLow"
  > = {
    onDeliver,
    isRecorded,
    findWhatIsMissing,
    receiptsWritten: Promise.resolve(),
    stored: { storedBytes: 0, storedFiles: 0 },
    diskIsLow: false,
  };
  const deliver: Deliver = async (file, makeDurable) => {
    await makeDurable();
    await world.onDeliver();
    await mkdir(path.join(folder, "vault"), { recursive: true });
    await link(file.path, path.join(folder, "vault", String(deliveries.length)));
    deliveries.push(file);
  };
  const door = await openSftpDoor(
    {
      host: "127.0.0.1",
      port: 0,
      hostKeys,
      landingDirectory: landing,
      limits: { ...patience, ...limits },
      ...settings,
    },
    {
      findPartner: async (username) => partners.get(username) ?? null,
      findAllowance: async (partnerId) => ({ quota: partners.get(partnerId)?.quota ?? quotaDefaults, ...world.stored }),
      listLegacyNetworks: async () =>
        [...partners.values()].filter((one) => one.legacyMacs).flatMap((one) => one.allowedNetworks),
      listNetworks: async () => [...partners.values()].flatMap((one) => one.allowedNetworks),
      deliver,
      isKeptWithRow,
      findWhatIsMissing: (file) => world.findWhatIsMissing(file),
      receiptsWritten: () => world.receiptsWritten,
      isRecorded: async (file) => world.isRecorded(file),
      events,
      audit: { record: async (actor, entry) => void audited.push({ actor, ...entry }) },
      disk: { isLow: () => world.diskIsLow, reserve: () => undefined },
    },
  );
  t.teardown(() => door.close(0));
  const connect = () => ({
    sock: openSocket(door.port),
    username: "demo",
    privateKey: key.privateKey,
    readyTimeout: clientPatienceMs,
  });
  return Object.assign(world, {
    door,
    folder,
    landing,
    deliveries,
    audited,
    partners,
    key,
    otherKey,
    event,
    count,
    emitted,
    knownHosts: hostKeys.knownHosts(["127.0.0.1"], door.port),
    inbox: (...names: string[]) => path.join(landing, "demo", "inbox", ...names),
    vaulted: (index: number) => readFile(path.join(folder, "vault", String(index))),
    client: (login: ConnectConfig = {}) => openClient(t, { ...connect(), ...login }),
    bare: (login: ConnectConfig = {}) => openBare(t, { ...connect(), ...login }),
    raw: () => openRaw(t, connect()),
  });
}

function partner(partnerId: string, key: SshKeyPair): SftpPartner {
  const { fingerprint, publicKey } = readPublicKey(key.publicKey);
  return {
    partnerId,
    suspended: false,
    keys: [{ fingerprint, publicKey }],
    allowedNetworks: [],
    legacyMacs: false,
    quota: quotaDefaults,
  };
}

let hostKeys: Promise<Awaited<ReturnType<typeof openHostKeys>>> | undefined;

/** An RSA key takes a second to generate; one pair serves every test of a file. */
function hostKeysOnce(): Promise<Awaited<ReturnType<typeof openHostKeys>>> {
  hostKeys ??= mkdtemp(path.join(tmpdir(), "tideline-host-keys-")).then(async (folder) => {
    const keys = await openHostKeys(folder);
    await rm(folder, { recursive: true });
    return keys;
  });
  return hostKeys;
}

function recordEvents(): { events: Events } & Pick<DoorWorld, "event" | "count" | "emitted"> {
  const seen: Seen[] = [];
  const waiting: { name: EventName; resolve: (fields: EventFields[EventName]) => void }[] = [];
  const silent = createEvents({ level: "silent" });
  const emit: Events["emit"] = (name, fields) => {
    seen.push({ name, fields });
    for (const waiter of waiting.filter((one) => one.name === name)) waiter.resolve(fields);
  };
  const event = <Name extends EventName>(name: Name): Promise<EventFields[Name]> => {
    const found = seen.find((one) => one.name === name);
    const fields = found
      ? Promise.resolve(found.fields)
      : new Promise<EventFields[EventName]>((resolve) => waiting.push({ name, resolve }));
    return fields as Promise<EventFields[Name]>;
  };
  return {
    events: { ...silent, emit },
    event,
    count: (name) => seen.filter((one) => one.name === name).length,
    emitted: () => seen,
  };
}

/** ssh2's client leaves Nagle's algorithm on and writes packets in pieces: each request would wait 40 ms for an ACK. */
function openSocket(port: number): Socket {
  return connectSocket({ host: "127.0.0.1", port, noDelay: true });
}

async function openClient(t: ExecutionContext, config: ConnectConfig): Promise<SftpClient> {
  const client = new SftpClient();
  // It reports what happens after a test cut the connection on purpose.
  client.on("error", () => undefined);
  await client.connect(config);
  t.teardown(async () => void (await client.end().catch(() => undefined)));
  return client;
}

async function openSsh(t: ExecutionContext, config: ConnectConfig): Promise<Client> {
  const ssh = new ssh2.Client();
  await new Promise<void>((resolve, reject) => {
    ssh.once("ready", resolve);
    ssh.on("error", reject);
    ssh.connect(config);
  });
  t.teardown(() => void ssh.end());
  return ssh;
}

async function openBare(t: ExecutionContext, config: ConnectConfig): Promise<{ ssh: Client; sftp: SFTPWrapper }> {
  const ssh = await openSsh(t, config);
  const sftp = await new Promise<SFTPWrapper>((resolve, reject) =>
    ssh.sftp((error, wrapper) => (error ? reject(error) : resolve(wrapper))),
  );
  return { ssh, sftp };
}

async function openRaw(t: ExecutionContext, config: ConnectConfig): Promise<{ ssh: Client; channel: ClientChannel }> {
  const ssh = await openSsh(t, config);
  const channel = await new Promise<ClientChannel>((resolve, reject) =>
    ssh.subsys("sftp", (error, opened) => (error ? reject(error) : resolve(opened))),
  );
  return { ssh, channel };
}

export async function open(sftp: SFTPWrapper, path: string, mode: OpenMode): Promise<Buffer> {
  return await new Promise((resolve, reject) =>
    sftp.open(path, mode, (error, handle) => (error ? reject(error) : resolve(handle))),
  );
}

export async function write(sftp: SFTPWrapper, handle: Buffer, data: Buffer, offset: number): Promise<void> {
  await new Promise<void>((resolve, reject) =>
    sftp.write(handle, data, 0, data.length, offset, (error) => (error ? reject(error) : resolve())),
  );
}

export async function close(sftp: SFTPWrapper, handle: Buffer): Promise<void> {
  await new Promise<void>((resolve, reject) => sftp.close(handle, (error) => (error ? reject(error) : resolve())));
}
