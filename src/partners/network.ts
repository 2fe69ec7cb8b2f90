/** Which network addresses may call: lists of networks in CIDR notation, IPv4 and IPv6. */
import { BlockList, isIPv4, isIPv6 } from "node:net";

/** Answers whether an address (as a socket reports it) is allowed. */
export type NetworkList = (address: string) => boolean;

/**
 * @param networks CIDR texts as Postgres prints them ("10.0.0.0/8", "2001:db8::/32"); an empty list allows every
 * address.
 */
export function networkList(networks: readonly string[]): NetworkList {
  if (networks.length === 0) return () => true;
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    const family = familyOf(address);
    list.addSubnet(address, prefix === undefined ? (family === "ipv6" ? 128 : 32) : Number(prefix), family);
  }
  return (address) => {
    const plain = withoutMapping(address);
    return list.check(plain, familyOf(plain));
  };
}

/** As networkList, and an empty list holds nobody: for rights that must be given. */
export function namedNetworks(networks: readonly string[]): NetworkList {
  return networks.length === 0 ? () => false : networkList(networks);
}

/** Whether only this machine reaches what listens there (RFC 1122, 3.2.1.3; RFC 4291, 2.5.3). */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}

/**
 * A dual-stack socket reports IPv4 callers as ::ffff:192.0.2.1 (RFC 4291, 2.5.5.2); lists are written for 192.0.2.1.
 */
function withoutMapping(address: string): string {
  return address.startsWith("::ffff:") && address.includes(".") ? address.slice("::ffff:".length) : address;
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIPv6(address) ? "ipv6" : "ipv4";
}

/** One IPv6 customer has at least a /64 (RFC 6177): counted by single addresses, it would never fail twice. */
export function neighbourhoodOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.split("%")[0]?.split("::") ?? [];
  const groupsOf = (part: string | undefined) => (part === undefined || part === "" ? [] : part.split(":"));
  const [front, back] = [groupsOf(head), groupsOf(tail)];
  const middle =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => "0");
  return `${[...front, ...middle, ...back]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
