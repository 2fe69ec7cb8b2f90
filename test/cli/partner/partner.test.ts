/** A bank is onboarded, changed, suspended and handed its folder by commands alone, each of them audited. */
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { createServer } from "node:tls";
import test from "ava";
import { run as runPartner } from "../../../src/cli/partner/partner.ts";
import { createClock } from "../../../src/time/clock.ts";
import { generateEd25519 } from "../../../src/landing/sftp/connection/key-pairs.ts";
import { findBatchKey, publicBatchKeys } from "../../../src/partners/keys/batch-keys.ts";
import { loadKeyEncryptionKey } from "../../../src/partners/keys/key-encryption-key.ts";
import { findLoginKeys } from "../../../src/partners/keys/login-keys.ts";
import { openAuthority } from "../../../src/machine/tls/authority.ts";
import { createPartnerDirectory } from "../../../src/partners/partners.ts";
import { findSftpPartner } from "../../../src/partners/keys/sftp-keys.ts";
import { drawnLogo } from "../../reports/logo.ts";
import { createTestDatabase } from "../../world.ts";
import { openCommandLine } from "../command.ts";

type Audit = { event: string; actor: string; partner_id: string; details: Record<string, unknown> };

test("a bank is onboarded by commands alone, and each is audited", async (t) => {
  const { url, database } = await createTestDatabase(t);
  const { tideline, dataDir } = await openCommandLine(t, url);
  const loginKey = path.join(dataDir, "login.pem");
  const sftpKey = path.join(dataDir, "sftp.pub");
  await writeFile(
    loginKey,
    generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ format: "pem", type: "spki" }),
  );
  const { publicKey } = await generateEd25519("nightly job");
  await writeFile(sftpKey, `${publicKey} nightly job\n`);

  const added = await tideline("partner", "add", "bank", "--name", "A Bank", "--json");
  t.is(added.code, 0, added.stderr);
  const { kid } = JSON.parse(added.stdout) as { kid: string };
  for (const parameters of [
    [
      "brand",
      "add",
      "bank",
      "bank-dk",
      "--country",
      "DK",
      "--currency",
      "DKK",
      "--time-zone",
      "Europe/Copenhagen",
      "--locale",
      "da-DK",
    ],
    ["login-key", "add", "bank", loginKey, "--kid", "login-1", "--expires", "2199-01-01"],
    ["sftp-key", "add", "bank", sftpKey],
    ["allow-ip", "bank", "10.0.0.0/8", "2001:db8::/32", "--door", "https"],
    [
      "set",
      "bank",
      "manifest=required",
      "allOrNothing=true",
      "login.algorithms=RS256,ES256",
      "login.issuer=https://bank.example",
    ],
  ]) {
    const ran = await tideline("partner", ...parameters);
    t.is(ran.code, 0, ran.stderr);
  }

  const keyEncryptionKey = await loadKeyEncryptionKey({ keyEncryptionKey: undefined, dataDir });
  t.truthy(await findBatchKey(database, keyEncryptionKey, "bank", kid, new Date()));
  const partner = await createPartnerDirectory(database, createClock()).find("bank");
  t.deepEqual(partner?.brands.get("bank-dk"), {
    id: "bank-dk",
    country: "DK",
    currency: "DKK",
    timeZone: "Europe/Copenhagen",
    crowdsourcing: true,
    coapplicantsRequireMirror: true,
  });
  t.deepEqual(partner?.loginRules, {
    algorithms: ["RS256", "ES256"],
    brandClaim: "brand",
    issuer: "https://bank.example",
    audience: null,
    requiresId: false,
  });
  t.true(partner?.mayCallFrom("10.1.2.3"));
  t.false(partner?.mayCallFrom("192.0.2.1"));
  t.is((await findSftpPartner(database, "bank"))?.keys.length, 1);

  const shown = JSON.parse((await tideline("partner", "show", "bank", "--json")).stdout) as {
    settings: object;
    loginKeys: object[];
  };
  t.deepEqual(shown.settings, {
    manifest: "required",
    allOrNothing: true,
    login: { algorithms: ["RS256", "ES256"], issuer: "https://bank.example" },
  });
  t.is(shown.loginKeys.length, 1);
  const { rows } = await database.query<Audit>(
    "select event, actor, partner_id, details from audit_events where event not like 'command.%' order by id",
  );
  t.deepEqual(
    rows.map((row) => row.event),
    [
      "partner.added",
      "partner.brand-added",
      "partner.login-key-added",
      "partner.sftp-key-added",
      "partner.network-allowed",
      "partner.settings-changed",
    ],
  );
  t.true(rows.every((row) => row.partner_id === "bank" && row.actor.startsWith("cli:")));
});

