/** Ports are tried before anything is started, so that a taken one costs a second and says its number. */
import { createServer } from "node:net";
import { Fault } from "../errors.ts";

/** @throws Fault PORT_TAKEN naming the flag that changes it. */
export async function assertPortFree(host: string, port: number, flag: string): Promise<void> {
  if (port === 0) return;
  await new Promise<void>((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => reject(portFault(error, host, port, flag)));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()));
  });
}

function portFault(error: NodeJS.ErrnoException, host: string, port: number, flag: string): Error {
  if (error.code === "EADDRINUSE")
    return new Fault("PORT_TAKEN", `Another program listens on ${host}:${port} (${flag}).`);
  if (error.code === "EACCES")
    return new Fault("CONFIG_INVALID", `${flag} ${port} needs more rights than this account has.`);
  if (error.code === "EADDRNOTAVAIL")
    return new Fault("CONFIG_INVALID", `--host ${host} is no address of this machine.`);
  return error;
}
