/** What is changed in code, node by node. Each edit is one mutant; what it makes must still parse. */
import type { Argument, Expression, Node } from "oxc-parser";
import type { Edit } from "./edit.ts";
import { regularExpressionEdits } from "./pattern.ts";
import { isSql, sqlEdits } from "./sql.ts";

const swaps: Readonly<Record<string, readonly string[]>> = {
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
  "==": ["!="],
  "!=": ["=="],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "**": ["*"],
  "<<": [">>"],
  ">>": ["<<"],
  ">>>": ["<<"],
  "&": ["|"],
  "|": ["&"],
  "+=": ["-="],
  "-=": ["+="],
  "*=": ["/="],
  "/=": ["*="],
  "??=": ["="],
  "||=": ["&&="],
  "&&=": ["||="],
};

/** A call of the left is made one of the right. */
const siblings: Readonly<Record<string, string>> = {
  min: "max",
  max: "min",
  some: "every",
  every: "some",
  floor: "ceil",
  ceil: "floor",
  round: "floor",
  trunc: "round",
  startsWith: "endsWith",
  endsWith: "startsWith",
  find: "findLast",
  findLast: "find",
  findIndex: "findLastIndex",
  findLastIndex: "findIndex",
  indexOf: "lastIndexOf",
  lastIndexOf: "indexOf",
  toUpperCase: "toLowerCase",
  toLowerCase: "toUpperCase",
  trimStart: "trimEnd",
  trimEnd: "trimStart",
  push: "unshift",
  padStart: "padEnd",
  padEnd: "padStart",
};

/** A link of a chain that hands on something of the kind that it was given: it can be left out. */
const droppable: readonly string[] = [
  "filter",
  "sort",
  "toSorted",
  "reverse",
  "toReversed",
  "slice",
  "trim",
  "toLowerCase",
  "toUpperCase",
  "normalize",
  "replace",
  "replaceAll",
  "concat",
];

/** `Math.abs(x)` and its like are left out too: what they are given stays. */
const droppableOfMath: readonly string[] = ["abs", "sign", "round", "floor", "ceil", "trunc"];

/** Numbers from here on are limits and sizes: one more or less is rarely told apart by a test, and rarely a defect. */
const largeNumber = 1000;

/** @param text the whole module @param around the nodes around this one, outermost first */
export function editsOf(node: Node, around: readonly Node[], text: string): Edit[] {
  const whole = (replacement: string): Edit => ({ start: node.start, end: node.end, replacement });
  const of = (part: Node): string => text.slice(part.start, part.end);
  switch (node.type) {
    case "BinaryExpression":
      return isJoined(node.left, node.right) ? [] : operatorEdits(node, text);
    case "AssignmentExpression":
      return operatorEdits(node, text);
    case "LogicalExpression":
      return logicalEdits(node, text);
    case "ConditionalExpression":
      return [whole(`(${of(node.consequent)})`), whole(`(${of(node.alternate)})`)];
    case "IfStatement":
      return [...negated(node.test, of), replaced(node.test, "false")];
    case "WhileStatement":
      return [replaced(node.test, "false")];
    case "ForStatement":
      return node.test ? [replaced(node.test, "false")] : [];
    case "UnaryExpression":
      return ["!", "-", "~"].includes(node.operator) ? [whole(of(node.argument))] : [];
    case "UpdateExpression":
      return [whole(node.operator === "++" ? swapped(of(node), "++", "--") : swapped(of(node), "--", "++"))];
    case "ExpressionStatement":
      return isRemovable(node.expression, around) ? [whole(";")] : [];
    case "ReturnStatement":
      return node.argument ? [whole("return;")] : [];
    case "ContinueStatement":
    case "BreakStatement":
      return [whole(";")];
    case "CallExpression":
      return callEdits(node, text);
    case "ArrayExpression":
      return isBound(around) ? [] : listEdits(node.elements, text);
    case "ObjectExpression":
      return listEdits(node.properties, text).filter((edit) => text.startsWith("...", edit.start));
    case "TemplateLiteral":
      if (isText(around)) return [];
      if (isSql(text.slice(node.start + 1, node.end - 1))) return sqlEdits(text, node, node.expressions);
      return [whole('""')];
    case "Literal":
      return literalEdits(node, around, text);
    default:
      return [];
  }
}

function replaced(node: Node, replacement: string): Edit {
  return { start: node.start, end: node.end, replacement };
}

/** Comparisons have edits of their own that negate them, and so has `!`. */
function negated(test: Expression, of: (part: Node) => string): Edit[] {
  const isCovered =
    (test.type === "BinaryExpression" && swaps[test.operator]) ||
    (test.type === "UnaryExpression" && test.operator === "!");
  return isCovered ? [] : [replaced(test, `!(${of(test)})`)];
}

function operatorEdits(
  node: Extract<Node, { type: "BinaryExpression" | "AssignmentExpression" }>,
  text: string,
): Edit[] {
  const start = text.indexOf(node.operator, node.left.end);
  return (swaps[node.operator] ?? []).map((replacement) => ({ start, end: start + node.operator.length, replacement }));
}

/** Text that is put together is no sum. */
function isJoined(left: Node, right: Node): boolean {
  const isString = (node: Node): boolean =>
    node.type === "TemplateLiteral" ||
    (node.type === "Literal" && typeof node.value === "string") ||
    (node.type === "BinaryExpression" && isJoined(node.left, node.right));
  return isString(left) || isString(right);
}

