/** Sign-ins that are under way at the identity provider: each ends once, in the browser that began it, or not at all. */
import type { Queryable } from "../../database/database.ts";
import { digest } from "./accounts.ts";

/** A person finds a second factor in it. */
const minutesMax = 10;

export type SignIn = { nonce: string; codeVerifier: string; goTo: string };

export async function keepSignIn(database: Queryable, state: string, cookie: string, signIn: SignIn): Promise<void> {
  await database.query("delete from console_sign_ins where created_at < now() - make_interval(mins => $1)", [
    minutesMax,
  ]);
  await database.query(
    `insert into console_sign_ins (state_sha256, cookie_sha256, nonce, code_verifier, go_to)
     values ($1, $2, $3, $4, $5)`,
    [digest(state), digest(cookie), signIn.nonce, signIn.codeVerifier, signIn.goTo],
  );
}

/** Null: it never began, it began in another browser, it is too old, or it has ended already. */
export async function takeSignIn(database: Queryable, state: string, cookie: string): Promise<SignIn | null> {
  const { rows } = await database.query<SignIn>(
    `delete from console_sign_ins
      where state_sha256 = $1
        and cookie_sha256 = $2
        and created_at > now() - make_interval(mins => $3)
      returning nonce, code_verifier as "codeVerifier", go_to as "goTo"`,
    [digest(state), digest(cookie), minutesMax],
  );
  return rows[0] ?? null;
}
