/** A module of which the command's own tests make mutants: small enough that each of them can be named. */
export function discountOf(amount: number, isMember: boolean): number {
  return isMember && amount >= 100 ? amount / 10 : 0;
}