test("keys rotate with an overlap, partners are suspended and resumed, networks taken out", async (t) => {
  const { url, database } = await createTestDatabase(t);
  const { tideline, dataDir } = await openCommandLine(t, url);
  const kidOf = (ran: { stdout: string }) => (JSON.parse(ran.stdout) as { kid: string }).kid;
  const first = kidOf(await tideline("partner", "add", "bank", "--name", "A Bank", "--json"));
  const kids = async () => (await publicBatchKeys(database, "bank")).map((key) => key.kid);
  const [announced = ""] = (await kids()).slice(1);
  t.deepEqual(await kids(), [first, announced], "the next key is announced with the first");
  t.regex((await tideline("partner", "show", "bank")).stdout, new RegExp(`^next encryption key +${announced} *$`, "m"));
  const second = kidOf(await tideline("partner", "rotate-jwe-key", "bank", "--json"));
  t.is(second, announced, "what senders have seen announced becomes current");
  t.deepEqual((await kids()).slice(0, 1), [second]);
  t.is((await kids()).length, 2);
  t.false((await kids()).includes(first));
  const keyEncryptionKey = await loadKeyEncryptionKey({ keyEncryptionKey: undefined, dataDir });
  t.truthy(await findBatchKey(database, keyEncryptionKey, "bank", first, new Date()));
  const [, third = ""] = await kids();
  t.truthy(
    await findBatchKey(database, keyEncryptionKey, "bank", third, new Date()),
    "the next key opens batches before it is current",
  );
  // As a partner stands that was there before keys were announced.
  await database.query("delete from service_keys where is_next");
  await tideline("partner", "rotate-jwe-key", "bank", "--overlap-days", "0");
  t.is((await kids()).length, 2);
  t.is(await findBatchKey(database, keyEncryptionKey, "bank", second, new Date()), null);

  t.is((await tideline("partner", "suspend", "bank")).code, 0);
  t.is(await createPartnerDirectory(database, createClock()).find("bank"), null);
  t.regex((await tideline("partner", "list")).stdout, /^bank +A Bank +0 +0 +suspended$/m);
  t.is((await tideline("partner", "resume", "bank")).code, 0);
  t.truthy(await createPartnerDirectory(database, createClock()).find("bank"));

  await tideline("partner", "allow-ip", "bank", "10.0.0.0/8", "--door", "sftp");
  t.is((await tideline("partner", "allow-ip", "bank", "10.0.0.0/8", "--door", "sftp", "--remove")).code, 0);
  t.deepEqual((await findSftpPartner(database, "bank"))?.allowedNetworks, []);
});

