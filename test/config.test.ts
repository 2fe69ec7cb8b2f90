/** Settings come from flags, then the environment, then defaults, and every problem is told at once without secrets. */
import test from "ava";
import { consoleListenerOf, examineConfig, readConfig } from "../src/config.ts";
import { Fault } from "../src/errors.ts";

test("without flags and environment the defaults are in force", (t) => {
  const config = readConfig({}, {});
  t.like(config, {
    httpsPort: 8443,
    sftpPort: 2222,
    host: "127.0.0.1",
    databaseUrl: undefined,
    importAssumedAfterHours: 24,
  });
  t.deepEqual(config.roles, ["api", "sftp", "worker", "scheduler", "console"]);
});

test("a flag wins over the environment, which wins over the default", (t) => {
  t.is(readConfig({}, { TIDELINE_HTTPS_PORT: "9000" }).httpsPort, 9000);
  t.is(readConfig({ httpsPort: "9001" }, { TIDELINE_HTTPS_PORT: "9000" }).httpsPort, 9001);
});

test("an empty variable counts as unset", (t) => {
  t.is(readConfig({}, { REDIS_URL: "" }).redisUrl, undefined);
});

test("every problem is reported at once, with what is right and without any secret", (t) => {
  const environment = {
    TIDELINE_HTTPS_PORT: "many",
    DATABASE_URL: "mysql://root:hunter2@db",
    TIDELINE_KEY_ENCRYPTION_KEY: "c2hvcnQ=",
    TIDELINE_AS_OF: "2024-02-30",
    TIDELINE_HTTP_PORT: "80",
    TIDELINE_SFTP_TEMPORARY_NAMES: "*.tmp,upload",
  };
  const error = t.throws(() => readConfig({ roles: "api,cook" }, environment), { instanceOf: Fault });
  t.is(error?.code, "CONFIG_INVALID");
  const message = error?.message ?? "";
  t.true(message.includes('TIDELINE_HTTPS_PORT must be a whole number from 0 to 65535, not "many"'));
  t.true(message.includes("DATABASE_URL must be an address starting with postgres:// or postgresql://"));
  t.true(message.includes("TIDELINE_KEY_ENCRYPTION_KEY must be 32 bytes in base64"));
  t.true(message.includes('TIDELINE_AS_OF must be a day, YYYY-MM-DD, not "2024-02-30"'));
  t.true(message.includes("--roles must be roles out of api, sftp, worker, scheduler, console"));
  t.true(message.includes("TIDELINE_SFTP_TEMPORARY_NAMES must be patterns such as *.tmp or .*"));
  t.true(message.includes("TIDELINE_HTTP_PORT is not a setting"));
  t.false(message.includes("hunter2"));
});

test("the console listens by itself, or on the API's listener where that is in the same process", (t) => {
  const listener = (environment: NodeJS.ProcessEnv, roles = "api,console") =>
    consoleListenerOf(readConfig({ roles }, environment));
  t.deepEqual(listener({}), { host: "127.0.0.1", port: 8444 });
  t.deepEqual(listener({ TIDELINE_CONSOLE_PORT: "9444", TIDELINE_CONSOLE_HOST: "192.0.2.1" }), {
    host: "192.0.2.1",
    port: 9444,
  });
  t.is(listener({ TIDELINE_CONSOLE_PORT: "api" }), null);
  t.deepEqual(listener({ TIDELINE_CONSOLE_PORT: "api" }, "console"), { host: "127.0.0.1", port: 8444 });
});

test("one number for two doors is a mistake, and what was meant is told", (t) => {
  t.deepEqual(examineConfig({}, { TIDELINE_CONSOLE_PORT: "8443" }).problems, [
    'TIDELINE_CONSOLE_PORT is 8443, which another door has; "api" puts the console on the API\'s listener',
  ]);
  t.deepEqual(examineConfig({}, { TIDELINE_CONSOLE_PORT: "apis" }).problems, [
    'TIDELINE_CONSOLE_PORT must be api or a whole number from 0 to 65535, not "apis"',
  ]);
});

