/** What holds for a partner: brands, networks, settings. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { commandLineActor, recordAudit } from "../../partners/audit.ts";
import { type Logo, readLogo } from "../../partners/settings/brand-logo.ts";
import { readBrandSettings } from "../../partners/settings/brand-settings.ts";
import { partnerExists } from "../../partners/overview.ts";
import { allowNetwork, changeBrandSettings, disallowNetwork, putBrand, putLogo } from "../../partners/provisioning.ts";
import { applySettings } from "../../partners/settings/settings.ts";
import { productById } from "../../payments/catalogue.ts";
import { useCurrentProducts } from "../../recognition/product-edits.ts";
import { algorithmVersion } from "../../recognition/version.ts";
import { Fault } from "../../errors.ts";
import { commonOptions, configOf, oneOf, readArguments, required, usageError } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { printResult } from "../terminal/result.ts";
import { withSession } from "../service/session.ts";
import { assertPartner, changePartner, fitting, partnerOf } from "./change.ts";

export async function addBrandCommand(argv: string[]): Promise<number> {
  const text = { type: "string" } as const;
  const { values, positionals } = readArguments(argv, {
    ...commonOptions,
    country: text,
    currency: text,
    "time-zone": text,
    locale: text,
  });
  const partnerId = partnerOf(positionals);
  const brand = {
    id: fitting("brand", required(positionals[1], "BRAND"), "BRAND"),
    country: fitting("country", required(values.country, "--country"), "--country"),
    currency: fitting("currency", required(values.currency, "--currency"), "--currency"),
    timeZone: assertTimeZone(required(values["time-zone"], "--time-zone")),
    locale: fitting("locale", required(values.locale, "--locale"), "--locale"),
  };
  return await changePartner({ values, partnerId }, async (transaction) => {
    await assertPartner(transaction, partnerId);
    await putBrand(transaction, partnerId, brand);
    return {
      event: "partner.brand-added",
      details: { brand },
      lines: [
        `Brand ${brand.id} of ${partnerId}: ${brand.country}, ${brand.currency}, ${brand.timeZone}, ${brand.locale}.`,
      ],
    };
  });
}

/** Users of the brand see it as soon as their figures are made again, in the background. */
export async function setBrandCommand(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, commonOptions);
  const partnerId = partnerOf(positionals);
  const [, brandId, ...assignments] = positionals;
  const id = required(brandId, "BRAND");
  if (assignments.length === 0) usageError("NAME=VALUE is missing.");
  return await changePartner({ values, partnerId }, async (transaction) => {
    await assertPartner(transaction, partnerId);
    await useCurrentProducts(transaction);
    const features = readBrandSettings(assignments, (product) => productById(product) !== null);
    const settings = await changeBrandSettings(transaction, partnerId, id, features, algorithmVersion);
    if (settings === null) throw new Fault("NOT_FOUND", `${partnerId} has no brand "${id}".`);
    return {
      event: "partner.brand-changed",
      details: { brand: id, settings },
      lines: [`Settings of brand ${id}: ${JSON.stringify(settings)}`],
    };
  });
}

/** Reports that are made from now on bear it. */
export async function setLogoCommand(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    ...commonOptions,
    remove: { type: "boolean", default: false },
  });
  const partnerId = partnerOf(positionals);
  const [, brandId, file] = positionals;
  const id = required(brandId, "BRAND");
  if (values.remove && file !== undefined) usageError("--remove takes no FILE.");
  const logo = values.remove ? null : readLogoFile(required(file, "FILE"));
  return await changePartner({ values, partnerId }, async (transaction) => {
    await assertPartner(transaction, partnerId);
    if (!(await putLogo(transaction, partnerId, id, logo)))
      throw new Fault("NOT_FOUND", `${partnerId} has no brand "${id}".`);
    const told =
      logo === null
        ? null
        : {
            mediaType: logo.mediaType,
            width: logo.width,
            height: logo.height,
            sha256: createHash("sha256").update(logo.bytes).digest("hex"),
          };
    return {
      event: "partner.brand-logo-changed",
      details: { brand: id, logo: told },
      lines: [
        told === null
          ? `Reports of brand ${id} print its partner's name.`
          : `Reports of brand ${id} bear this logo: ${told.mediaType}, ${told.width} × ${told.height} pixels.`,
      ],
    };
  });
}

/** An address or a network; its bits behind the length are the database's to judge where it is IPv6. @throws Fault COMMAND_USAGE */
function assertNetwork(text: string): void {
  const [address = "", length, ...more] = text.split("/");
  const bits = isIP(address) === 4 ? 32 : 128;
  const isLength = length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits);
  if (isIP(address) === 0 || !isLength || more.length > 0)
    usageError(`NETWORK must be an address or a network such as 10.0.0.0/8, not "${text}".`);
  if (bits === 128 || length === undefined || length === "32") return;
  const value = address.split(".").reduce((sum, byte) => sum * 256 + Number(byte), 0);
  const size = 2 ** (32 - Number(length));
  const first = value - (value % size);
  const written = [24, 16, 8, 0].map((shift) => Math.floor(first / 2 ** shift) % 256).join(".");
  if (first !== value) usageError(`${text} is an address within a network, which is ${written}/${length}.`);
}

/** @throws Fault COMMAND_USAGE */
function readLogoFile(path: string): Logo {
  try {
    return readLogo(readFileSync(path));
  } catch (error) {
    throw new Fault("COMMAND_USAGE", `The logo ${path} ${error instanceof Error ? error.message : "cannot be read"}.`, {
      cause: error,
    });
  }
}

export async function allowNetworkCommand(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    ...commonOptions,
    door: { type: "string" },
    remove: { type: "boolean", default: false },
  });
  const partnerId = partnerOf(positionals);
  const door = oneOf(required(values.door, "--door"), ["https", "sftp"], "--door");
  const networks = positionals.slice(1);
  if (networks.length === 0) usageError("NETWORK is missing.");
  for (const network of networks) assertNetwork(network);
  return await changePartner({ values, partnerId }, async (transaction) => {
    await assertPartner(transaction, partnerId);
    for (const network of networks) {
      if (!values.remove) await allowNetwork(transaction, partnerId, door, network);
      else if (!(await disallowNetwork(transaction, partnerId, door, network)))
        throw new Fault("NOT_FOUND", `${network} is not among the networks of ${partnerId} for ${door}.`);
    }
    const event = values.remove ? "partner.network-removed" : "partner.network-allowed";
    return {
      event,
      details: { door, networks },
      lines: [
        `${networks.join(", ")} ${values.remove ? "no longer stands in" : "stands in"} the ${door} list of ${partnerId}.`,
      ],
    };
  });
}

export async function setCommand(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, commonOptions);
  const partnerId = partnerOf(positionals);
  const assignments = positionals.slice(1);
  if (assignments.length === 0) usageError("NAME=VALUE is missing.");
  return await withSession(configOf(values), async (session) => {
    if (!(await partnerExists(session.database, partnerId)))
      throw new Fault("NOT_FOUND", `There is no partner "${partnerId}".`);
    const settings = await applySettings(session.database, partnerId, assignments, (transaction, changes) =>
      recordAudit(transaction, commandLineActor(), { partnerId, event: "partner.settings-changed", details: changes }),
    );
    printResult(values.json, { partnerId, settings }, [`Settings of ${partnerId}: ${JSON.stringify(settings)}`]);
    return exitCode.done;
  });
}

function assertTimeZone(name: string): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return usageError(`--time-zone must be an IANA name such as Europe/Copenhagen, not "${name}".`);
  }
}
