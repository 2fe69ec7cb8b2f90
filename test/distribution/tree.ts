/** Reading the tree that PostgreSQL's parser makes of a statement. */

export type Node = Record<string, unknown>;

export function qualified({ schemaname, relname }: Node): string {
  return schemaname === "public" ? String(relname) : `${String(schemaname)}.${String(relname)}`;
}

export function textOf(node: Node): string {
  return String((node.String as Node | undefined)?.sval ?? "");
}

/** Of a row its parts; of anything else itself. */
export function partsOf(expression: Node): Node[] {
  const row = expression.RowExpr as Node | undefined;
  return row === undefined ? [expression] : (row.args as Node[]);
}

/** As PostgreSQL calls a column that has no name of its own. */
export function nameOfExpression(expression: Node): string {
  const [kind, body] = Object.entries(expression)[0] ?? [];
  const said = body as Node;
  if (kind === "ColumnRef") return textOf((said.fields as Node[]).at(-1) as Node);
  if (kind === "TypeCast") return nameOfExpression(said.arg as Node);
  if (kind === "FuncCall") return textOf((said.funcname as Node[]).at(-1) as Node);
  return kind ?? "";
}

/** All nodes of a kind, but for those below a node of another. */
export function findAll(tree: unknown, kind: string, below?: string): Node[] {
  if (Array.isArray(tree)) return tree.flatMap((one) => findAll(one, kind, below));
  if (typeof tree !== "object" || tree === null) return [];
  return Object.entries(tree).flatMap(([name, value]) => {
    if (name === kind) return [value as Node];
    return name === below ? [] : findAll(value, kind, below);
  });
}
