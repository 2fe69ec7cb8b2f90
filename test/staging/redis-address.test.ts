/** Addresses of Redis: one server, or the Sentinels that know which one is the master. */
import test from "ava";
import { readRedisAddress } from "../../config/addresses.ts";
import { examineConfig } from "../../src/config.ts";

test("an address of one Redis stays as it is", (t) => {
  t.deepEqual(readRedisAddress("rediss://:secret@redis.example:6380/2"), {
    url: "rediss://:secret@redis.example:6380/2",
  });
});

test("Sentinels are named with the name of their master, and with Redis' own login", (t) => {
  t.deepEqual(readRedisAddress("redis+sentinel://s1.example:26380,s2.example,[fd00::3]:26379/queue"), {
    sentinels: [
      { host: "s1.example", port: 26_380 },
      { host: "s2.example", port: 26_379 },
      { host: "fd00::3", port: 26_379 },
    ],
    name: "queue",
    db: 0,
  });
  t.deepEqual(readRedisAddress("redis+sentinel://tideline:a%40b@s1/queue?db=3"), {
    sentinels: [{ host: "s1", port: 26_379 }],
    name: "queue",
    username: "tideline",
    password: "a@b",
    db: 3,
  });
});

test("what names no master, or no host, is a problem that shows no password", (t) => {
  for (const wrong of [
    "redis+sentinel://:secret@s1:26379",
    "redis+sentinel:///queue",
    "redis+sentinel://s1,,s2/queue",
    "amqp://:secret@s1",
  ]) {
    const { problems } = examineConfig({}, { REDIS_URL: wrong });
    t.is(problems.length, 1, wrong);
    t.regex(problems[0] ?? "", /^REDIS_URL must be /);
    t.notRegex(problems[0] ?? "", /secret/);
  }
});
