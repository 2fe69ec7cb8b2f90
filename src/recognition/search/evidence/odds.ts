/** How evidence against several alternatives adds up. */

/** Log odds against either alternative: that of the likelier one, less when both are likely. */
export function bothOdds(a: number, b: number): number {
  return -Math.log(Math.exp(-a) + Math.exp(-b));
}
