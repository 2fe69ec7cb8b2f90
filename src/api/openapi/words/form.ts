/** How the words of schemas are written down. */

/** By the schema's name: what it is, and what its fields are that do not say so themselves. */
export type Words = Readonly<Record<string, readonly [about: string, fields: Readonly<Record<string, string>>]>>;
