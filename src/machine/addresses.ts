/** From what the service listens on to what clients call. */
import { lookup } from "node:dns/promises";
import { isIPv6 } from "node:net";

/** Every address of the machine, in IPv4 and in both families. */
const wildcards = ["0.0.0.0", "::"];
/** What clients on this machine call localhost. */
const local = ["127.0.0.1", "localhost"];

/** @param host as --host names it. @returns where a client on this machine connects. */
export function reachableHost(host: string): string {
  return wildcards.includes(host) ? "127.0.0.1" : host;
}

/**
 * The one address to listen on. Of "localhost" Fastify opens a second server for the other family, which has neither the
 * first one's guard of connections nor its renewed certificates.
 * @param host as --host names it
 */
export async function listenedAddress(host: string): Promise<string> {
  if (host !== "localhost") return host;
  const found = await lookup(host, { all: true });
  return (found.find(({ family }) => family === 4) ?? found[0])?.address ?? "127.0.0.1";
}

/** The API's base address where no public one is configured. */
export function baseUrlOf(host: string, port: number): string {
  const reachable = reachableHost(host);
  return `https://${local.includes(reachable) ? "localhost" : inAddress(reachable)}:${port}`;
}

/** An IPv6 address stands in brackets beside a port (RFC 3986, 3.2.2), and so for scp and sftp. */
export function inAddress(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

/** The host of an address, an IPv6 one without its brackets. */
export function hostnameOf(url: string): string {
  return new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");
}

/** What the certificate must name: every host by which a client may call. */
export function certifiedHosts({ host, publicUrl }: { host: string; publicUrl?: string | undefined }): string[] {
  const listened = wildcards.includes(host) ? [] : [host];
  return publicUrl === undefined ? listened : [...listened, hostnameOf(publicUrl)];
}