test("a login key that is removed verifies nothing any more, and leaves its trace", async (t) => {
  const { url, database } = await createTestDatabase(t);
  const { tideline, dataDir } = await openCommandLine(t, url);
  await tideline("partner", "add", "bank", "--name", "A Bank");
  const file = path.join(dataDir, "login.pem");
  await writeFile(
    file,
    generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ format: "pem", type: "spki" }),
  );
  await tideline("partner", "login-key", "add", "bank", file);
  const [key] = (
    JSON.parse((await tideline("partner", "show", "bank", "--json")).stdout) as { loginKeys: { id: number }[] }
  ).loginKeys;
  t.is((await findLoginKeys(database, "bank", new Date())).length, 1);
  t.is((await tideline("partner", "login-key", "remove", "bank", String(key?.id))).code, 0);
  t.deepEqual(await findLoginKeys(database, "bank", new Date()), []);
  t.regex((await tideline("partner", "login-key", "remove", "bank", String(key?.id))).stderr, /NOT_FOUND/);
  const { rows } = await database.query("select details from audit_events where event = 'partner.login-key-removed'");
  t.deepEqual(rows, [{ details: { id: key?.id } }]);
});

test("what an operator gets wrong is refused and changes nothing", async (t) => {
  const { url, database } = await createTestDatabase(t);
  const { tideline, dataDir } = await openCommandLine(t, url);
  await tideline("partner", "add", "bank", "--name", "A Bank");
  // As the running service leaves it for commands: these then run in this process.
  await writeFile(path.join(dataDir, "postgres-url"), url);
  const before = await database.query(
    "select settings from partners union all select details from audit_events where event not like 'command.%'",
  );
  await writeFile(path.join(dataDir, "no-key"), "nonsense");
  const refusals: [parameters: string[], code: string, message: RegExp][] = [
    [["add", "not a url", "--name", "x"], "COMMAND_USAGE", /PARTNER "not a url" does not fit: it has letters, digits/],
    [["add", "other"], "COMMAND_USAGE", /--name is missing/],
    [["show", "nobody"], "NOT_FOUND", /There is no partner "nobody"/],
    [["suspend", "nobody"], "NOT_FOUND", /no partner/],
    [
      [
        "brand",
        "add",
        "bank",
        "b",
        "--country",
        "Denmark",
        "--currency",
        "DKK",
        "--time-zone",
        "Europe/Copenhagen",
        "--locale",
        "da-DK",
      ],
      "COMMAND_USAGE",
      /--country "\w+" does not fit: it is two capital letters/,
    ],
    [
      [
        "brand",
        "add",
        "bank",
        "b",
        "--country",
        "DK",
        "--currency",
        "DKK",
        "--time-zone",
        "Europe/Nowhere",
        "--locale",
        "da-DK",
      ],
      "COMMAND_USAGE",
      /--time-zone/,
    ],
    [["login-key", "add", "bank", path.join(dataDir, "no-key")], "COMMAND_USAGE", /neither a public key/],
    [["login-key", "add", "bank", "/nowhere"], "COMMAND_USAGE", /cannot be read/],
    [["sftp-key", "add", "bank", path.join(dataDir, "no-key")], "COMMAND_USAGE", /not one SSH public key/],
    [
      ["allow-ip", "bank", "10.0.0.1/8", "--door", "https"],
      "COMMAND_USAGE",
      /10\.0\.0\.1\/8 is an address within a network, which is 10\.0\.0\.0\/8/,
    ],
    [
      ["allow-ip", "bank", "10.0.0.0/33", "--door", "https"],
      "COMMAND_USAGE",
      /NETWORK must be an address or a network/,
    ],
    [["allow-ip", "bank", "10.0.0.0/8", "--door", "back"], "COMMAND_USAGE", /one of https, sftp/],
    [["rotate-jwe-key", "bank", "--overlap-days=-1"], "COMMAND_USAGE", /overlap-days/],
    [
      ["set", "bank", "colour=blue", "manifest=maybe", "login.algorithms=none"],
      "COMMAND_USAGE",
      /colour is not a setting.*manifest must be one of.*login\.algorithms must be one of/,
    ],
  ];
  for (const [parameters, code, message] of refusals) {
    await t.throwsAsync(runPartner([...parameters, "--data-dir", dataDir]), { code, message }, parameters.join(" "));
  }
  const after = await database.query(
    "select settings from partners union all select details from audit_events where event not like 'command.%'",
  );
  t.deepEqual(after.rows, before.rows);
});