test("what Kubernetes says about a service called tideline is no misspelt setting", (t) => {
  const environment = {
    TIDELINE_SERVICE_HOST: "10.0.0.7",
    TIDELINE_SERVICE_PORT: "8443",
    TIDELINE_SERVICE_PORT_HTTPS: "8443",
    TIDELINE_PORT: "tcp://10.0.0.7:8443",
    TIDELINE_PORT_8443_TCP: "tcp://10.0.0.7:8443",
    TIDELINE_PORT_8443_TCP_ADDR: "10.0.0.7",
    TIDELINE_SFTP_SERVICE_HOST: "10.0.0.8",
  };
  t.deepEqual(examineConfig({}, environment).problems, []);
  t.regex(
    examineConfig({}, { TIDELINE_DATA_DIRECTORY: "/data" }).problems.join(),
    /TIDELINE_DATA_DIRECTORY is not a setting/,
  );
});

test("more threads than the embedded database has connections for are a problem, and none on a server of one's own", (t) => {
  t.deepEqual(examineConfig({}, { TIDELINE_LOAD_THREADS: "14", TIDELINE_DOOR_THREADS: "4" }).problems, []);
  const [problem = ""] = examineConfig({}, { TIDELINE_LOAD_THREADS: "15", TIDELINE_DOOR_THREADS: "4" }).problems;
  t.regex(problem, /^TIDELINE_LOAD_THREADS and TIDELINE_DOOR_THREADS are 15 and 4: .* 109 connections/);
  t.deepEqual(examineConfig({}, { TIDELINE_LOAD_THREADS: "64", DATABASE_URL: "postgres://db" }).problems, []);
});

test("settings that contradict each other are problems", (t) => {
  t.deepEqual(examineConfig({ httpsPort: "7000", sftpPort: "7000" }, {}).problems, [
    "--https-port and --sftp-port are both 7000",
  ]);
  t.deepEqual(examineConfig({ sftpPort: "7000", observePort: "7000" }, {}).problems, [
    "--sftp-port and --observe-port are both 7000",
  ]);
  t.deepEqual(examineConfig({ roles: "worker" }, { REDIS_URL: "redis://localhost" }).problems, [
    "REDIS_URL with single roles also needs DATABASE_URL: a fleet shares both",
  ]);
});

test("settings of the embedded PostgreSQL are those of its size, and nothing that keeps data safe", (t) => {
  const given = (text: string) => examineConfig({}, { TIDELINE_POSTGRES_SETTINGS: text });
  t.deepEqual(given("shared_buffers=4GB, autovacuum_max_workers=6").config.postgresSettings, {
    shared_buffers: "4GB",
    autovacuum_max_workers: "6",
  });
  for (const text of [
    "fsync=off",
    "listen_addresses=0.0.0.0",
    "log_statement=all",
    "work_mem",
    "work_mem=1MB -c fsync=off",
  ])
    t.regex(given(text).problems.join(), /TIDELINE_POSTGRES_SETTINGS must be settings of memory/, text);
});

test("what is configured is counted among the connections that the embedded database must have", (t) => {
  const threads = { TIDELINE_LOAD_THREADS: "14", TIDELINE_DOOR_THREADS: "4" };
  const problemsOf = (more: NodeJS.ProcessEnv) => examineConfig({}, { ...threads, ...more }).problems;
  t.deepEqual(problemsOf({}), []);
  t.regex(
    problemsOf({ TIDELINE_API_CONNECTIONS: "20" }).join(),
    /up to 117 connections, and the embedded database has 108/,
  );
  t.regex(problemsOf({ TIDELINE_RECOGNITION_THREADS: "3" }).join(), /up to 111 connections/);
  t.deepEqual(problemsOf({ TIDELINE_API_CONNECTIONS: "20", TIDELINE_POSTGRES_SETTINGS: "max_connections=117" }), []);
});
