/**
 * What a page paints, in order, with what it is marked as: a page's content stream read operator by operator (ISO
 * 32000-1, 7.8.2 and annex A), as far as text, rectangles, lines and pictures need.
 */
export type Mark = { tag: string; mcid: number | null; type: string | null; subtype: string | null };
export type Colour = readonly [red: number, green: number, blue: number];
export type Painted = {
  kind: "text" | "shape" | "picture";
  /** Outermost first. */
  marks: readonly Mark[];
  colour: Colour;
  /** Where it begins; a shape's lower left corner. Points, from the lower left of the page. */
  x: number;
  y: number;
  width: number;
  height: number;
  /** Of text: its font's name among the resources, its size in points, and its codes, two bytes each. */
  font: string;
  size: number;
  codes: readonly number[];
  /** Of a picture: its name among the resources. */
  name: string;
};

type Token = { operator: string } | { operand: Operand };
type Operand = number | string | Operand[] | { name: string } | Map<string, Operand>;
type Matrix = readonly [number, number, number, number, number, number];
type State = { matrix: Matrix; fill: Colour; stroke: Colour };

const identity: Matrix = [1, 0, 0, 1, 0, 0];
const black: Colour = [0, 0, 0];

export function paintedOn(content: string): Painted[] {
  const painted: Painted[] = [];
  const marks: Mark[] = [];
  const saved: State[] = [];
  let state: State = { matrix: identity, fill: black, stroke: black };
  let [textMatrix, font, size] = [identity, "", 0];
  let path: { x: number; y: number; width: number; height: number }[] = [];
  const paint = (given: Partial<Painted> & Pick<Painted, "kind">) =>
    painted.push({
      marks: [...marks],
      colour: state.fill,
      x: 0,
      y: 0,
      width: 0,
      height: 0,
      font: "",
      size: 0,
      codes: [],
      name: "",
      ...given,
    });
  const operators: Record<string, (operands: Operand[]) => void> = {
    q: () => saved.push(state),
    Q: () => (state = saved.pop() ?? state),
    cm: (operands) => (state = { ...state, matrix: times(matrixOf(operands), state.matrix) }),
    scn: (operands) => (state = { ...state, fill: colourOf(operands) }),
    rg: (operands) => (state = { ...state, fill: colourOf(operands) }),
    g: (operands) => (state = { ...state, fill: colourOf(operands) }),
    SCN: (operands) => (state = { ...state, stroke: colourOf(operands) }),
    RG: (operands) => (state = { ...state, stroke: colourOf(operands) }),
    re: ([x, y, width, height]) => path.push(boxOf(state.matrix, num(x), num(y), num(width), num(height))),
    m: ([x, y]) => path.push(boxOf(state.matrix, num(x), num(y), 0, 0)),
    n: () => (path = []),
    BDC: ([tag, properties]) => marks.push(markOf(tag, properties)),
    BMC: ([tag]) => marks.push(markOf(tag, undefined)),
    EMC: () => marks.pop(),
    BT: () => (textMatrix = identity),
    Tf: ([name, points]) => ([font, size] = [nameOf(name), num(points)]),
    Tm: (operands) => (textMatrix = matrixOf(operands)),
    Do: ([name]) => paint({ kind: "picture", name: nameOf(name), ...boxOf(state.matrix, 0, 0, 1, 1) }),
  };
  for (const operator of ["f", "F", "f*", "B", "B*", "b", "b*", "S", "s"]) {
    operators[operator] = () => {
      for (const box of path) paint({ kind: "shape", colour: /s/i.test(operator) ? state.stroke : state.fill, ...box });
      path = [];
    };
  }
  for (const operator of ["Tj", "TJ", "'", '"']) {
    operators[operator] = (operands) => {
      const [, , , , x, y] = times(textMatrix, state.matrix);
      paint({ kind: "text", font, size, codes: codesOf(operands), x, y });
    };
  }
  let operands: Operand[] = [];
  for (const token of tokensOf(content)) {
    if ("operand" in token) operands.push(token.operand);
    else {
      operators[token.operator]?.(operands);
      operands = [];
    }
  }
  return painted;
}

