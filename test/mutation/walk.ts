/** Goes over the code of a module that runs: types, imports and what comes from them are left out. */
import { type Node, visitorKeys } from "oxc-parser";

/** What carries code under a type: of these only the expression is looked at. */
const typedExpressions: readonly string[] = [
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSNonNullExpression",
  "TSTypeAssertion",
  "TSInstantiationExpression",
];

/** Names other modules, and names of theirs: nothing in these is a decision. */
const wiring: readonly string[] = ["ImportDeclaration", "ExportAllDeclaration", "ExportSpecifier", "ImportExpression"];

/** Calls `visit` with each node and the nodes around it, outermost first. */
export function walk(
  node: Node,
  visit: (node: Node, around: readonly Node[]) => void,
  around: readonly Node[] = [],
): void {
  if (wiring.includes(node.type)) return;
  if (node.type.startsWith("TS") && !typedExpressions.includes(node.type)) return;
  if ("declare" in node && node.declare) return;
  visit(node, around);
  const inside = [...around, node];
  const keys = node.type.startsWith("TS") ? ["expression"] : (visitorKeys[node.type] ?? []);
  for (const key of keys) {
    if (isName(node, key)) continue;
    for (const child of childrenAt(node, key)) walk(child, visit, inside);
  }
}

/** Of `{ key: value }` and `a.key` the key is a name, no value; and so is what `export … from` names. */
function isName(node: Node, key: string): boolean {
  if (node.type === "Property" || node.type === "MethodDefinition" || node.type === "PropertyDefinition")
    return key === "key" && !node.computed;
  if (node.type === "ExportNamedDeclaration") return key === "source";
  return node.type === "MemberExpression" && key === "property" && !node.computed;
}

function childrenAt(node: Node, key: string): Node[] {
  const value: unknown = Object.entries(node).find(([name]) => name === key)?.[1];
  return (Array.isArray(value) ? value : [value]).filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
