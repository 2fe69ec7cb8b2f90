/** Of uploads that run while the door closes, exactly what was acknowledged is delivered. */
import { connect } from "node:net";
import { once } from "node:events";
import test from "ava";
import { close, open, openDoorWorld, write } from "../world.ts";

test("a closing door lets a running upload finish and takes no other", async (t) => {
  const world = await openDoorWorld(t);
  const { sftp } = await world.bare();
  const handle = await open(sftp, "/inbox/batch.jwe", "w");
  const closed = world.door.close(60_000);
  await t.throwsAsync(open(sftp, "/inbox/next.jwe", "w"), { message: /service is stopping/ });
  await write(sftp, handle, Buffer.from("hello"), 0);
  await close(sftp, handle);
  await closed;
  t.is((await world.vaulted(0)).toString(), "hello");
  const late = connect(world.door.port, "127.0.0.1");
  const [error] = (await once(late, "error")) as [NodeJS.ErrnoException];
  t.is(error.code, "ECONNREFUSED");
});

test("a closing door cuts an upload that does not finish, and delivers nothing of it", async (t) => {
  const world = await openDoorWorld(t);
  const { sftp } = await world.bare();
  const handle = await open(sftp, "/inbox/batch.jwe", "w");
  await write(sftp, handle, Buffer.from("hello"), 0);
  await world.door.close(0);
  t.is(world.deliveries.length, 0);
  t.like(await world.event("sftp.upload-abandoned"), { partnerId: "demo", sizeBytes: 5 });
});

test("a delivery under way when the connection breaks is completed", async (t) => {
  const world = await openDoorWorld(t);
  const begun = Promise.withResolvers<void>();
  const allowed = Promise.withResolvers<void>();
  world.onDeliver = async () => {
    begun.resolve();
    await allowed.promise;
  };
  const { ssh, sftp } = await world.bare();
  const handle = await open(sftp, "/inbox/batch.jwe", "w");
  await write(sftp, handle, Buffer.from("hello"), 0);
  const acknowledged = close(sftp, handle);
  await begun.promise;
  ssh.destroy();
  allowed.resolve();
  await t.throwsAsync(acknowledged);
  await world.event("sftp.session-ended");
  t.is(world.deliveries.length, 1);
});

test("whatever uploads are doing when the door closes, what was acknowledged is what was delivered", async (t) => {
  const world = await openDoorWorld(t);
  const acknowledged: string[] = [];
  const sessions = await Promise.all(Array.from({ length: 4 }, () => world.bare()));
  const closing = Promise.withResolvers<void>();
  const uploads = sessions.flatMap(({ sftp }, session) =>
    Array.from({ length: 10 }, async (_, index) => {
      const name = `${session}-${index}.jwe`;
      const handle = await open(sftp, `/inbox/${name}`, "w");
      await write(sftp, handle, Buffer.alloc(20_000, index), 0);
      if (index === 5) closing.resolve();
      await close(sftp, handle);
      acknowledged.push(name);
    }),
  );
  await closing.promise;
  await Promise.all([world.door.close(60_000), Promise.allSettled(uploads)]);
  const delivered = world.deliveries.map((file) => file.name).sort();
  t.deepEqual(delivered, acknowledged.toSorted());
  t.true(world.deliveries.every((file) => file.sizeBytes === 20_000));
});
