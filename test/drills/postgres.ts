/** Debian's PostgreSQL: a primary with the service's logins, standbys of it, PgBouncer before it. */
import { chown, mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import {
  type DatabaseUrls,
  arrangementStatements,
  type ServiceRole,
  serviceRoles,
} from "../../src/database/service-roles.ts";
import { freePort } from "../ports.ts";
import { listProcesses, treeOf, killHard } from "../outside/processes.ts";
import { findProgram, run, type Server, Skipped, type Stage, until } from "./tools.ts";

const databaseName = "tideline";
/** For all of them; a drill's database lives for minutes, on this machine alone. */
const password = "drill";
const roles = Object.keys(serviceRoles) as ServiceRole[];

export type Login = "postgres" | ServiceRole;

/** Servers do not run as root; any account that owns nothing will do. */
export type Account = { uid: number; gid: number } | Record<string, never>;

export async function accountOfServers(): Promise<Account> {
  if (process.getuid?.() !== 0) return {};
  const name = await run("id", ["-u", "postgres"]).then(
    () => "postgres",
    () => "nobody",
  );
  return { uid: Number(await run("id", ["-u", name])), gid: Number(await run("id", ["-g", name])) };
}

/** @throws Skipped */
export async function binariesOfPostgres(): Promise<string> {
  const versions = await readdir("/usr/lib/postgresql").catch(() => []);
  const newest = versions.map(Number).sort((a, b) => b - a)[0];
  if (newest === undefined) throw new Skipped("there is no PostgreSQL of Debian on this machine");
  return `/usr/lib/postgresql/${newest}/bin`;
}

export class Postgres {
  readonly port: number;
  readonly #stage: Stage;
  readonly #binaries: string;
  readonly #account: Account;
  readonly files: string;
  #server: Server | null = null;

  private constructor(stage: Stage, binaries: string, account: Account, name: string, port: number) {
    [this.#stage, this.#binaries, this.#account] = [stage, binaries, account];
    this.files = path.join(stage.folder, name);
    this.port = port;
  }

  /** A new primary with the four logins. */
  static async primary(stage: Stage, name: string, settings: readonly string[] = []): Promise<Postgres> {
    const server = await Postgres.#prepare(stage, name);
    const passwords = path.join(stage.folder, `${name}-password`);
    await writeFile(passwords, password);
    await server.#own(passwords);
    await server.#runAs("initdb", [
      "--pgdata",
      server.files,
      "--username",
      "postgres",
      "--encoding",
      "UTF8",
      "--locale",
      "C.UTF-8",
      "--auth",
      "scram-sha-256",
      "--pwfile",
      passwords,
    ]);
    await server.start(settings);
    await server.#arrange();
    return server;
  }

  /** A standby, by pg_basebackup. @param name by which the primary knows it. @param port where it finds the primary */
  static async standbyOf(
    stage: Stage,
    primary: Postgres,
    name: string,
    settings: readonly string[] = [],
    port = primary.port,
  ) {
    const server = await Postgres.#prepare(stage, name);
    const source = `host=127.0.0.1 port=${port} user=postgres password=${password} application_name=${name}`;
    await server.#runAs("pg_basebackup", [
      "--pgdata",
      server.files,
      "--dbname",
      source,
      "--wal-method",
      "stream",
      "--checkpoint",
      "fast",
      "--write-recovery-conf",
    ]);
    await server.start([`primary_conninfo=${source}`, ...settings]);
    return server;
  }

  static async #prepare(stage: Stage, name: string): Promise<Postgres> {
    const server = new Postgres(stage, await binariesOfPostgres(), await accountOfServers(), name, await freePort());
    await mkdir(server.files, { mode: 0o700 });
    await server.#own(server.files);
    return server;
  }

  async start(settings: readonly string[] = []): Promise<void> {
    const all = [
      "listen_addresses=127.0.0.1",
      "unix_socket_directories=",
      "max_connections=300",
      "wal_level=replica",
      "hot_standby=on",
      ...settings,
    ];
    const parameters = ["-D", this.files, "-p", String(this.port), ...all.flatMap((one) => ["-c", one])];
    this.#server = this.#stage.spawn(path.join(this.#binaries, "postgres"), parameters, this.#account);
    await until(`PostgreSQL answers: ${this.#server.said}`, async () => (await this.ask("select 1")).length === 1);
  }

  /** `kill -9` of the server and of everything it started. */
  async killHard(): Promise<void> {
    const tree = treeOf(await listProcesses(), this.#server?.pid ?? 0);
    killHard(tree);
    await this.#server?.kill();
  }

  async ask<Row extends pg.QueryResultRow>(text: string, login: Login = "postgres"): Promise<Row[]> {
    return await askAt<Row>(this.url(login), text);
  }

  /** As its superuser, in the service's database. */
  async askService<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
    return await askAt<Row>(this.lookUrl, text);
  }

  url(login: Login, port = this.port): string {
    const user = login === "postgres" ? login : serviceRoles[login];
    return `postgres://${user}:${password}@127.0.0.1:${port}/${login === "postgres" ? "postgres" : databaseName}`;
  }

  /** As its superuser, in the service's database: for looking. */
  get lookUrl(): string {
    return this.url("postgres").replace(/\/postgres$/, `/${databaseName}`);
  }

  async #arrange(): Promise<void> {
    await this.ask(`create database ${databaseName}`);
    const client = new pg.Client({ connectionString: this.lookUrl });
    await client.connect();
    const passwords = Object.fromEntries(roles.map((role) => [role, password])) as Record<ServiceRole, string>;
    for (const statement of arrangementStatements({ databaseName, passwords })) await client.query(statement);
    await client.end();
  }

  async #own(file: string): Promise<void> {
    const { uid, gid } = this.#account;
    if (uid !== undefined && gid !== undefined) await chown(file, uid, gid);
  }

  async #runAs(program: string, parameters: readonly string[]): Promise<void> {
    const server = this.#stage.spawn(path.join(this.#binaries, program), parameters, {
      ...this.#account,
      env: { ...process.env, PGPASSWORD: password },
    });
    const code = await server.ended();
    if (code !== 0) throw new Error(`${program} failed: ${server.said}`);
  }
}

