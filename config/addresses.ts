/** What addresses of servers say besides where they lead: that of the database of a pooler, that of Redis of Sentinels. */

/** Told by the operator, as other clients of PostgreSQL have it: no connection can see it at its beginning. */
export const poolerMark = "pooler";

export type Address = { url: string; isPooled: boolean };

/** @returns the address as pg takes it, and whether it leads through a pooler in transaction mode */
export function readAddress(url: string): Address {
  // An address that is no URL is pg's to refuse.
  if (!URL.canParse(url)) return { url, isPooled: false };
  const parsed = new URL(url);
  if (!parsed.searchParams.has(poolerMark)) return { url, isPooled: false };
  const isPooled = parsed.searchParams.get(poolerMark) === "transaction";
  parsed.searchParams.delete(poolerMark);
  return { url: parsed.href, isPooled };
}

export type RedisAddress =
  | { url: string }
  | {
      sentinels: { host: string; port: number }[];
      /** The Sentinels' name of the master. */
      name: string;
      username?: string;
      password?: string;
      db: number;
    };

const sentinelScheme = "redis+sentinel:";
const sentinelPort = 26_379;

/**
 * `redis://…` and `rediss://…` as they are; `redis+sentinel://user:password@host:26379,host:26379/NAME?db=0` names the
 * Sentinels that know which Redis is the master now. User and password are those of Redis.
 * @throws Error whose message completes "must be …"
 */
export function readRedisAddress(text: string): RedisAddress {
  if (!text.startsWith(sentinelScheme)) return { url: text };
  const form = "redis+sentinel://host:26379,host:26379/NAME";
  const found = /^redis\+sentinel:\/\/(?:([^@/]*)@)?([^/?]+)\/([^/?]+)(?:\?db=(\d{1,3}))?$/.exec(text);
  if (!found) throw new Error(form);
  const [, user = "", hosts = "", name = "", db = "0"] = found;
  const [username = "", password = ""] = user.split(":").map(decodeURIComponent);
  const sentinels = hosts.split(",").map((one) => {
    const [, host = "", port] = /^(\[[0-9a-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i.exec(one) ?? [];
    if (host === "") throw new Error(form);
    return { host: host.replace(/^\[|\]$/g, ""), port: port === undefined ? sentinelPort : Number(port) };
  });
  return {
    sentinels,
    name: decodeURIComponent(name),
    ...(username === "" ? {} : { username }),
    ...(password === "" ? {} : { password }),
    db: Number(db),
  };
}
