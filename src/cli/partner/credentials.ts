/** `partner credentials`: the folder that a bank's integrator is given. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../../config.ts";
import { readPartnerOverview } from "../../partners/overview.ts";
import { publicBatchKeys } from "../../partners/keys/batch-keys.ts";
import { publicPgpKeys } from "../../partners/keys/pgp-keys.ts";
import { writeHandover } from "../../partners/handover.ts";
import { openRoles } from "../../landing/sftp/connection/host-key-roles.ts";
import { baseUrlOf, certifiedHosts, hostnameOf } from "../../machine/addresses.ts";
import type { DataFolder } from "../../machine/data-folder.ts";
import { readDoors } from "../../machine/doors.ts";
import { openAuthority } from "../../machine/tls/authority.ts";
import { readOwnCertificate } from "../../machine/tls/own-certificate.ts";
import { whoVouches } from "../../machine/tls/vouching.ts";
import { Fault } from "../../errors.ts";
import { commonOptions, configOf, readArguments, readCount, required, usageError } from "../terminal/arguments.ts";
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
    "authority-file": { type: "string" },
  });
  const partnerId = partnerOf(positionals);
  const out = path.resolve(required(values.out, "--out"));
  const config = configOf(values);
  const givenUrl = values["base-url"];
  if (givenUrl !== undefined && !/^https:\/\/[^/]/.test(givenUrl))
    usageError(`--base-url must be an address such as https://tideline.example, not "${givenUrl}".`);
  const givenPort =
    values["sftp-port"] === undefined ? null : readCount(values["sftp-port"], "--sftp-port", 1, portMax);
  return await withSession(config, async ({ database, folder }) => {
    const partner = await readPartnerOverview(database, partnerId);
    if (!partner) throw new Fault("NOT_FOUND", `There is no partner "${partnerId}".`);
    const doors = await readDoors(folder.doors);
    const baseUrl = givenUrl ?? config.publicUrl ?? doors.baseUrl ?? baseUrlOf(config.host, config.httpsPort);
    const host = values["sftp-host"] ?? hostnameOf(baseUrl);
    const port = givenPort ?? doors.sftpPort ?? config.sftpPort;
    const [batchKey] = await publicBatchKeys(database, partnerId);
    const hostKeys = await openRoles(folder.hostKeys);
    const sftp = { host, port, knownHosts: hostKeys.knownHosts([host], port) };
    const { authority, told } = await authorityOf(baseUrl, config, folder, values["authority-file"]);
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
      `Wrote ${written.join(", ")} to ${out}, for ${baseUrl} and SFTP at ${host} port ${port}.`,
      ...told,
      "The partner adds its own sftp_key and login-private.pem; send --credentials then works with the folder.",
    ]);
    return exitCode.done;
  });
}

/**
 * In a fleet each data folder has an authority of its own, and the door may show another's: what is handed over is held
 * against the door.
 * @returns null where clients need none. @throws Fault COMMAND_USAGE for one by which clients would refuse the door
 */
async function authorityOf(
  baseUrl: string,
  config: Config,
  folder: DataFolder,
  given: string | undefined,
): Promise<{ authority: string | null; told: string[] }> {
  const authority = given === undefined ? await ownAuthority(config, folder) : await readFile(given, "utf8");
  const found = await whoVouches(baseUrl, authority);
  if (found.kind === "public" && given === undefined)
    return { authority: null, told: ["No ca.pem: the door's certificate is one that every client takes."] };
  if (found.kind === "not vouched")
    usageError(
      `Whoever has ${given ?? "the ca.pem of this data folder"} would refuse the door at ${baseUrl} (${found.reason}). ` +
        "Name the certificate of the authority that signed the door's with --authority-file: in a fleet tls/ca.pem of the API's data folder.",
    );
  const told = found.kind === "away" ? [`Nobody answers at ${baseUrl}, so that ca.pem is not tried.`] : [];
  return { authority, told };
}

/** As the API of this data folder has it. */
async function ownAuthority(config: Config, folder: DataFolder): Promise<string> {
  const { tlsCertificateFile: certificateFile, tlsKeyFile: keyFile } = config;
  if (certificateFile !== undefined && keyFile !== undefined)
    return (await readOwnCertificate({ certificateFile, keyFile })).cert;
  return (await openAuthority(folder.tls, certifiedHosts(config), new Date())).authority;
}