async function askAt<Row extends pg.QueryResultRow>(connectionString: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5000 });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** The addresses of all roles, by whatever port they are reached. */
export function urlsAt(postgres: Postgres, port = postgres.port): DatabaseUrls {
  const at = (role: ServiceRole) => postgres.url(role, port);
  return { migrator: at("migrator"), jobs: at("jobs"), loader: at("loader"), api: at("api") };
}

export type PgBouncerSettings = { mode: string; program?: string; settings?: readonly string[] };

/** PgBouncer before a server. `program`: another than the machine's. */
export class PgBouncer {
  readonly port: number;
  readonly #stage: Stage;
  readonly #program: string;
  readonly #file: string;
  readonly #account: Account;
  #server: Server | null = null;

  private constructor(stage: Stage, program: string, account: Account, file: string, port: number) {
    [this.#stage, this.#program, this.#account, this.#file, this.port] = [stage, program, account, file, port];
  }

  static async open(stage: Stage, before: Postgres, { mode, program, settings = [] }: PgBouncerSettings) {
    const port = await freePort();
    const account = await accountOfServers();
    const file = path.join(stage.folder, `pgbouncer-${port}.ini`);
    const users = path.join(stage.folder, `pgbouncer-${port}.users`);
    const names = ["postgres", ...roles.map((role) => serviceRoles[role])];
    await writeFile(users, names.map((name) => `"${name}" "${password}"\n`).join(""));
    await writeFile(
      file,
      [
        "[databases]",
        `${databaseName} = host=127.0.0.1 port=${before.port} dbname=${databaseName}`,
        "[pgbouncer]",
        "listen_addr = 127.0.0.1",
        `listen_port = ${port}`,
        "unix_socket_dir =",
        "auth_type = scram-sha-256",
        `auth_file = ${users}`,
        `pool_mode = ${mode}`,
        "max_client_conn = 1000",
        "default_pool_size = 20",
        `stats_users = ${serviceRoles.jobs}, ${serviceRoles.api}`,
        "server_login_retry = 1",
        ...settings,
        "",
      ].join("\n"),
    );
    const chosen = program ?? (await findProgram("pgbouncer"));
    const bouncer = new PgBouncer(stage, chosen, account, file, port);
    await bouncer.start();
    return bouncer;
  }

  async start(): Promise<void> {
    this.#server = this.#stage.spawn(this.#program, [this.#file], this.#account);
    const client = () =>
      new pg.Client(`postgres://${serviceRoles.jobs}:${password}@127.0.0.1:${this.port}/${databaseName}`);
    const server = this.#server;
    await until(
      "PgBouncer answers",
      async () => {
        const one = client();
        one.on("error", () => undefined);
        await one.connect();
        await one.end();
        return true;
      },
      120_000,
    ).catch((cause: unknown) => {
      throw new Error(server.said, { cause });
    });
  }

  async killHard(): Promise<void> {
    await this.#server?.kill();
  }
}
