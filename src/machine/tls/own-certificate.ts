/** A certificate of the operator's own, read from files that whatever renews it replaces. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Fault } from "../../errors.ts";

export type OwnCertificateFiles = { certificateFile: string; keyFile: string };
/** PEM texts: the certificate with its chain, and its private key. */
export type OwnCertificate = { cert: string; key: string };

/** @throws Fault CONFIG_INVALID when a file cannot be read, or the two do not belong together, or it has ended */
export async function readOwnCertificate({ certificateFile, keyFile }: OwnCertificateFiles): Promise<OwnCertificate> {
  // One after the other: of two that cannot be read, always the same one is told.
  const cert = await readText(certificateFile);
  const key = await readText(keyFile);
  const leaf = parse(certificateFile, () => new X509Certificate(cert));
  const privateKey = parse(keyFile, () => createPrivateKey(key));
  if (!leaf.checkPrivateKey(privateKey))
    throw new Fault("CONFIG_INVALID", `${keyFile} is not the key of ${certificateFile}.`);
  if (leaf.validToDate < new Date())
    throw new Fault("CONFIG_INVALID", `${certificateFile} ended on ${leaf.validToDate.toISOString().slice(0, 10)}.`);
  return { cert, key };
}

/** Calls back when both files tell another certificate; what is half written meanwhile is left for the next look. */
export function followOwnCertificate(
  files: OwnCertificateFiles,
  present: OwnCertificate,
  everyMs: number,
  renew: (certificate: OwnCertificate) => void,
  fail: (error: unknown) => void,
): () => void {
  let known = present;
  let failedWith = "";
  const look = async (): Promise<void> => {
    try {
      const found = await readOwnCertificate(files);
      if (found.cert !== known.cert || found.key !== known.key) renew((known = found));
      failedWith = "";
    } catch (error) {
      // Told once, not with every look.
      if (String(error) !== failedWith) fail(error);
      failedWith = String(error);
    }
  };
  const timer = setInterval(() => void look(), everyMs);
  return () => clearInterval(timer);
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new Fault("CONFIG_INVALID", `${file} cannot be read.`, { cause });
  }
}

function parse<Parsed>(file: string, read: () => Parsed): Parsed {
  try {
    return read();
  } catch (cause) {
    throw new Fault(
      "CONFIG_INVALID",
      `${file} is not what it should be: PEM texts of a certificate with its chain, and of its key without a passphrase.`,
      { cause },
    );
  }
}
