/** What PostgreSQL calls its refusals. Source: its documentation, appendix A, "PostgreSQL Error Codes". */
import { codeOf } from "./database.ts";

export const sqlStates = {
  characterNotInRepertoire: "22021",
  untranslatableCharacter: "22P05",
  invalidTextRepresentation: "22P02",
  foreignKeyViolation: "23503",
  uniqueViolation: "23505",
  checkViolation: "23514",
  invalidSchemaName: "3F000",
  deadlockDetected: "40P01",
  lockNotAvailable: "55P03",
  undefinedObject: "42704",
  undefinedFunction: "42883",
  undefinedTable: "42P01",
  statementTooComplex: "54001",
  queryCanceled: "57014",
} as const;

export type SqlStateName = keyof typeof sqlStates;

/** Whether the database refused a statement for one of these reasons. */
export function isSqlState(error: unknown, ...names: readonly SqlStateName[]): boolean {
  return error instanceof Error && names.some((name) => codeOf(error) === sqlStates[name]);
}

/** Class 22: a value that the database cannot take. */
export function isDataException(error: unknown): boolean {
  return error instanceof Error && /^22[0-9A-Z]{3}$/.test(codeOf(error));
}
