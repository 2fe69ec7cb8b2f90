/** The business day of all that is read. */
export const asOf = "2026-06-30";
