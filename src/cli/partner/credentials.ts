/** `partner credentials`: the folder that a bank's integrator is given. */
import path from "node:path";
import { readPartnerOverview } from "../../partners/overview.ts";
import { publicBatchKeys } from "../../partners/keys/batch-keys.ts";
import { publicPgpKeys } from "../../partners/keys/pgp-keys.ts";
import { writeHandover } from "../../partners/handover.ts";
import { openRoles } from "../../landing/sftp/connection/host-key-roles.ts";
import { baseUrlOf, certifiedHosts, hostnameOf } from "../../machine/addresses.ts";
import { openAuthority } from "../../machine/tls/authority.ts";
import { Fault } from "../../errors.ts";
import { commonOptions, configOf, readArguments, readCount, required } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { printResult } from "../terminal/result.ts";
import { withSession } from "../service/session.ts";
import { partnerOf } from "./change.ts";

const portMax = 65_535;

export async function writeCredentialsCommand(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    ...commonOptions,
    out: { type: "string" },
    "base-url": { type: "string" },
    "sftp-host": { type: "string" },
    "sftp-port": { type: "string" },
  });
  const partnerId = partnerOf(positionals);
  const out = path.resolve(required(values.out, "--out"));
  const config = configOf(values);
  const baseUrl = values["base-url"] ?? config.publicUrl ?? baseUrlOf(config.host, config.httpsPort);
  const host = values["sftp-host"] ?? hostnameOf(baseUrl);
  const port =
    values["sftp-port"] === undefined ? config.sftpPort : readCount(values["sftp-port"], "--sftp-port", 1, portMax);
  return await withSession(config, async ({ database, folder }) => {
    const partner = await readPartnerOverview(database, partnerId);
    if (!partner) throw new Fault("NOT_FOUND", `There is no partner "${partnerId}".`);
    const [batchKey] = await publicBatchKeys(database, partnerId);
    const hostKeys = await openRoles(folder.hostKeys);
    const { authority } = await openAuthority(folder.tls, certifiedHosts(config), new Date());
    const sftp = { host, port, knownHosts: hostKeys.knownHosts([host], port) };
    const written = await writeHandover(out, {
      partnerId,
      brands: partner.brands.map((brand) => brand.id),
      baseUrl,
      httpsPort: Number(new URL(baseUrl).port || 443),
      sftp,
      authority,
      batchKey,
      pgpKey: (await publicPgpKeys(database, partnerId))[0]?.armored,
    });
    printResult(values.json, { partnerId, out, files: written, baseUrl, sftpHost: host, sftpPort: port }, [
      `Wrote ${written.join(", ")} to ${out}.`,
      "The partner adds its own sftp_key and login-private.pem; send --credentials then works with the folder.",
    ]);
    return exitCode.done;
  });
}
