/** What commands that read files of records say of those that they could not use. */
import { countOf } from "../terminal/result.ts";
import type { LeftOut } from "../../payments/history-file.ts";

/** Nothing where none was. */
export function toldLeftOut({ count, first }: LeftOut): string[] {
  return count === 0 ? [] : [`${countOf(count, "record")} left out (${first})`];
}
