/** The sandbox bank as users choose it: a bank like any other, reached over HTTPS. */
import type { Bank } from "../../psd2/banks.ts";

export type SandboxAddress = {
  /** Where this server reaches itself, and by whose authority. */
  ownUrl: string;
  authority: string;
  /** Where users' browsers reach it. */
  publicUrl: string;
};

export function sandboxBank({ ownUrl, authority, publicUrl }: SandboxAddress): Bank {
  return {
    id: "sandbox",
    name: "Sandbox Bank",
    country: "",
    xs2aUrl: `${ownUrl}/sandbox-bank/psd2`,
    tokenUrl: `${ownUrl}/sandbox-bank/token`,
    authorizeUrl: `${publicUrl}/sandbox-bank/authorize`,
    clientId: "tideline",
    guard: { allowsPrivateAddresses: true, authority, clientCertificate: undefined },
  };
}
