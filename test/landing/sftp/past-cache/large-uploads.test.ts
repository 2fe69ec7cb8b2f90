/** Uploads large enough to be written past the cache, through the door. */
import { createHash, randomBytes } from "node:crypto";
import test from "ava";
import { open, openDoorWorld, write } from "../world.ts";

const mebibyte = 1024 * 1024;
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

test("a large upload that is cut leaves all that was answered, and goes on behind it", async (t) => {
  const world = await openDoorWorld(t);
  const content = randomBytes(36 * mebibyte);
  const cutAt = 34 * mebibyte + 1000;
  const { ssh, sftp } = await world.bare();
  const handle = await open(sftp, "/inbox/batch.jwe", "w");
  for (let at = 0; at < cutAt; at += mebibyte)
    await write(sftp, handle, content.subarray(at, Math.min(cutAt, at + mebibyte)), at);
  ssh.destroy();
  await world.event("sftp.upload-abandoned");
  const client = await world.client();
  t.is((await client.stat("/inbox/batch.jwe")).size, cutAt);
  await client.append(content.subarray(cutAt), "/inbox/batch.jwe");
  t.is(world.deliveries[0]?.sha256.toString("hex"), sha256(content));
  t.is(sha256(await world.vaulted(0)), sha256(content));
});
