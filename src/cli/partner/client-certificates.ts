/** Client certificates that a partner's backend shows. */
import { addClientCertificate, removeClientCertificate } from "../../partners/keys/client-certificates.ts";
import { Fault } from "../../errors.ts";
import { commonOptions, readArguments, required } from "../terminal/arguments.ts";
import { assertPartner, changePartner, partnerOf } from "./change.ts";
import { readKeyFile } from "./keys.ts";

export async function addClientCertificateCommand(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    ...commonOptions,
    issuer: { type: "boolean", default: false },
  });
  const partnerId = partnerOf(positionals);
  const pem = await readKeyFile(positionals[1]);
  return await changePartner({ values, partnerId }, async (transaction) => {
    await assertPartner(transaction, partnerId);
    const known = await addClientCertificate(transaction, partnerId, values.issuer ? "issuer" : "certificate", pem);
    return {
      event: "partner.client-certificate-added",
      details: { kind: known.kind, fingerprint: known.fingerprint, subject: known.subject, expiresAt: known.expiresAt },
      lines: [
        `${partnerId} may call with ${known.kind === "issuer" ? "any certificate signed by" : ""} ${known.subject} until ${known.expiresAt.toISOString().slice(0, 10)}`.replace(
          "  ",
          " ",
        ),
        `SHA-256 ${known.fingerprint}`,
        "It counts once the service asks for certificates (TIDELINE_CLIENT_CERTIFICATES=ask) and the partner must show one (partner set https.clientCertificate=required).",
      ],
    };
  });
}

export async function removeClientCertificateCommand(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, commonOptions);
  const partnerId = partnerOf(positionals);
  const fingerprint = required(positionals[1], "FINGERPRINT");
  return await changePartner({ values, partnerId }, async (transaction) => {
    await assertPartner(transaction, partnerId);
    if (!(await removeClientCertificate(transaction, partnerId, fingerprint)))
      throw new Fault("NOT_FOUND", `${partnerId} has no client certificate ${fingerprint}; partner show lists them.`);
    return {
      event: "partner.client-certificate-removed",
      details: { fingerprint },
      lines: [`${partnerId} can no longer call with ${fingerprint}.`],
    };
  });
}
