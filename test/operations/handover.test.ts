/** What a bank is handed, asked where no door runs: by what the processes of the fleet tell of theirs. */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createServer } from "node:tls";
import test, { type ExecutionContext } from "ava";
import { openAuthority } from "../../src/machine/tls/authority.ts";
import { beat, describeSelf, listDoors, type ProcessDoors } from "../../src/observation/processes.ts";
import { findHandover, type FoundHandover } from "../../src/operations/handover.ts";
import { putPartner } from "../../src/partners/provisioning.ts";
import { createTestDatabase } from "../world.ts";

type Database = Awaited<ReturnType<typeof createTestDatabase>>["database"];

test("doors that run elsewhere are handed out with their own ports, keys and authority", async (t) => {
  const { database, folder, ownAuthority, here } = await openWorld(t);
  const door = await openDoor(t, path.join(folder, "api"));
  await runs(database, ["api"], { baseUrl: door.baseUrl, authority: door.authority });
  await runs(database, ["sftp"], { sftpPort: 2022, hostKeys: ["ssh-ed25519 AAAAtheirs"] });
  const found = await findHandover(database, "bank", here);
  t.is(found?.kind, "found");
  const { handover } = found as FoundHandover & { kind: "found" };
  t.is(handover.baseUrl, door.baseUrl);
  t.is(handover.authority, door.authority);
  t.not(handover.authority, await ownAuthority());
  t.deepEqual(handover.sftp, {
    host: "localhost",
    port: 2022,
    knownHosts: "[localhost]:2022 ssh-ed25519 AAAAtheirs\n",
  });
});

test("an authority that was told at a start and is another by now gives way to one's own, if the door is of that one", async (t) => {
  const { database, folder, here } = await openWorld(t);
  const door = await openDoor(t, path.join(folder, "own"));
  const { authority: former } = await openAuthority(path.join(folder, "former"), [], new Date());
  await runs(database, ["api"], { baseUrl: door.baseUrl, authority: former });
  const found = await findHandover(database, "bank", here);
  t.is((found as FoundHandover & { kind: "found" }).handover.authority, door.authority);

  const another = await openDoor(t, path.join(folder, "another"));
  await runs(database, ["api"], { baseUrl: another.baseUrl, authority: former });
  t.like(await findHandover(database, "bank", here), { kind: "refused", baseUrl: another.baseUrl });
  t.like(await findHandover(database, "bank", here, { authority: another.authority }), { kind: "found" });
});

test("the latest door that is there is told; one that fell silent, and a process without doors, are not", async (t) => {
  const { database } = await openWorld(t);
  t.deepEqual(await listDoors(database), { api: null, sftp: null });
  await runs(database, ["api"], { baseUrl: "https://a.test", authority: "first" }, 3);
  await runs(database, ["api"], { baseUrl: "https://b.test", authority: null }, 2);
  await runs(database, ["worker"], null, 1);
  t.deepEqual(await listDoors(database), { api: { baseUrl: "https://b.test", authority: null }, sftp: null });
  await database.query("update processes set beat_at = now() - interval '1 minute' where doors ->> 'baseUrl' = $1", [
    "https://b.test",
  ]);
  t.deepEqual(await listDoors(database), { api: { baseUrl: "https://a.test", authority: "first" }, sftp: null });
});

async function runs(
  database: Database,
  role: string[],
  doors: Partial<ProcessDoors> | null,
  minutesAgo = 0,
): Promise<void> {
  const self = describeSelf(role, "1.0.0", new Date(Date.now() - minutesAgo * 60_000));
  const none = { baseUrl: null, authority: null, sftpPort: null, hostKeys: [] };
  await beat(database, self, { workingOn: null, doors: doors === null ? null : { ...none, ...doors } });
}

async function openWorld(t: ExecutionContext) {
  const { database } = await createTestDatabase(t);
  await putPartner(database, { id: "bank", name: "A Bank" });
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-handover-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const ownAuthority = async () => (await openAuthority(path.join(folder, "own"), [], new Date())).authority;
  const here = {
    folder: { doors: path.join(folder, "doors.json"), hostKeys: path.join(folder, "host-keys") },
    host: "127.0.0.1",
    httpsPort: 1,
    sftpPort: 2,
    ownAuthority,
  };
  return { database, folder, here, ownAuthority };
}

/** Whose certificate an authority in that folder has signed. */
async function openDoor(t: ExecutionContext, folder: string): Promise<{ baseUrl: string; authority: string }> {
  const { cert, key, authority } = await openAuthority(folder, [], new Date());
  const door = createServer({ cert, key }, (socket) => socket.on("error", () => undefined).end());
  door.on("tlsClientError", () => undefined);
  door.listen(0, "127.0.0.1");
  await once(door, "listening");
  t.teardown(() => door.close());
  return { baseUrl: `https://localhost:${(door.address() as AddressInfo).port}`, authority };
}
