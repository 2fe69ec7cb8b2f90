/** How a setting's text becomes its value. Each throws an Error whose message completes "must be …". */
import { isIP } from "node:net";
import { readRedisAddress } from "./addresses.ts";

export function integer(low: number, high: number) {
  return (text: string): number => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < low || value > high)
      throw new Error(`a whole number from ${low} to ${high}`);
    return value;
  };
}

/** A word, or another value. */
export function or<Word extends string, Value>(word: Word, parse: (text: string) => Value) {
  return (text: string): Word | Value => {
    if (text === word) return word;
    try {
      return parse(text);
    } catch (error) {
      throw new Error(`${word} or ${error instanceof Error ? error.message : "another value"}`, { cause: error });
    }
  };
}

export function url(...protocols: string[]) {
  return (text: string): string => {
    const parsed = URL.canParse(text) ? new URL(text) : null;
    if (!parsed || !protocols.includes(parsed.protocol.slice(0, -1)))
      throw new Error(`an address starting with ${protocols.join(":// or ")}://`);
    return text;
  };
}

/** A bucket, and below it where everything lies. */
export function bucketAddress(text: string): string {
  url("s3")(text);
  const { hostname, pathname, search, username, port } = new URL(text);
  const isPlain = search === "" && username === "" && port === "" && !pathname.includes("//");
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(hostname) || !isPlain)
    throw new Error("a bucket's address such as s3://bucket/prefix");
  return text;
}

/** https; plain http where nobody is between: on this machine. */
export function providerAddress(text: string): string {
  const parsed = URL.canParse(text) ? new URL(text) : null;
  const isHere = parsed?.protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(parsed.hostname);
  if (parsed?.protocol !== "https:" && !isHere) throw new Error("an address starting with https://");
  return text;
}

/** label=value, separated by commas; a label may hold equals signs itself. */
export function valuesByLabel<Value>(parse: (text: string) => Value) {
  return (text: string): Readonly<Record<string, Value>> =>
    Object.fromEntries(
      text.split(",").map((pair) => {
        const at = pair.lastIndexOf("=");
        if (at < 1) throw new Error("labels with a value each, such as desk=operator, separated by commas");
        return [pair.slice(0, at).trim(), parse(pair.slice(at + 1).trim())];
      }),
    );
}

/** Of one Redis, or of the Sentinels that know the master. */
export function redisAddress(text: string): string {
  if (text.startsWith("redis+sentinel:")) readRedisAddress(text);
  else url("redis", "rediss", "redis+sentinel")(text);
  return text;
}

/** Addresses and networks in CIDR notation, separated by commas. */
export function networks(text: string): readonly string[] {
  const named = text.split(",").map((network) => network.trim());
  const isNetwork = (network: string): boolean => {
    const [address = "", prefix, ...more] = network.split("/");
    const bits = isIP(address) === 6 ? 128 : 32;
    return (
      isIP(address) !== 0 &&
      more.length === 0 &&
      (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits))
    );
  };
  if (!named.every(isNetwork)) throw new Error("networks such as 10.0.0.0/8, separated by commas");
  return named;
}

/** Beginnings and ends of names, with a star where the rest stands. */
export function namePatterns(text: string): readonly string[] {
  const named = text.split(",").map((pattern) => pattern.trim());
  if (!named.every((pattern) => /^([^*/]+\*|\*[^*/]+)$/.test(pattern)))
    throw new Error("patterns such as *.tmp or .*, separated by commas");
  return named;
}

export function day(text: string): string {
  const parsed = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  if (!parsed || Number.isNaN(parsed.getTime()) || parsed.toISOString().slice(0, 10) !== text)
    throw new Error("a day, YYYY-MM-DD");
  return text;
}

export function keyBytes(text: string): Buffer {
  const key = Buffer.from(text, "base64");
  if (key.length !== 32) throw new Error("32 bytes in base64, as from `openssl rand -base64 32`");
  return key;
}

export function keyList(text: string): Buffer[] {
  return text.split(",").map((one) => keyBytes(one.trim()));
}

/** Words between blanks, or a JSON array of texts where one of them holds a blank. */
export function commandWords(text: string): string[] {
  const words = text.trim().startsWith("[") ? parseOrNull(text) : text.trim().split(/\s+/);
  const isCommand = Array.isArray(words) && words.every((word) => typeof word === "string");
  if (!isCommand || words[0] === undefined || words[0] === "")
    throw new Error("a program and its parameters, or a JSON array of them");
  return words;
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function oneOf<Choice extends string>(choices: readonly Choice[]) {
  return (text: string): Choice => {
    const found = choices.find((choice) => choice === text);
    if (found === undefined) throw new Error(`one of ${choices.join(", ")}`);
    return found;
  };
}

export function anyText(text: string): string {
  if (text.trim() === "") throw new Error("not empty");
  return text;
}

/** One address without a name; what a mail server makes of it is its own. */
export function mailAddress(text: string): string {
  if (!/^[^\s@<>",]+@[^\s@<>",]+$/.test(text)) throw new Error("a mail address such as desk@bank.example");
  return text;
}

/** 24 to 64 bytes in base64, with or without its prefix. Source: the Standard Webhooks specification. */
export function webhookSecret(text: string): string {
  const key = Buffer.from(text.replace(/^whsec_/, ""), "base64");
  if (key.length < 24 || key.length > 64)
    throw new Error("24 to 64 bytes in base64, as from `openssl rand -base64 32`");
  return text;
}

/** event=value, separated by commas. */
export function eachNamed<Value>(parse: (text: string) => Value) {
  return (text: string): Readonly<Record<string, Value>> => {
    const pairs = text.split(",").map((pair) => pair.trim().split("="));
    return Object.fromEntries(
      pairs.map(([name = "", value = "", ...more]) => {
        if (!/^[a-z0-9]+\.[a-z0-9-]+$/.test(name) || more.length > 0)
          throw new Error("events with a value each, such as api.answered=value, separated by commas");
        try {
          return [name, parse(value)];
        } catch (error) {
          throw new Error(`for ${name} ${error instanceof Error ? error.message : "valid"}`, { cause: error });
        }
      }),
    );
  };
}

/** What a larger or smaller machine sets otherwise; nothing that a promise of the service rests on. */
const ofCapacity =
  /^(shared_buffers|huge_pages|temp_buffers|work_mem|hash_mem_multiplier|maintenance_work_mem|autovacuum_\w+|vacuum_\w+|effective_cache_size|effective_io_concurrency|maintenance_io_concurrency|io_\w+|random_page_cost|seq_page_cost|max_connections|max_worker_processes|max_parallel_\w+|max_wal_size|min_wal_size|wal_buffers|wal_compression|checkpoint_timeout|checkpoint_completion_target|bgwriter_\w+|commit_delay|commit_siblings|jit|max_slot_wal_keep_size)$/;

/** name=value, separated by commas: settings of PostgreSQL. */
export function postgresSettings(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(",").map((pair) => /^([a-z_]+)=([\w.-]+)$/.exec(pair.trim()));
  const settings: Record<string, string> = {};
  for (const found of pairs) {
    const [, name = "", value = ""] = found ?? [];
    if (!ofCapacity.test(name))
      throw new Error("settings of memory, connections, log size, planner or vacuum, such as shared_buffers=4GB");
    settings[name] = value;
  }
  return settings;
}