/** The other operator; and each operand left out, of a chain one at a time. */
function logicalEdits(node: Extract<Node, { type: "LogicalExpression" }>, text: string): Edit[] {
  const { left, right, operator } = node;
  const start = text.indexOf(operator, left.end);
  const other = operator === "&&" ? "||" : "&&";
  // The right side may never have run as it stands, and decide with the other operator.
  const swapAt = (at: number): Edit => ({
    start: at,
    end: at + operator.length,
    replacement: other,
    decidedAt: left.start,
  });
  const swap = operator === "??" ? [] : [swapAt(start)];
  const isChain = left.type === "LogicalExpression" && left.operator === operator;
  const withoutLeft = isChain ? [] : [{ start: left.start, end: right.start, replacement: "" }];
  return [...swap, ...withoutLeft, { start: left.end, end: right.end, replacement: "" }];
}

function swapped(text: string, from: string, to: string): string {
  return text.replace(from, to);
}

/** Calls, assignments and counting; what a constructor owes its parent stays. */
function isRemovable(expression: Expression, around: readonly Node[]): boolean {
  // In the head of a loop it is no statement of its own.
  if (around.at(-1)?.type === "ForStatement") return false;
  const inner = expression.type === "AwaitExpression" ? expression.argument : expression;
  if (inner.type === "CallExpression") return inner.callee.type !== "Super";
  return (
    ["AssignmentExpression", "UpdateExpression", "ChainExpression"].includes(inner.type) ||
    (inner.type === "UnaryExpression" && inner.operator === "delete")
  );
}

function callEdits(node: Extract<Node, { type: "CallExpression" }>, text: string): Edit[] {
  const { callee } = node;
  if (callee.type !== "MemberExpression" || callee.computed || callee.property.type !== "Identifier") return [];
  const { name, start, end } = callee.property;
  const isMath = callee.object.type === "Identifier" && callee.object.name === "Math";
  const edits: Edit[] = [];
  const sibling = siblings[name];
  if (sibling) edits.push({ start, end, replacement: sibling });
  if (!isMath && droppable.includes(name)) edits.push({ start: callee.object.end, end: node.end, replacement: "" });
  const only = node.arguments[0];
  if (isMath && droppableOfMath.includes(name) && only)
    edits.push(replaced(node, `(${text.slice(only.start, only.end)})`));
  if (name === "slice") edits.push(...boundEdits(node.arguments, text));
  return edits;
}

/** The values of a statement's parameters: without one of them it fails before it does anything. */
function isBound(around: readonly Node[]): boolean {
  const call = around.at(-1);
  return (
    call?.type === "CallExpression" &&
    call.callee.type === "MemberExpression" &&
    call.callee.property.type === "Identifier" &&
    call.callee.property.name === "query"
  );
}

function boundEdits([from, to]: readonly Argument[], text: string): Edit[] {
  if (!from) return [];
  if (to)
    return [{ start: from.end, end: to.end, replacement: "" }, replaced(from, "0")].filter(
      (edit) => text.slice(edit.start, edit.end) !== edit.replacement,
    );
  return [];
}

/** Each member left out, with the comma behind or before it. A list of one is left empty. */
function listEdits(members: readonly (Node | null)[], text: string): Edit[] {
  return members
    .flatMap((member, at) => {
      if (!member) return [];
      const next = members[at + 1];
      const before = members[at - 1];
      if (next) return [{ start: member.start, end: next.start, replacement: "" }];
      if (before) return [{ start: before.end, end: member.end, replacement: "" }];
      return [replaced(member, "")];
    })
    .filter(({ start, end }) => text.slice(start, end).trim() !== "");
}

function literalEdits(node: Extract<Node, { type: "Literal" }>, around: readonly Node[], text: string): Edit[] {
  if ("regex" in node) return regularExpressionEdits(node.start, node.regex.pattern, node.regex.flags);
  if ("bigint" in node)
    return [...new Set([`${BigInt(node.bigint) + 1n}n`, `${BigInt(node.bigint) - 1n}n`])].map((one) =>
      replaced(node, inPlace(one)),
    );
  if (typeof node.value === "number")
    return numbersNear(node.value).map((value) => replaced(node, inPlace(String(value))));
  if (typeof node.value === "boolean") return [replaced(node, String(!node.value))];
  if (typeof node.value !== "string" || isText(around)) return [];
  if (around.at(-1)?.type === "ExpressionStatement") return [];
  if (isSql(node.value)) return sqlEdits(text, node, []);
  return [replaced(node, node.value === "" ? '"#"' : '""')];
}

function inPlace(number: string): string {
  return number.startsWith("-") ? `(${number})` : number;
}

function numbersNear(value: number): number[] {
  const near = Number.isInteger(value)
    ? value >= largeNumber
      ? [0, value * 2]
      : [value + 1, value - 1, value > 2 ? 0 : value + 1]
    : [0, value * 2, value / 2];
  return [...new Set(near)].filter((other) => other !== value && Number.isFinite(other));
}

/** Sentences for people who read an error: their wording is nobody's contract. */
function isText(around: readonly Node[]): boolean {
  return around.some((node) => {
    if (node.type === "ThrowStatement") return true;
    return (
      node.type === "NewExpression" &&
      node.callee.type === "Identifier" &&
      /(?:Error|Fault|Refusal|Violation)$/.test(node.callee.name)
    );
  });
}
