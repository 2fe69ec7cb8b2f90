/**
 * Partners and their brands, as the doors see them: one read, remembered for a moment, so that changes need no restart.
 */
import type { Clock } from "../time/clock.ts";
import type { Queryable } from "../database/database.ts";
import { runFor } from "../database/tenant.ts";
import { type CertificateKind, type CertificateRule, certificateRule } from "./keys/client-certificates.ts";
import { readRedirectPrefixes, readRequiresConfirmation } from "./settings/redirect-prefixes.ts";
import { readHttpsRules } from "./settings/https-rules.ts";
import { isGuarded } from "./exposure.ts";
import { type NetworkList, networkList } from "./network.ts";
import type { Revocation } from "./revocations.ts";
import { type LoginRules, readLoginRules } from "./settings/login-rules.ts";

export type Brand = {
  id: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** ISO 4217: the currency of every figure that its users see. */
  currency: string;
  /** IANA name: decides which business day it is. */
  timeZone: string;
  /** Whether its users may call transactions subscriptions. */
  crowdsourcing: boolean;
  /** Whether two applicants' budgets must name each other before they are linked. */
  coapplicantsRequireMirror: boolean;
};

export type Partner = {
  id: string;
  brands: ReadonlyMap<string, Brand>;
  loginRules: LoginRules;
  mayCallFrom: NetworkList;
  /** Whether only callers come this far whom the partner has named, by network or by certificate. */
  namesItsCallers: boolean;
  mayShow: CertificateRule;
  requestsPerMinute: number;
  /** Whether anything but the interface's own keys holds callers back, or an operator said that nothing need. */
  mayBeExposed: boolean;
  /** Below which a flow in a browser may end. */
  redirectPrefixes: readonly string[];
  /** Of tokens that would live still. */
  revocations: readonly Revocation[];
  /** Whether a bank that was connected counts only once the partner's app has confirmed it. */
  psd2RequiresConfirmation: boolean;
};

export type PartnerDirectory = {
  /** Null: unknown, suspended, or no partner id at all; callers treat the three alike. */
  find(partnerId: string): Promise<Partner | null>;
};

/** A changed setting is in force after at most this long, and a busy partner costs one read in this time. */
const rememberedMs = 1000;
/** Bounds the memory that made-up partner ids can take; real installations have tens. */
const rememberedMax = 1000;
/** As constraint partners_id_is_url_safe. */
const partnerIdPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

export function createPartnerDirectory(database: Queryable, clock: Clock): PartnerDirectory {
  const remembered = new Map<string, { until: number; partner: Promise<Partner | null> }>();
  return {
    find(partnerId) {
      if (!partnerIdPattern.test(partnerId)) return Promise.resolve(null);
      const now = clock.now().getTime();
      const known = remembered.get(partnerId);
      if (known && known.until > now) return known.partner;
      if (remembered.size >= rememberedMax) remembered.clear();
      // The read is every waiting call's, whichever of them began it.
      const partner = runFor({ partnerId, subject: null }, () => readPartner(database, partnerId));
      remembered.set(partnerId, { until: now + rememberedMs, partner });
      // A failed read answers those who wait for it and is not remembered.
      partner.catch(() => remembered.delete(partnerId));
      return partner;
    },
  };
}

type PartnerRow = {
  settings: object;
  brands: Brand[];
  networks: string[];
  certificates: { kind: CertificateKind; fingerprint: string; pem: string }[];
  revocations: Revocation[];
};

async function readPartner(database: Queryable, partnerId: string): Promise<Partner | null> {
  const { rows } = await database.query<PartnerRow>(
    `select p.settings,
            coalesce((select json_agg(json_build_object('id', b.id, 'country', b.country, 'currency', b.currency, 'timeZone', b.time_zone,
                                                      'crowdsourcing', b.features -> 'crowdsourcing' is distinct from 'false',
                                                      'coapplicantsRequireMirror', b.features -> 'coapplicantsRequireMirror' is distinct from 'false'))
                        from brands b
                       where b.partner_id = p.id), '[]') as brands,
            array(select n.network::text
                    from allowed_networks n
                   where n.partner_id = p.id
                     and n.door = 'https') as networks,
            coalesce((select json_agg(json_build_object('kind', c.kind, 'fingerprint', c.fingerprint, 'pem', c.pem))
                        from client_certificates c
                       where c.partner_id = p.id), '[]') as certificates,
            coalesce((select json_agg(json_build_object('subject', r.subject, 'revokedAt', floor(extract(epoch from r.revoked_at) * 1000)))
                        from token_revocations r
                       where r.partner_id = p.id), '[]') as revocations
       from partners p
      where p.id = $1
        and p.suspended_at is null`,
    [partnerId],
  );
  const row = rows[0];
  if (!row) return null;
  const { clientCertificate, openToAll, requestsPerMinute, revokedSerials } = readHttpsRules(row.settings);
  const guards = {
    networks: row.networks.length,
    certificateRequired: clientCertificate === "required",
    signaturesRequired: "signedBatches" in row.settings && row.settings.signedBatches === "required",
  };
  return {
    id: partnerId,
    brands: new Map(row.brands.map((brand) => [brand.id, brand])),
    loginRules: readLoginRules(row.settings),
    mayCallFrom: networkList(row.networks),
    namesItsCallers: row.networks.length > 0 || clientCertificate === "required",
    mayShow: certificateRule(clientCertificate, row.certificates, revokedSerials),
    requestsPerMinute,
    mayBeExposed: openToAll || isGuarded(guards),
    revocations: row.revocations,
    redirectPrefixes: readRedirectPrefixes(row.settings),
    psd2RequiresConfirmation: readRequiresConfirmation(row.settings),
  };
}
