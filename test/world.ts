/**
 * What tests stand on: a database of their own, cloned from the migrated template in a few hundredths of a second. It is
 * arranged as a service's is: the migrator owns it, and each role has a login with what rights it is given there.
 */
import { randomBytes } from "node:crypto";
import type { ExecutionContext } from "ava";
import pg from "pg";
import { type Database, openDatabase } from "../src/database/database.ts";
import { migrate } from "../src/database/migrate.ts";
import { migrateQueue } from "../src/staging/queue.ts";
import {
  arrangementStatements,
  type DatabaseUrls,
  type ServiceRole,
  serviceRoles,
} from "../src/database/service-roles.ts";
import { TenantClaims } from "../src/database/tenant-claims.ts";
import { presentTenant } from "../src/database/tenant.ts";

const templateName = "tideline_template";

/** What the names of tests' databases begin with: who ends tests midway finds by it what they left behind. */
const namePrefix = process.env.TIDELINE_TEST_DATABASES ?? "t";

export type TestDatabase = {
  /** As the server's superuser, who arranges what a test needs and looks at what came of it. */
  url: string;
  /** As the service's roles: what loads, recognises or answers in a test logs in as a service does. */
  urls: DatabaseUrls;
  /** As the superuser. */
  database: Database;
};

/** A test's calls are few at once. */
const callersConnectionsMax = 5;

/** Makes the template; called once a run. */
export async function createTemplate(clusterUrl: string): Promise<void> {
  await administer(clusterUrl, `create database ${templateName}`);
  const url = onDatabase(clusterUrl, templateName);
  const arrangement = arrangementStatements({ databaseName: templateName, passwords: passwordsOf(clusterUrl) });
  await administer(url, [quickPasswords(clusterUrl), ...arrangement].join(";\n"), templateName);
  const { migrator } = urlsOfRoles(url);
  await migrate(migrator);
  await migrateQueue(migrator);
  // A first connection leaves PostgreSQL's own cache of the catalogue in the database's folder, and each clone has it
  // then.
  await administer(url, "select 1", templateName);
}

/** Of every role the cluster's own. */
function passwordsOf(clusterUrl: string): Record<ServiceRole, string> {
  const password = decodeURIComponent(new URL(clusterUrl).password);
  return { migrator: password, jobs: password, loader: password, api: password };
}

/**
 * A test makes some ten connections: the thousands of rounds that a password is worth elsewhere cost each of them 2 ms.
 */
function quickPasswords(clusterUrl: string): string {
  const { username, password } = new URL(clusterUrl);
  return `set scram_iterations = 1; alter role ${username} password '${decodeURIComponent(password)}'`;
}

/** A fresh migrated database, dropped with everything in it when the test ends. */
export async function createTestDatabase(t: Pick<ExecutionContext, "teardown">): Promise<TestDatabase> {
  const clusterUrl = process.env.TIDELINE_TEST_POSTGRES;
  if (!clusterUrl) throw new Error("Tests need the PostgreSQL that `npm test` starts: run npm test -- FILE");
  const name = `${namePrefix}_${randomBytes(8).toString("hex")}`;
  // Copying files takes 30 ms where the default, which logs each page, takes 440 (PostgreSQL 18, 9 MB template).
  await administer(
    clusterUrl,
    `create database ${name} template ${templateName} owner ${serviceRoles.migrator} strategy file_copy`,
  );
  const url = onDatabase(clusterUrl, name);
  const urls = urlsOfRoles(url);
  const database = openDatabase(url, { sizeMax: 5, applicationName: "test" });
  t.teardown(async () => {
    await database.end();
    await administer(clusterUrl, `drop database ${name} with (force)`);
  });
  return { url, urls, database };
}

/** What a service's environment has of a database whose roles log in. */
export function environmentOf({ migrator, jobs, loader, api }: DatabaseUrls): Record<string, string> {
  return { DATABASE_URL: migrator, DATABASE_URL_JOBS: jobs, DATABASE_URL_LOADER: loader, DATABASE_URL_API: api };
}

/** Connections as the API has them: every test of it stands on row-level security. */
export function openForCallers(t: ExecutionContext, url: string): Database {
  const own = openDatabase(urlsOfRoles(url).jobs, { sizeMax: 1, applicationName: "test claims" });
  const claims = new TenantClaims(own);
  const database = openDatabase(urlsOfRoles(url).api, {
    sizeMax: callersConnectionsMax,
    applicationName: "test api",
    tenant: { present: presentTenant, claims },
  });
  t.teardown(async () => {
    await database.end();
    await claims.close();
    await own.end();
  });
  return database;
}

/** Where each role logs in to a test's database. */
export function urlsOfRoles(url: string): DatabaseUrls {
  const as = (role: ServiceRole): string => {
    const address = new URL(url);
    address.username = serviceRoles[role];
    return address.href;
  };
  return { migrator: as("migrator"), jobs: as("jobs"), loader: as("loader"), api: as("api") };
}

/** Drops what tests left behind whose databases' names begin so. */
export async function dropDatabasesOf(clusterUrl: string, prefix: string): Promise<void> {
  const client = new pg.Client({ connectionString: onDatabase(clusterUrl, "postgres") });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      "select datname as name from pg_database where starts_with(datname, $1)",
      [`${prefix}_`],
    );
    for (const { name } of rows) await client.query(`drop database if exists ${name} with (force)`);
  } finally {
    await client.end();
  }
}

async function administer(clusterUrl: string, statement: string, name = "postgres"): Promise<void> {
  const client = new pg.Client({ connectionString: onDatabase(clusterUrl, name) });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function onDatabase(clusterUrl: string, name: string): string {
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  return url.href;
}
