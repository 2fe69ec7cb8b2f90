/**
 * A bank as it is onboarded and as it calls: keys made by OpenSSL and ssh-keygen, registered by the operator's
 * commands, calls over HTTPS that know nothing of this repository.
 */
import { execFile } from "node:child_process";
import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { Agent, request as httpsRequest } from "node:https";
import path from "node:path";
import { promisify } from "node:util";
import { importPKCS8, type JWK, SignJWT } from "jose";
import type { Service } from "./service.ts";

/** What onboarding needs of a service. */
export type Onboarding = Pick<Service, "folder" | "dataDir" | "httpsPort" | "sftpPort" | "tideline">;

export type Brand = { id: string; country: string; currency: string; timeZone: string; locale: string };

export type Answer = { status: number; headers: Readonly<Record<string, string | string[] | undefined>>; text: string };

export type Partner = {
  id: string;
  brand: Brand;
  /** partner.json, ca.pem, sftp_key, known_hosts, login.pem: what a bank's integrator keeps. */
  folder: string;
  sftpPort: number;
  /** One HTTPS call. @throws when there is no whole answer */
  call(method: string, at: string, more?: { body?: object; token?: string }): Promise<Answer>;
  /** The service's key to encrypt to, from its JWKS. */
  batchKey(): Promise<JWK & { kid: string }>;
  /** A bearer token of one user. */
  login(bankUserId: string): Promise<string>;
};

const run = promisify(execFile);
/** A call that is not answered by then has failed, whatever became of it. */
const answerWithinMs = 30_000;
const connectionsMax = 16;

export async function onboardPartner(service: Onboarding, id: string, brand: Brand): Promise<Partner> {
  const folder = path.join(service.folder, id);
  await mkdir(folder, { mode: 0o700 });
  const at = (name: string) => path.join(folder, name);
  await run("openssl", ["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", at("login.pem")]);
  await run("openssl", ["pkey", "-in", at("login.pem"), "-pubout", "-out", at("login.pub.pem")]);
  await run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "operations", "-f", at("sftp_key")]);
  await register(service, id, brand, folder);
  await copyFile(path.join(service.dataDir, "tls/ca.pem"), at("ca.pem"));
  await writeFile(at("known_hosts"), await knownHosts(service));
  const address = {
    baseUrl: `https://localhost:${service.httpsPort}`,
    sftpHost: "127.0.0.1",
    sftpPort: service.sftpPort,
    sftpUser: id,
  };
  await writeFile(at("partner.json"), JSON.stringify({ partnerId: id, brand: brand.id, ...address }));
  return await connect(service, id, brand, folder);
}

async function register(service: Onboarding, id: string, brand: Brand, folder: string): Promise<void> {
  await service.tideline("partner", "add", id, "--name", "Outside bank");
  const where = [
    "--country",
    brand.country,
    "--currency",
    brand.currency,
    "--time-zone",
    brand.timeZone,
    "--locale",
    brand.locale,
  ];
  await service.tideline("partner", "brand", "add", id, brand.id, ...where);
  await service.tideline("partner", "login-key", "add", id, path.join(folder, "login.pub.pem"));
  await service.tideline("partner", "sftp-key", "add", id, path.join(folder, "sftp_key.pub"));
}

/** The service's host keys, as its operator tells them: ssh-keygen reads the public halves. */
async function knownHosts(service: Onboarding): Promise<string> {
  const keys = path.join(service.dataDir, "host-keys");
  const names = (await readdir(keys)).filter((name) => name.endsWith("_key"));
  const lines = names.map(
    async (name) =>
      `[127.0.0.1]:${service.sftpPort} ${(await run("ssh-keygen", ["-y", "-f", path.join(keys, name)])).stdout}`,
  );
  return (await Promise.all(lines)).join("");
}

async function connect(service: Onboarding, id: string, brand: Brand, folder: string): Promise<Partner> {
  const agent = new Agent({
    keepAlive: true,
    maxSockets: connectionsMax,
    ca: await readFile(path.join(folder, "ca.pem")),
  });
  const loginKey = await importPKCS8(await readFile(path.join(folder, "login.pem"), "utf8"), "RS256");
  const partner: Partner = {
    id,
    brand,
    folder,
    sftpPort: service.sftpPort,
    call: async (method, at, more = {}) =>
      await call(agent, `https://localhost:${service.httpsPort}/partner/${id}/2.0.0${at}`, method, more),
    async batchKey() {
      const { keys } = JSON.parse((await partner.call("GET", "/.well-known/jwks.json")).text) as {
        keys: (JWK & { kid: string })[];
      };
      const key = keys.find(({ use }) => use === "enc");
      if (!key) throw new Error("the key set has no key to encrypt to");
      return key;
    },
    async login(bankUserId) {
      const payload = await new SignJWT({ brand: brand.id })
        .setProtectedHeader({ alg: "RS256" })
        .setSubject(bankUserId)
        .setIssuedAt()
        .setExpirationTime("5m")
        .setJti(crypto.randomUUID())
        .sign(loginKey);
      const answer = await partner.call("POST", "/users/logins", { body: { payload } });
      if (answer.status !== 200) throw new Error(`login was answered with ${answer.status}: ${answer.text}`);
      return (JSON.parse(answer.text) as { token: string }).token;
    },
  };
  return partner;
}

function call(agent: Agent, url: string, method: string, more: { body?: object; token?: string }): Promise<Answer> {
  const body = more.body === undefined ? undefined : JSON.stringify(more.body);
  const headers = {
    ...(body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
    ...(more.token === undefined ? {} : { authorization: `Bearer ${more.token}` }),
  };
  return new Promise((resolve, reject) => {
    const request = httpsRequest(url, { agent, method, headers, timeout: answerWithinMs });
    request.once("error", reject);
    request.once("timeout", () => request.destroy(new Error("no answer in time")));
    request.once("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString("utf8"),
        }),
      );
    });
    request.end(body);
  });
}
