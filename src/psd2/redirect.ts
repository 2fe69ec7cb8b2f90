/** Where a flow may end, and how its end is told. Pure. */

export type Psd2Status = "SUCCESS" | "ABORTED" | "UNKNOWN";

const loopback = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Whether an address lies below one of the registered ones: same scheme, host and port, and the path equal or below it.
 * So https://bank.example/app allows https://bank.example/app/done and neither /apple nor bank.example.evil.
 */
export function mayRedirectTo(address: string, prefixes: readonly string[]): boolean {
  const url = parse(address);
  if (url === null) return false;
  return prefixes.some((text) => {
    const prefix = parse(text);
    if (prefix === null || !isSameOrigin(url, prefix)) return false;
    const base = prefix.pathname.replace(/\/+$/, "");
    return url.pathname === base || url.pathname.startsWith(`${base}/`);
  });
}

/** A loopback address without a port stands for each of its ports: native apps take any free one (RFC 8252, 7.3). */
function isSameOrigin(url: URL, prefix: URL): boolean {
  const isLoopback = loopback.includes(prefix.hostname) && prefix.port === "";
  return isLoopback
    ? url.protocol === prefix.protocol && url.hostname === prefix.hostname
    : url.origin === prefix.origin;
}

/** Only the web's schemes, and no name or password that would disguise the host. */
function parse(address: string): URL | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const isWeb = url.protocol === "https:" || (url.protocol === "http:" && loopback.includes(url.hostname));
  return isWeb && url.username === "" && url.password === "" ? url : null;
}

/** Other parameters of the address stay as they are. @param confirmationCode null: nothing is to be confirmed */
export function withOutcome(address: string, status: Psd2Status, confirmationCode: string | null): string {
  const url = new URL(address);
  url.searchParams.set("psd2Status", status);
  if (confirmationCode !== null) url.searchParams.set("psd2Code", confirmationCode);
  return url.href;
}
