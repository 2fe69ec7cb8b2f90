/** A server's key is looked up in known_hosts by host and port, hashed and revoked entries included. */
import { createHmac } from "node:crypto";
import test from "ava";
import { knowsHostKey } from "../../src/client/known-hosts.ts";

const key = Buffer.from("a host key");
const listed = key.toString("base64");
const server = { host: "sftp.example", port: 2222 };

test("a listed key of that host and port is known", (t) => {
  t.true(knowsHostKey(`# comment\nother,[sftp.example]:2222 ssh-ed25519 ${listed}\n`, server, key));
  t.true(knowsHostKey(`sftp.example ssh-ed25519 ${listed} a comment`, { ...server, port: 22 }, key));
});

test("another key, host or port is not", (t) => {
  t.false(knowsHostKey(`[sftp.example]:2222 ssh-ed25519 ${listed}`, server, Buffer.from("another")));
  t.false(knowsHostKey(`[other.example]:2222 ssh-ed25519 ${listed}`, server, key));
  t.false(knowsHostKey(`sftp.example ssh-ed25519 ${listed}`, server, key));
  t.false(knowsHostKey("", server, key));
});

test("a revoked key is not", (t) => {
  t.false(knowsHostKey(`@revoked [sftp.example]:2222 ssh-ed25519 ${listed}`, server, key));
});

test("hashed names are compared by their hash", (t) => {
  const salt = Buffer.from("twenty bytes of salt");
  const hash = createHmac("sha1", salt).update("[sftp.example]:2222").digest("base64");
  t.true(knowsHostKey(`|1|${salt.toString("base64")}|${hash} ssh-ed25519 ${listed}`, server, key));
});
