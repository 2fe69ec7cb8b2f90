/** What must be there by a rule that types cannot say. An error of its own where the rule is broken, nothing silent. */

/** @param what is missing if it is: told in the error, so no user's data */
export function present<Value>(value: Value | null | undefined, what: string): Value {
  if (value === null || value === undefined) throw new Error(`${what} is missing`);
  return value;
}

/** Of a list that is not empty. */
export function firstOf<Item>(list: readonly Item[]): Item {
  return itemAt(list, 0);
}

/** Of a list that is not empty. */
export function lastOf<Item>(list: readonly Item[]): Item {
  return itemAt(list, list.length - 1);
}

/** At an index that is known to lie in the list. */
export function itemAt<Item>(list: readonly Item[], index: number): Item {
  if (!(index >= 0 && index < list.length)) throw new RangeError(`no item ${index} in a list of ${list.length}`);
  return list[index] as Item;
}
