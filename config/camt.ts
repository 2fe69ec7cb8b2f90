/** Limits of banks' own XML files (camt.053, camt.054), each with its reason. */

/** The deepest path that the schemas allow has 14 elements; wrappers around the document a few more. */
export const elementDepthMax = 64;

/**
 * Details of one entry that are looked at: a payroll's or a shop's day has some thousands. An entry with more loads as
 * one payment, as if it had none.
 */
export const detailsMax = 20_000;

/** Elements of one entry that are kept: 50 for each of that many details. */
export const entryElementsMax = 1_000_000;
