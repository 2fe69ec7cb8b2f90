/** What an operator writes about a partner. Doors see it within a moment (partners.ts). */
import type { Logo } from "./settings/brand-logo.ts";
import type { TSchema } from "typebox";
import type { Queryable, Transaction } from "../database/database.ts";
import { Fault } from "../errors.ts";
import { type Described, fits } from "./settings/described.ts";
import { quotaSettings, retentionSettings } from "./settings/landing-rules.ts";
import { loginSettings } from "./settings/login-rules.ts";
import { letsGo, marksOutdated } from "./changed-users.ts";
import type { Brand } from "./partners.ts";

/**
 * Adds a partner, or renames the one that is there. @throws the database's check violation for an id that no URL
 * carries.
 */
export async function putPartner(database: Queryable, partner: { id: string; name: string }): Promise<void> {
  await database.query(
    `insert into partners (id, name)
     values ($1, $2)
     on conflict (id) do update set name = excluded.name`,
    [partner.id, partner.name],
  );
}

/** Adds a brand, or changes the one that is there. */
export async function putBrand(
  database: Queryable,
  partnerId: string,
  brand: Omit<Brand, "crowdsourcing" | "coapplicantsRequireMirror"> & { locale: string },
): Promise<void> {
  await database.query(
    `insert into brands (partner_id, id, country, currency, time_zone, locale)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (partner_id, id) do update
        set country = excluded.country,
            currency = excluded.currency,
            time_zone = excluded.time_zone,
            locale = excluded.locale`,
    [partnerId, brand.id, brand.country, brand.currency, brand.timeZone, brand.locale],
  );
}

/**
 * Keeps the settings that `features` does not name, and has the figures of the brand's users made again. A brand that
 * from now on looks at previews first keeps what is in force; one that no longer does has everything in force. The
 * caller owns the transaction. @param algorithmVersion the program's, which is what is in force then
 * @returns all of the brand's settings; null when there is no such brand.
 */
export async function changeBrandSettings(
  transaction: Transaction,
  partnerId: string,
  brandId: string,
  features: Readonly<Record<string, unknown>>,
  algorithmVersion: number,
): Promise<Record<string, unknown> | null> {
  const { rows } = await transaction.query<{ features: Record<string, unknown> }>(
    `with changed as (
       update brands
          set features = case when (features || $3) ->> 'recognitionRollout' is distinct from 'preview'
                              then (features || $3) - 'recognitionInForce'
                              when features ->> 'recognitionRollout' = 'preview' then features || $3
                              else features || $3 || jsonb_build_object('recognitionInForce', ${inForceOf("features", "$4::integer")}) end
        where partner_id = $1
          and id = $2
       returning features
     ),
     marked as (
       ${marksOutdated("id", "from users where partner_id = $1 and brand_id = $2 and deleted_at is null order by id")}
     ),
     let_go as (
       ${letsGo("users.partner_id = $1 and users.brand_id = $2 and exists (select 1 from changed where features ->> 'recognitionRollout' is distinct from 'preview')")}
     )
     select features from changed`,
    [partnerId, brandId, JSON.stringify(features), algorithmVersion],
  );
  return rows[0]?.features ?? null;
}

/** SQL: what a brand has in force while it looks at previews first. @param version as SQL */
function inForceOf(features: string, version: string): string {
  return `jsonb_build_object(
            'algorithmVersion', ${version},
            'askedPercent', ${features} -> 'recognitionAskedPercent',
            'visiblePercent', ${features} -> 'recognitionVisiblePercent')`;
}

/** Thresholds of confidence that a run was made with; null: as the brand says. */
export type PutInForce = { algorithmVersion: number; askedPercent: number | null; visiblePercent: number | null };

/**
 * Has a version of recognition and thresholds hold for brands, lets their users go who were held, and has the figures of
 * all of them made again. The caller owns the transaction. @param partnerId null: of every partner
 * @returns how many brands, and how many of their users were held
 */