test("an empty value takes a login setting back to its default", async (t) => {
  const { url } = await createTestDatabase(t);
  const { tideline } = await openCommandLine(t, url);
  await tideline("partner", "add", "bank", "--name", "A Bank");
  await tideline("partner", "set", "bank", "login.issuer=x", "login.audience=y");
  const { stdout } = await tideline("partner", "set", "bank", "login.issuer=", "login.brandClaim=b", "--json");
  t.deepEqual((JSON.parse(stdout) as { settings: object }).settings, { login: { audience: "y", brandClaim: "b" } });
});

test("a brand's logo is set from a file that a report can print, and taken away again", async (t) => {
  const { url, database } = await createTestDatabase(t);
  const { tideline, dataDir } = await openCommandLine(t, url);
  await tideline("partner", "add", "bank", "--name", "A Bank");
  const added = "--country DK --currency DKK --time-zone Europe/Copenhagen --locale da-DK".split(" ");
  await tideline("partner", "brand", "add", "bank", "bank-dk", ...added);
  const [good, bad] = [path.join(dataDir, "logo.png"), path.join(dataDir, "logo.svg")];
  await writeFile(good, drawnLogo.bytes);
  await writeFile(bad, "<svg/>");
  const stored = async () => {
    const { rows } = await database.query<{ logo: Buffer | null; type: string | null }>(
      "select logo, logo_media_type as type from brands",
    );
    return [rows[0]?.logo?.equals(drawnLogo.bytes) ?? null, rows[0]?.type];
  };
  const refused = await tideline("partner", "brand", "logo", "bank", "bank-dk", bad);
  t.regex(refused.stderr, /The logo .*logo\.svg is neither a PNG nor a JPEG\./);
  t.deepEqual(await stored(), [null, null]);
  const set = await tideline("partner", "brand", "logo", "bank", "bank-dk", good);
  t.is(set.code, 0, set.stderr);
  t.regex(set.stdout, /image\/png, 160 × 40 pixels/);
  t.deepEqual(await stored(), [true, "image/png"]);
  t.not((await tideline("partner", "brand", "logo", "bank", "none", good)).code, 0);
  t.is((await tideline("partner", "brand", "logo", "bank", "bank-dk", "--remove")).code, 0);
  t.deepEqual(await stored(), [null, null]);
});

test("a bank is handed a folder with addresses and public keys, and nothing private", async (t) => {
  const { url } = await createTestDatabase(t);
  const { tideline, dataDir } = await openCommandLine(t, url);
  await tideline("partner", "add", "bank", "--name", "A Bank");
  await tideline(
    "partner",
    "brand",
    "add",
    "bank",
    "bank-dk",
    "--country",
    "DK",
    "--currency",
    "DKK",
    "--time-zone",
    "Europe/Copenhagen",
    "--locale",
    "da-DK",
  );
  // Also of the programs underneath there is no word in the operator's terminal.
  t.like(await tideline("partner", "rotate-pgp-key", "bank"), { code: 0, stderr: "" });
  const out = path.join(dataDir, "for the bank");
  const ran = await tideline(
    "partner",
    "credentials",
    "bank",
    "--out",
    out,
    "--base-url",
    "https://tideline.example",
    "--sftp-host",
    "sftp.tideline.example",
    "--sftp-port",
    "2022",
  );
  t.is(ran.code, 0, ran.stderr);
  t.deepEqual((await readdir(out)).toSorted(), [
    "ca.pem",
    "jwe-public.jwk.json",
    "known_hosts",
    "openpgp-public.asc",
    "partner.json",
  ]);
  t.deepEqual(JSON.parse(await readFile(path.join(out, "partner.json"), "utf8")), {
    partnerId: "bank",
    brand: "bank-dk",
    brands: ["bank-dk"],
    baseUrl: "https://tideline.example",
    httpsPort: 443,
    sftpHost: "sftp.tideline.example",
    sftpPort: 2022,
    sftpUser: "bank",
  });
  t.regex(await readFile(path.join(out, "known_hosts"), "utf8"), /^\[sftp\.tideline\.example\]:2022 ssh-ed25519 /);
  t.false("d" in (JSON.parse(await readFile(path.join(out, "jwe-public.jwk.json"), "utf8")) as object));
  t.regex(ran.stdout, /Nobody answers at https:\/\/tideline\.example, so that ca\.pem is not tried\./);
  t.is((await tideline("partner", "credentials", "nobody", "--out", out)).code, 1);
  const bare = await tideline("partner", "credentials", "bank", "--out", out, "--base-url", "tideline.example");
  t.is(bare.code, 2);
  t.regex(bare.stderr, /--base-url must be an address such as/);
});

