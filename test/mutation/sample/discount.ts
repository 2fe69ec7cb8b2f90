/** A module of which the command's own tests make mutants: small enough that each of them can be named. */
export function hasDiscount(amount: number, isMember: boolean): boolean {
  return isMember && amount >= 100;
}
