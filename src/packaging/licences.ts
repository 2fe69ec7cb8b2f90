/** Who wrote what Tideline brings along, and under which terms: from the lockfile and the packages themselves. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

export type LicensedPackage = { name: string; version: string; licence: string; place: string };

/** How the MIT licence begins, where a package brings its text and not its name. */
const mitGrant = /Permission is hereby granted, free of charge, to any person/;

type LockedPackages = Readonly<Record<string, { version?: string; license?: string; dev?: boolean }>>;

/** Those that are installed to run Tideline, on any platform, by name. */
export async function licensedPackages(root: string): Promise<LicensedPackage[]> {
  const { packages } = JSON.parse(await readFile(path.join(root, "package-lock.json"), "utf8")) as {
    packages: LockedPackages;
  };
  const own = Object.entries(packages).filter(([place, { dev }]) => place !== "" && dev !== true);
  const named = own.map(async ([place, { version = "", license }]) => ({
    name: place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length),
    version,
    licence: license ?? (await olderLicence(path.join(root, place))),
    place,
  }));
  return (await Promise.all(named)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** As packages said it before SPDX, which the lockfile leaves out. */
async function olderLicence(folder: string): Promise<string> {
  const text = await readFile(path.join(folder, "package.json"), "utf8").catch(() => "{}");
  const { licenses = [] } = JSON.parse(text) as { licenses?: { type: string }[] };
  if (licenses.length > 0) return licenses.map(({ type }) => type).join(" or ");
  return mitGrant.test((await readLicence(folder)) ?? "") ? "MIT" : "";
}

/** One text with every package, and its licence in full where the package brings it. */
export async function licenceText(root: string, packages: readonly LicensedPackage[]): Promise<string> {
  const parts = await Promise.all(
    packages.map(async ({ name, version, licence, place }) => {
      const text = await readLicence(path.join(root, place));
      return `${"-".repeat(80)}\n${name} ${version}: ${licence}\n\n${text ?? "(No text in the package, or not for this platform.)"}\n`;
    }),
  );
  return `What Tideline brings along is by these authors, under these terms.\n\n${parts.join("\n")}`;
}

async function readLicence(folder: string): Promise<string | null> {
  const names = await readdir(folder).catch(() => []);
  const name = names.find((one) => /^(licen[cs]e|copying)/i.test(one));
  return name === undefined ? null : (await readFile(path.join(folder, name), "utf8")).trim();
}
