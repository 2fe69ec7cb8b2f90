/**
 * A bank accepts its backends' certificates through its own authority. One of them was stolen, and the bank has told
 * its serial number: does whoever has it still get in?
 */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import type { Partner } from "../outside/partner.ts";
import type { Attack, World } from "./attack.ts";

const run = promisify(execFile);
/** Changes are in force within this. */
const inForceMs = 2_000;

export const attack: Attack = {
  name: "revoked-certificate",
  service: { environment: { TIDELINE_CLIENT_CERTIFICATES: "ask" }, alone: true },
  async succeeds(world) {
    const partner = await world.partner("issuing");
    const openssl = (...parameters: string[]) => run("openssl", parameters, { cwd: partner.folder });
    const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
    await openssl(
      "req",
      "-x509",
      ...key,
      "-keyout",
      "issuer.key",
      "-out",
      "issuer.pem",
      "-subj",
      "/CN=Issuer",
      "-days",
      "2",
    );
    for (const name of ["backend", "stolen"]) {
      await openssl("req", ...key, "-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", `/CN=${name}`);
      const signed = ["-CA", "issuer.pem", "-CAkey", "issuer.key", "-days", "2", "-out", `${name}.pem`];
      await openssl("x509", "-req", "-in", `${name}.csr`, ...signed);
    }
    const issuer = path.join(partner.folder, "issuer.pem");
    await world.service.tideline("partner", "client-certificate", "add", partner.id, issuer, "--issuer");
    await world.set(partner.id, "https.clientCertificate=required");
    await wait(inForceMs);
    const before = await statusOf(world, partner, "stolen");
    const { stdout } = await openssl("x509", "-in", "stolen.pem", "-noout", "-serial");
    const serial = stdout.trim().replace("serial=", "");
    const isSet = await world.set(partner.id, `https.revokedSerials=${serial}`);
    await wait(inForceMs);
    const [backend, stolen] = [await statusOf(world, partner, "backend"), await statusOf(world, partner, "stolen")];
    if (before !== 200 || backend !== 200) throw new Error(`good ones were answered ${before} and ${backend}`);
    return { succeeded: stolen === 200, seen: `${isSet ? "revoked" : "no way to revoke it"}: ${stolen}` };
  },
};

async function statusOf(world: World, partner: Partner, name: string): Promise<number> {
  const [cert, key] = await Promise.all(
    ["pem", "key"].map((ending) => readFile(path.join(partner.folder, `${name}.${ending}`), "utf8")),
  );
  const agent = new Agent({ ca: world.authority, cert, key });
  return await new Promise((resolve, reject) => {
    const asked = request(`${world.baseUrl}/partner/${partner.id}/2.0.0/.well-known/jwks.json`, { agent }, (answer) => {
      answer.resume().once("end", () => resolve(answer.statusCode ?? 0));
    });
    asked.once("error", reject).end();
  });
}
