/** Statements that are not said but called: bodies of functions, and definitions of views. */
import { parsePlPgSQLSync, parseSync } from "libpg-query";
import { judge } from "./carried.ts";
import type { Judged, Schema } from "./shapes.ts";
import { findAll, type Node, textOf } from "./tree.ts";

/** A function's body, whose parameters and variables are known. */
export function judgeFunction(language: string, definition: string, body: string, schema: Schema): Judged {
  if (language === "sql") return judge(body, schema);
  const texts = findAll(parsePlPgSQLSync(definition), "PLpgSQL_expr")
    .map((one) => String(one.query))
    .filter((text) => /^\s*(select|insert|update|delete|with)\b/i.test(text));
  const judged = texts.map((text) => judge(text, schema));
  return {
    distributed: [...new Set(judged.flatMap((one) => one.distributed))].sort(),
    others: [...new Set(judged.flatMap((one) => one.others))].sort(),
    problems: judged.flatMap((one) => one.problems),
  };
}

/** Names of functions that a statement calls. */
export function calledBy(text: string): string[] {
  return findAll(parseSync(text), "FuncCall").map(({ funcname }) => textOf((funcname as Node[]).at(-1) as Node));
}

/** The same of a view, whose rows are asked for by its own column of the key's name. */
export function judgeView(definition: string, key: string, schema: Schema): Judged {
  return judge(`select * from (${definition.replace(/;\s*$/, "")}) as asked where asked.${key} = $1`, schema);
}
