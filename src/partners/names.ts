/** What partners and brands may be called, and what else is told of a brand. Narrower than the schema's constraints. */
export const partnerNames = {
  id: {
    pattern: /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
    why: "has letters, digits, - and _, at most 64: it stands in addresses",
  },
  name: { pattern: /^.{1,200}$/u, why: "is missing, or too long" },
  brand: { pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, why: "has letters, digits, dots, - and _, at most 64" },
  country: { pattern: /^[A-Z]{2}$/, why: "is two capital letters, such as DK" },
  currency: { pattern: /^[A-Z]{3}$/, why: "is three capital letters, such as DKK" },
  locale: { pattern: /^[A-Za-z]{2,3}[-_]([A-Za-z]{2}|[0-9]{3})$/, why: "is like da-DK" },
} as const;
