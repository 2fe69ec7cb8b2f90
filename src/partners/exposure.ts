/**
 * Partners whose callers nothing at the network holds back: no list of networks, no certificate that they must show, no
 * signature that batches must have. Where the service is reached from beyond its machine they are not served, unless an
 * operator says that anybody may call.
 */
import type { Queryable } from "../database/database.ts";

export type Guards = {
  /** For the HTTPS door. */
  networks: number;
  certificateRequired: boolean;
  signaturesRequired: boolean;
};

export function isGuarded({ networks, certificateRequired, signaturesRequired }: Guards): boolean {
  return networks > 0 || certificateRequired || signaturesRequired;
}

/**
 * Partners that are in force, held back by nothing, and not said to be open to anybody: ids in order. Decided in SQL as
 * by isGuarded.
 */
export async function listUnguarded(database: Queryable): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    `select id
       from partners
      where suspended_at is null
        and settings -> 'https' -> 'openToAll' is distinct from 'true'
        and settings -> 'https' ->> 'clientCertificate' is distinct from 'required'
        and settings ->> 'signedBatches' is distinct from 'required'
        and not exists (select 1 from allowed_networks where partner_id = partners.id and door = 'https')
      order by id`,
  );
  return rows.map(({ id }) => id);
}
