/** `tideline tokens`: ends tokens before their hour is over. */
import { Fault } from "../../errors.ts";
import { revokeTokens } from "../../partners/revocations.ts";
import { findLiveUser } from "../../partners/users.ts";
import { assertPartner, changePartner } from "../partner/change.ts";
import { commonOptions, readArguments, usageError } from "../terminal/arguments.ts";

export const usage = `
tideline tokens revoke --partner P [--user BANK-USER-ID]

Ends all tokens of the user, or of every user of the partner, that were made until now, within a second; login JWTs that
the partner signed until now log nobody in any more (one without iat counts as signed ten minutes before its exp). Users
log in again as before: if it was the partner's login key that leaked, take that away first (partner login-key remove).

Takes --data-dir DIR and --json.
`;

export async function run(argv: string[]): Promise<number> {
  const [verb = "", ...rest] = argv;
  if (verb !== "revoke") usageError(`There is no "tideline tokens ${verb}"; there is revoke.`);
  const text = { type: "string" } as const;
  const { values, positionals } = readArguments(rest, { ...commonOptions, partner: text, user: text });
  const { partner, user } = values;
  if (partner === undefined || positionals.length > 0) usageError("Say --partner P, and perhaps --user BANK-USER-ID.");
  return await changePartner({ values, partnerId: partner }, async (transaction) => {
    await assertPartner(transaction, partner);
    const now = new Date();
    const found = user === undefined ? null : await findLiveUser(transaction, partner, user);
    if (user !== undefined && found === null)
      throw new Fault("NOT_FOUND", `Partner "${partner}" has no user "${user}".`);
    await revokeTokens(transaction, partner, found, now);
    const whose = user === undefined ? `every user of ${partner}` : `${user} of ${partner}`;
    return {
      event: "tokens.revoked",
      // Our number and not the bank's id: after an erasure it points to nobody.
      details: { userIds: found === null ? null : [found.id], until: now.toISOString() },
      lines: [`Tokens of ${whose} made until ${now.toISOString()} are ended.`],
    };
  });
}
