/**
 * Why a cancellation may be aborted. Source: interface document, "Recurring payments". Apart from the schemas, so that
 * whoever offers them reads none.
 */
export const cancellationAbortReasons = [
  "USER_NOT_RESPONDING",
  "USER_ABORTED",
  "COMPANY_NOT_RESPONDING",
  "COMPANY_NOT_ACCEPTING",
  "COMPANY_CANNOT_FIND_SUBSCRIPTION",
  "USER_WRONG_INFORMATION_PROVIDED_MULTIPLE_TIMES",
  "BRANCH_UNKNOWN",
  "CONTINUATION_DEAL",
] as const;