function times(a: Matrix, b: Matrix): Matrix {
  return [
    a[0] * b[0] + a[1] * b[2],
    a[0] * b[1] + a[1] * b[3],
    a[2] * b[0] + a[3] * b[2],
    a[2] * b[1] + a[3] * b[3],
    a[4] * b[0] + a[5] * b[2] + b[4],
    a[4] * b[1] + a[5] * b[3] + b[5],
  ];
}

function boxOf(matrix: Matrix, x: number, y: number, width: number, height: number) {
  const corner = (dx: number, dy: number) => times([1, 0, 0, 1, x + dx, y + dy], matrix).slice(4);
  const [[x1 = 0, y1 = 0], [x2 = 0, y2 = 0]] = [corner(0, 0), corner(width, height)];
  return { x: Math.min(x1, x2), y: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) };
}

function num(operand: Operand | undefined): number {
  return typeof operand === "number" ? operand : 0;
}

function nameOf(operand: Operand | undefined): string {
  return typeof operand === "object" && "name" in operand ? operand.name : "";
}

function matrixOf(operands: readonly Operand[]): Matrix {
  const [a, b, c, d, e, f] = operands.map(num);
  return [a ?? 1, b ?? 0, c ?? 0, d ?? 1, e ?? 0, f ?? 0];
}

function colourOf(operands: readonly Operand[]): Colour {
  const [red = 0, green = red, blue = red] = operands.filter((one) => typeof one === "number");
  return [red, green, blue];
}

function markOf(tag: Operand | undefined, properties: Operand | undefined): Mark {
  const given = properties instanceof Map ? properties : new Map<string, Operand>();
  const mcid = given.get("MCID");
  return {
    tag: nameOf(tag),
    mcid: typeof mcid === "number" ? mcid : null,
    type: nameOf(given.get("Type")) || null,
    subtype: nameOf(given.get("Subtype")) || null,
  };
}

function codesOf(operands: readonly Operand[]): number[] {
  return operands
    .flatMap((operand) => (Array.isArray(operand) ? operand : [operand]))
    .flatMap((text) => (typeof text === "string" ? (text.match(/.{4}/g) ?? []) : []))
    .map((code) => Number.parseInt(code, 16));
}

/** Strings become hexadecimal digits, however they were written. */
const lexeme =
  /%[^\n]*|<<|>>|\[|\]|<([0-9A-Fa-f\s]*)>|\(((?:\\[\s\S]|[^\\()])*)\)|\/([^\s/<>[\]()%]*)|[^\s/<>[\]()%]+/g;

function* tokensOf(content: string): Generator<Token> {
  const open: (Operand[] | { pairs: Operand[] })[] = [];
  const put = (operand: Operand): Token | null => {
    const inner = open.at(-1);
    if (inner === undefined) return { operand };
    (Array.isArray(inner) ? inner : inner.pairs).push(operand);
    return null;
  };
  for (const [text, hex, literal, name] of content.matchAll(lexeme)) {
    let token: Token | null = null;
    if (text.startsWith("%")) continue;
    if (text === "[") open.push([]);
    else if (text === "<<") open.push({ pairs: [] });
    else if (text === "]") token = put((open.pop() as Operand[] | undefined) ?? []);
    else if (text === ">>") token = put(dictionaryOf((open.pop() as { pairs: Operand[] } | undefined)?.pairs ?? []));
    else if (hex !== undefined) token = put(hex.replace(/\s/g, ""));
    else if (literal !== undefined) token = put(Buffer.from(literal, "latin1").toString("hex"));
    else if (name !== undefined) token = put({ name });
    else if (/^[-+.\d]+$/.test(text)) token = put(Number(text));
    else token = { operator: text };
    if (token !== null) yield token;
  }
}

function dictionaryOf(pairs: readonly Operand[]): Map<string, Operand> {
  const found = new Map<string, Operand>();
  for (let at = 0; at + 1 < pairs.length; at += 2) found.set(nameOf(pairs[at]), pairs[at + 1]!);
  return found;
}
