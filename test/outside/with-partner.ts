/**
 * Runs a command beside a Tideline that was started and onboarded a bank as their operators do:
 *
 *   node test/outside/with-partner.ts COMMAND [ARGUMENT …]
 *
 * The command finds TIDELINE_URL, TIDELINE_PARTNER_FOLDER (partner.json, ca.pem, login.pem) and NODE_EXTRA_CA_CERTS in
 * its environment; its exit code is this one's.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { onboardPartner } from "./partner.ts";
import { prepareService } from "./service.ts";

const [command, ...parameters] = process.argv.slice(2);
if (command === undefined) throw new Error("which command?");

const service = await prepareService("beside", ["--no-demo"]);
try {
  await service.start();
  const partner = await onboardPartner(service, "contract", {
    id: "contract-dk",
    country: "DK",
    currency: "DKK",
    timeZone: "Europe/Copenhagen",
    locale: "da-DK",
  });
  // Tools that invent calls make many.
  await service.tideline("partner", "set", partner.id, "https.requestsPerMinute=100000");
  const child = spawn(command, parameters, {
    stdio: "inherit",
    env: {
      ...process.env,
      TIDELINE_URL: `https://localhost:${service.httpsPort}`,
      TIDELINE_PARTNER_FOLDER: partner.folder,
      NODE_EXTRA_CA_CERTS: path.join(partner.folder, "ca.pem"),
    },
  });
  const [code] = (await once(child, "close")) as [number | null];
  process.exitCode = code ?? 1;
} finally {
  await service.stop();
  await service.remove();
}