test("credentials name the ports of the service, and hold ca.pem against its door", async (t) => {
  const { url } = await createTestDatabase(t);
  const { tideline, dataDir } = await openCommandLine(t, url);
  await tideline("partner", "add", "bank", "--name", "A Bank");
  // As in a fleet: the door's authority lies in another data folder.
  const elsewhere = path.join(dataDir, "another data folder");
  const { cert, key, authority } = await openAuthority(elsewhere, [], new Date());
  const door = createServer({ cert, key }, (socket) => socket.on("error", () => undefined).end());
  door.on("tlsClientError", () => undefined);
  door.listen(0, "127.0.0.1");
  await once(door, "listening");
  t.teardown(() => door.close());
  const { port } = door.address() as AddressInfo;
  await writeFile(
    path.join(dataDir, "doors.json"),
    JSON.stringify({ baseUrl: `https://localhost:${port}`, sftpPort: 2023 }),
  );
  const out = path.join(dataDir, "for the bank");
  const refused = await tideline("partner", "credentials", "bank", "--out", out);
  t.is(refused.code, 2, refused.stdout);
  t.regex(refused.stderr, /would refuse the door at https:\/\/localhost:\d+/);
  await t.throwsAsync(readdir(out), { code: "ENOENT" });
  const authorityFile = path.join(elsewhere, "ca.pem");
  const given = await tideline("partner", "credentials", "bank", "--out", out, "--authority-file", authorityFile);
  t.is(given.code, 0, given.stderr);
  t.regex(given.stdout, new RegExp(`for https://localhost:${port} and SFTP at localhost port 2023`));
  t.is(await readFile(path.join(out, "ca.pem"), "utf8"), authority);
  t.like(JSON.parse(await readFile(path.join(out, "partner.json"), "utf8")), { httpsPort: port, sftpPort: 2023 });
  // On the folder whose authority signed the door's certificate nothing has to be said.
  await rm(path.join(dataDir, "tls"), { recursive: true });
  await cp(elsewhere, path.join(dataDir, "tls"), { recursive: true });
  t.is((await tideline("partner", "credentials", "bank", "--out", out)).code, 0);
  // A certificate of one's own is what clients see, whatever lies in the folder.
  const own = {
    TIDELINE_TLS_CERT_FILE: path.join(dataDir, "own.pem"),
    TIDELINE_TLS_KEY_FILE: path.join(dataDir, "own.key"),
  };
  const other = await openAuthority(path.join(dataDir, "third"), [], new Date());
  await writeFile(own.TIDELINE_TLS_CERT_FILE, other.cert);
  await writeFile(own.TIDELINE_TLS_KEY_FILE, other.key);
  const withOwn = await openCommandLine(t, url, { ...own, TIDELINE_DATA_DIR: dataDir });
  const wrong = await withOwn.tideline("partner", "credentials", "bank", "--out", out);
  t.is(wrong.code, 2, wrong.stdout);
});
