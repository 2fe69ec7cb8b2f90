/**
 * `tideline partner …`: everything an operator does to onboard a bank. Each change is audited and in force within a
 * moment.
 */
import { brandSettings } from "../../partners/settings/brand-settings.ts";
import { partnerSettings } from "../../partners/settings/settings.ts";
import { usageError } from "../terminal/arguments.ts";
import {
  addLoginKeyCommand,
  addSftpKeyCommand,
  removeLoginKeyCommand,
  removeSftpKeyCommand,
  rotateBatchKeyCommand,
  rotatePgpKeyCommand,
  showPgpKeyCommand,
} from "./keys.ts";
import { addClientCertificateCommand, removeClientCertificateCommand } from "./client-certificates.ts";
import {
  addPartnerCommand,
  listPartnersCommand,
  resumePartnerCommand,
  showPartnerCommand,
  suspendPartnerCommand,
} from "./registration.ts";
import { removePartnerCommand } from "./removal.ts";
import { addBrandCommand, allowNetworkCommand, setBrandCommand, setCommand, setLogoCommand } from "./rules.ts";
import { disconnectCommand, listEndingsCommand, showSessionsCommand } from "./sessions.ts";
import { alignColumns } from "../terminal/result.ts";

type Subcommand = { synopsis: string; run(argv: string[]): Promise<number> };

/** The longest name that fits is the one meant. */
const subcommands: Readonly<Record<string, Subcommand>> = {
  add: { synopsis: "add PARTNER --name NAME", run: addPartnerCommand },
  list: { synopsis: "list", run: listPartnersCommand },
  show: { synopsis: "show PARTNER", run: showPartnerCommand },
  "brand add": {
    synopsis: "brand add PARTNER BRAND --country DK --currency DKK --time-zone Europe/Copenhagen --locale da-DK",
    run: addBrandCommand,
  },
  "brand logo": {
    synopsis: "brand logo PARTNER BRAND FILE.png|FILE.jpg, or brand logo PARTNER BRAND --remove",
    run: setLogoCommand,
  },
  "brand set": { synopsis: "brand set PARTNER BRAND NAME=VALUE…", run: setBrandCommand },
  "login-key add": {
    synopsis: "login-key add PARTNER FILE [--algorithm RS256] [--kid KID] [--expires YYYY-MM-DD]",
    run: addLoginKeyCommand,
  },
  "login-key remove": { synopsis: "login-key remove PARTNER ID", run: removeLoginKeyCommand },
  "sftp-key add": {
    synopsis: "sftp-key add PARTNER FILE.pub [--comment TEXT] [--expires YYYY-MM-DD]",
    run: addSftpKeyCommand,
  },
  "sftp-key remove": { synopsis: "sftp-key remove PARTNER FINGERPRINT", run: removeSftpKeyCommand },
  "client-certificate add": {
    synopsis: "client-certificate add PARTNER FILE.pem [--issuer]",
    run: addClientCertificateCommand,
  },
  "client-certificate remove": {
    synopsis: "client-certificate remove PARTNER FINGERPRINT",
    run: removeClientCertificateCommand,
  },
  "allow-ip": { synopsis: "allow-ip PARTNER NETWORK… --door https|sftp [--remove]", run: allowNetworkCommand },
  "rotate-jwe-key": { synopsis: "rotate-jwe-key PARTNER [--overlap-days 30]", run: rotateBatchKeyCommand },
  credentials: {
    synopsis:
      "credentials PARTNER --out DIR [--base-url https://…] [--sftp-host H] [--sftp-port N] [--authority-file FILE]",
    // Alone among these it needs certificates and host keys, whose libraries are half of what all others read.
    run: async (argv) => await (await import("./credentials.ts")).writeCredentialsCommand(argv),
  },
  "pgp-key show": { synopsis: "pgp-key show PARTNER", run: showPgpKeyCommand },
  "rotate-pgp-key": { synopsis: "rotate-pgp-key PARTNER [--overlap-days 30]", run: rotatePgpKeyCommand },
  set: { synopsis: "set PARTNER NAME=VALUE…", run: setCommand },
  sessions: { synopsis: "sessions PARTNER", run: showSessionsCommand },
  disconnect: { synopsis: "disconnect PARTNER SESSION", run: disconnectCommand },
  endings: { synopsis: "endings", run: listEndingsCommand },
  suspend: { synopsis: "suspend PARTNER", run: suspendPartnerCommand },
  resume: { synopsis: "resume PARTNER", run: resumePartnerCommand },
  remove: { synopsis: "remove PARTNER --dry-run | --confirm PARTNER", run: removePartnerCommand },
};

export const usage = [
  ...Object.values(subcommands).map((one) => `tideline partner ${one.synopsis}`),
  "",
  "Each takes --data-dir DIR and --json. PARTNER is the id in the API's path and the SFTP user name.",
  "A partner whose door has no network is reachable from everywhere; the first one closes it to all others.",
  "credentials writes what the bank is handed: partner.json, ca.pem, jwe-public.jwk.json, openpgp-public.asc and known_hosts, public parts only.",
  "It names the ports of the service that runs, or ran last, on the data folder, and holds ca.pem against the door before it hands it over.",
  "After rotate-jwe-key senders find the new key in the JWKS; batches to the old one are opened until the overlap ends.",
  "sessions tells who is connected over SFTP and how much of its quotas a partner uses; disconnect ends one of these on whichever machine it is.",
  "endings is the calendar of keys and certificates of all partners, what ends first at first.",
  "remove takes a suspended partner away for good, with users, payments, deliveries, their bytes and keys; stopped, the same command goes on.",
  "pgp-key show prints the OpenPGP key for *.csv.pgp, .gpg and .asc files, which rotate-pgp-key makes; compare its fingerprint over another channel.",
  "",
  "Settings of `partner set` (an empty value takes a setting with a dot in its name back to its default):",
  ...alignColumns(
    Object.entries(partnerSettings).map(([name, setting]) => [`  ${name}`, setting.values, setting.meaning]),
  ),
  "",
  "Settings of `partner brand set`:",
  ...alignColumns(
    Object.entries(brandSettings).map(([name, setting]) => [`  ${name}`, setting.values, setting.meaning]),
  ),
].join("\n");

export async function run(argv: string[]): Promise<number> {
  for (const length of [2, 1]) {
    const name = argv.slice(0, length).join(" ");
    const found = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
    if (found) return await found.run(argv.slice(length));
  }
  return usageError(
    `There is no "tideline partner ${argv[0] ?? ""}"; there are ${Object.keys(subcommands).join(", ")}.`,
  );
}
