/** `partner credentials`: the folder that a bank's integrator is given. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../../config.ts";
import { findHandover } from "../../operations/handover.ts";
import { writeHandover } from "../../partners/handover.ts";
import { certifiedHosts } from "../../machine/addresses.ts";
import type { DataFolder } from "../../machine/data-folder.ts";
import { openAuthority } from "../../machine/tls/authority.ts";
import { readOwnCertificate } from "../../machine/tls/own-certificate.ts";
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
    values["sftp-port"] === undefined ? undefined : readCount(values["sftp-port"], "--sftp-port", 1, portMax);
  const authorityFile = values["authority-file"];
  const said = {
    baseUrl: givenUrl,
    sftpHost: values["sftp-host"],
    sftpPort: givenPort,
    authority: authorityFile === undefined ? undefined : await readFile(authorityFile, "utf8"),
  };
  return await withSession(config, async ({ database, folder }) => {
    const here = { ...config, folder, ownAuthority: () => ownAuthority(config, folder) };
    const found = await findHandover(database, partnerId, here, said);
    if (found === null) throw new Fault("NOT_FOUND", `There is no partner "${partnerId}".`);
    if (found.kind === "refused")
      usageError(
        `Whoever has ${authorityFile ?? "the ca.pem of this data folder"} would refuse the door at ${found.baseUrl} (${found.reason}). ` +
          "Name the certificate of the authority that signed the door's with --authority-file: in a fleet tls/ca.pem of the API's data folder.",
      );
    const { handover, door } = found;
    const { baseUrl, sftp } = handover;
    const written = await writeHandover(out, handover);
    const told = {
      vouched: [],
      public: handover.authority === null ? ["No ca.pem: the door's certificate is one that every client takes."] : [],
      away: [`Nobody answers at ${baseUrl}, so that ca.pem is not tried.`],
    };
    printResult(values.json, { partnerId, out, files: written, baseUrl, sftpHost: sftp?.host, sftpPort: sftp?.port }, [
      `Wrote ${written.join(", ")} to ${out}, for ${baseUrl} and SFTP at ${sftp?.host} port ${sftp?.port}.`,
      ...told[door],
      "The partner adds its own sftp_key and login-private.pem; send --credentials then works with the folder.",
    ]);
    return exitCode.done;
  });
}

/** As the API of this data folder has it. */
async function ownAuthority(config: Config, folder: DataFolder): Promise<string> {
  const { tlsCertificateFile: certificateFile, tlsKeyFile: keyFile } = config;
  if (certificateFile !== undefined && keyFile !== undefined)
    return (await readOwnCertificate({ certificateFile, keyFile })).cert;
  return (await openAuthority(folder.tls, certifiedHosts(config), new Date())).authority;
}