export async function putRecognitionInForce(
  transaction: Transaction,
  partnerId: string | null,
  { algorithmVersion, askedPercent, visiblePercent }: PutInForce,
): Promise<{ brands: number; held: number }> {
  const set = {
    ...(askedPercent === null ? {} : { recognitionAskedPercent: askedPercent }),
    ...(visiblePercent === null ? {} : { recognitionVisiblePercent: visiblePercent }),
  };
  const { rows: brands } = await transaction.query<{ id: string }>(
    `update brands
        set features = features || $2 || case when features ->> 'recognitionRollout' = 'preview'
                                              then jsonb_build_object('recognitionInForce', ${inForceOf("(features || $2)", "$3::integer")})
                                              else '{}' end
      where $1::text is null or partner_id = $1
     returning id`,
    [partnerId, JSON.stringify(set), algorithmVersion],
  );
  await transaction.query(
    marksOutdated("id", "from users where ($1::text is null or partner_id = $1) and deleted_at is null order by id"),
    [partnerId],
  );
  const { rowCount } = await transaction.query(letsGo("($1::text is null or users.partner_id = $1)"), [partnerId]);
  return { brands: brands.length, held: rowCount ?? 0 };
}

/** @param logo null: none, so that reports print the brand's name. @returns whether there is such a brand. */
export async function putLogo(
  database: Queryable,
  partnerId: string,
  brandId: string,
  logo: Pick<Logo, "mediaType" | "bytes"> | null,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `update brands
        set logo = $3,
            logo_media_type = $4
      where partner_id = $1
        and id = $2`,
    [partnerId, brandId, logo?.bytes ?? null, logo?.mediaType ?? null],
  );
  return rowCount === 1;
}

/** Replaces the top-level settings that `changes` names and keeps the others. @throws Fault CONFIG_INVALID */
export async function changeSettings(
  database: Queryable,
  partnerId: string,
  changes: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (changes.login !== undefined && !fits(loginSettings, changes.login)) {
    throw new Fault(
      "CONFIG_INVALID",
      "settings.login may hold algorithms (RS256, PS256, ES256, EdDSA), brandClaim, issuer, audience and jti (required or optional).",
    );
  }
  const limits: readonly [string, Described<TSchema>][] = [
    ["quota", quotaSettings],
    ["retention", retentionSettings],
  ];
  for (const [name, schema] of limits) {
    if (changes[name] !== undefined && !fits(schema, changes[name]))
      throw new Fault("CONFIG_INVALID", `settings.${name} holds a value that is not allowed.`);
  }
  await database.query("update partners set settings = settings || $2 where id = $1", [
    partnerId,
    JSON.stringify(changes),
  ]);
}

/** Sets those settings that the partner does not have yet, in groups of them. */
export async function presetSettings(
  database: Queryable,
  partnerId: string,
  groups: Readonly<Record<string, object>>,
): Promise<void> {
  for (const [name, settings] of Object.entries(groups))
    await database.query(
      `update partners
          set settings = settings || jsonb_build_object($2::text, $3::jsonb || coalesce(settings -> $2, '{}'))
        where id = $1`,
      [partnerId, name, JSON.stringify(settings)],
    );
}

/** From now on every call to the partner's paths is answered as if there were no such partner. */
export async function suspendPartner(database: Queryable, partnerId: string): Promise<void> {
  await database.query("update partners set suspended_at = coalesce(suspended_at, now()) where id = $1", [partnerId]);
}

/** Takes a suspension back. */
export async function resumePartner(database: Queryable, partnerId: string): Promise<void> {
  await database.query("update partners set suspended_at = null where id = $1", [partnerId]);
}

/** The first allowed network of a door closes it to every other one. @param network CIDR notation. */
export async function allowNetwork(
  database: Queryable,
  partnerId: string,
  door: "https" | "sftp",
  network: string,
): Promise<void> {
  await database.query(
    `insert into allowed_networks (partner_id, door, network)
     values ($1, $2, $3)
     on conflict do nothing`,
    [partnerId, door, network],
  );
}

/** Closes the HTTPS door to all but these, where nobody has said anything about it yet. @param networks CIDR notation */
export async function presetNetworks(
  database: Queryable,
  partnerId: string,
  networks: readonly string[],
): Promise<void> {
  await database.query(
    `insert into allowed_networks (partner_id, door, network)
     select $1, 'https', network
       from unnest($2::cidr[]) as preset (network)
      where not exists (select 1 from allowed_networks where partner_id = $1 and door = 'https')`,
    [partnerId, networks],
  );
}

/** Without any network left, a door is open to every one again. @returns whether it was there. */
export async function disallowNetwork(
  database: Queryable,
  partnerId: string,
  door: "https" | "sftp",
  network: string,
): Promise<boolean> {
  const { rowCount } = await database.query(
    "delete from allowed_networks where partner_id = $1 and door = $2 and network = $3",
    [partnerId, door, network],
  );
  return rowCount === 1;
}
