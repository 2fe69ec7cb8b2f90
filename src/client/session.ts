/** What is done in one user's name: every operation of the interface that takes the user's token, by its operationId. */
import type { CallOptions } from "./call-options.ts";
import type { CallInput, Calls, OperationName } from "./calls.ts";
import { CallRefused } from "./failures.ts";
import { operations, type UserOperations } from "./generated/operations.ts";

export type UserSession = UserOperations & {
  readonly bankUserId: string;
  /** For calls that are made elsewhere; lives an hour. */
  readonly token: string;
};

const withoutToken: ReadonlySet<string> = new Set(["createUser", "logIn", "listEncryptionKeys", "pushTransactions"]);

/** Logs in again when the token has had its hour. @param logIn a fresh token */
export async function openSession(
  calls: Calls,
  bankUserId: string,
  logIn: () => Promise<string>,
): Promise<UserSession> {
  let token = await logIn();
  async function call(name: OperationName, given: Record<string, unknown>, options: CallOptions): Promise<unknown> {
    const { body, ...parameters } = given;
    const input: CallInput = { ...options, parameters, body };
    try {
      return await calls.call(name, { ...input, token });
    } catch (error) {
      if (!(error instanceof CallRefused && error.code === "TOKEN_INVALID")) throw error;
      token = await logIn();
      return await calls.call(name, { ...input, token });
    }
  }
  const names = (Object.keys(operations) as OperationName[]).filter((name) => !withoutToken.has(name));
  const methods = names.map((name) => [
    name,
    (parameters: Record<string, unknown> = {}, options: CallOptions = {}) => call(name, parameters, options),
  ]);
  return Object.defineProperties(Object.fromEntries(methods), {
    bankUserId: { value: bankUserId, enumerable: true },
    token: { get: () => token },
  }) as UserSession;
}
