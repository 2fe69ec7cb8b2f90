/**
 * A client certificate opens a partner's API where it or its issuer is registered, and nothing that only looks like it.
 */
import { X509Certificate } from "node:crypto";
import test from "ava";
import {
  addClientCertificate,
  certificateRule,
  fingerprintOf,
  listClientCertificates,
  removeClientCertificate,
} from "../../../src/partners/keys/client-certificates.ts";
import { parseSerials } from "../../../src/partners/settings/https-rules.ts";
import { addPartner } from "../../parties.ts";
import { clientUsage, issue, type Issued, serverUsage } from "../../machine/tls/certificates.ts";
import { createTestDatabase } from "../../world.ts";

const now = new Date();
const read = (...issued: Issued[]) => issued.map(({ cert }) => new X509Certificate(cert));
const one = (issued: Issued) => ({
  kind: "certificate" as const,
  fingerprint: fingerprintOf(new X509Certificate(issued.cert)),
  pem: issued.cert,
});
const issuer = (issued: Issued) => ({ ...one(issued), kind: "issuer" as const });

test("without a demand anything goes; optional lets those through who show none", async (t) => {
  const outsider = await issue("stranger");
  t.true(certificateRule("off", [])(read(outsider), now));
  t.true(certificateRule("optional", [])([], now));
  t.false(certificateRule("optional", [])(read(outsider), now));
  t.false(certificateRule("required", [])([], now));
});

test("a registered certificate is taken until it ends, another of the same name is not", async (t) => {
  const known = await issue("backend");
  const rule = certificateRule("required", [one(known)]);
  t.true(rule(read(known), now));
  t.false(rule(read(await issue("backend")), now));
  t.false(rule(read(known), new Date(now.getTime() + 31 * 86_400_000)));
  t.false(rule(read(known), new Date(now.getTime() - 2 * 86_400_000)));
});

test("an issuer vouches for what it signed, also through authorities that are sent along", async (t) => {
  const root = await issue("root", { authority: true });
  const middle = await issue("middle", { issuer: root, authority: true });
  const leaf = await issue("leaf", { issuer: middle, usages: [clientUsage] });
  const rule = certificateRule("required", [issuer(root)]);
  t.true(rule(read(await issue("direct", { issuer: root })), now));
  t.true(rule(read(leaf, middle), now));
  t.true(rule(read(leaf, middle, root), now));
  t.false(rule(read(leaf), now));
});

test("an issuer of the same name, a certificate that is no authority, and an ended authority vouch for nobody", async (t) => {
  const root = await issue("root", { authority: true });
  const rule = certificateRule("required", [issuer(root)]);
  const impostor = await issue("root", { authority: true });
  t.false(rule(read(await issue("leaf", { issuer: impostor }), impostor), now));
  const customer = await issue("customer", { issuer: root });
  t.false(rule(read(await issue("leaf", { issuer: customer }), customer), now));
  const ended = await issue("ended", { issuer: root, authority: true, fromDays: -30, toDays: -1 });
  t.false(rule(read(await issue("leaf", { issuer: ended }), ended), now));
});

test("a serial that was revoked ends a certificate, and an authority between it and its issuer, and nothing else", async (t) => {
  const root = await issue("root", { authority: true });
  const middle = await issue("middle", { issuer: root, authority: true });
  const [lost, kept] = [await issue("lost", { issuer: root }), await issue("kept", { issuer: root })];
  const below = await issue("below", { issuer: middle });
  const serial = (issued: Issued) => new X509Certificate(issued.cert).serialNumber;
  const rule = (...revoked: string[]) =>
    certificateRule("required", [issuer(root), one(lost)], revoked.flatMap(parseSerials));
  t.true(rule()(read(lost), now));
  t.false(rule(serial(lost))(read(lost), now), "though it is registered by itself, too");
  t.false(rule(`00:${serial(lost).toLowerCase()}`)(read(lost), now));
  t.false(rule(serial(lost))(read(lost, kept), now), "and another one behind it does not stand for it");
  t.true(rule(serial(lost))(read(kept), now));
  t.true(rule()(read(below, middle), now));
  t.false(rule(serial(middle))(read(below, middle), now));
  const optional = certificateRule("optional", [issuer(root)], parseSerials(serial(lost)));
  t.false(optional(read(lost), now));
  t.true(optional([], now));
});

test("serials are read as OpenSSL and browsers print them", (t) => {
  t.deepEqual(parseSerials("0A:FF, 0aff,1,00"), ["aff", "1", "0"]);
  for (const text of ["", "xyz", "1,,2", "a".repeat(41)])
    t.throws(() => parseSerials(text), { message: /^serial numbers in hexadecimal/ });
});

test("a server's certificate is no client's", async (t) => {
  const root = await issue("root", { authority: true });
  const rule = certificateRule("required", [issuer(root)]);
  t.false(rule(read(await issue("server", { issuer: root, usages: [serverUsage] })), now));
  t.true(rule(read(await issue("both", { issuer: root, usages: [serverUsage, clientUsage] })), now));
});

test("certificates are added, listed and removed by fingerprint in any form", async (t) => {
  const { database } = await createTestDatabase(t);
  const partnerId = await addPartner(database);
  const { cert } = await issue("backend");
  const added = await addClientCertificate(database, partnerId, "certificate", cert);
  t.like(added, { kind: "certificate", subject: "CN=backend" });
  t.deepEqual(await listClientCertificates(database, partnerId), [added]);
  const withColons = new X509Certificate(cert).fingerprint256;
  t.true(await removeClientCertificate(database, partnerId, withColons));
  t.false(await removeClientCertificate(database, partnerId, withColons));
});

test("what is no certificate, has ended or is no authority is refused", async (t) => {
  const { database } = await createTestDatabase(t);
  const partnerId = await addPartner(database);
  const refused = { code: "CONFIG_INVALID" };
  await t.throwsAsync(addClientCertificate(database, partnerId, "certificate", "not a certificate"), refused);
  await t.throwsAsync(
    issue("old", { fromDays: -30, toDays: -1 }).then(({ cert }) =>
      addClientCertificate(database, partnerId, "certificate", cert),
    ),
    refused,
  );
  await t.throwsAsync(
    issue("leaf").then(({ cert }) => addClientCertificate(database, partnerId, "issuer", cert)),
    refused,
  );
});
