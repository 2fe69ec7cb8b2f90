/**
 * Whether a statement carries the key by which tables would be distributed over several servers, by the tree that
 * PostgreSQL's own parser makes of it. Each distributed table that it reads or writes must have its key equal to
 * something that is known before the table is looked at (a value, a list of values, a function's or a common table's
 * output), or to the key of another table of which that holds; whoever adds rows names the key, and whoever guards
 * against adding them twice does so by a constraint that has it.
 */
import { parseSync } from "libpg-query";
import type { Judged, Schema } from "./shapes.ts";
import { findAll, nameOfExpression, type Node, partsOf, qualified, textOf } from "./tree.ts";

/** A table, or what stands for one, at its place in a statement. */
type Place = {
  id: number;
  alias: string;
  name: string;
  /** Null: not known. */
  columns: readonly string[] | null;
  key: string | null;
  /** Of a subquery: what its columns are made of. */
  made: ReadonlyMap<string, Term> | null;
};

/** A column at its place, or whatever else: known before any table is looked at, or not. */
type Term = { place: Place; column: string } | "known" | "other";

type Level = { places: Place[]; outer: Level | null; commons: Map<string, readonly string[] | null> };

/** Statements that touch no rows of tables. */
const withoutRows = new Set([
  "TransactionStmt",
  "VariableSetStmt",
  "VariableShowStmt",
  "ListenStmt",
  "UnlistenStmt",
  "NotifyStmt",
  "DiscardStmt",
  "DeallocateStmt",
  "DropStmt",
  "ClosePortalStmt",
  "FetchStmt",
]);

/** Of PostgreSQL's own, which every table has. */
const systemColumns = new Set(["ctid", "xmin", "xmax", "tableoid"]);

/** @throws Error for what PostgreSQL would not parse either */
export function judge(text: string, schema: Schema): Judged {
  const judged: Judged = { distributed: [], others: [], problems: [] };
  for (const { stmt } of (parseSync(text) as { stmts?: { stmt: Node }[] }).stmts ?? [])
    new Statement(schema, judged).read(stmt);
  judged.distributed = [...new Set(judged.distributed)].sort();
  judged.others = [...new Set(judged.others)].sort();
  return judged;
}

class Statement {
  readonly #schema: Schema;
  readonly #judged: Judged;
  readonly #keyed: Place[] = [];
  readonly #parents = new Map<string, string>();
  #places = 0;

  constructor(schema: Schema, judged: Judged) {
    this.#schema = schema;
    this.#judged = judged;
  }

  read(statement: Node): void {
    this.#statement(statement, null, new Map());
    const unbound = this.#keyed.filter((place) => this.#find(keyOf(place)) !== this.#find(known));
    const groups = Map.groupBy(unbound, (place) => this.#find(keyOf(place)));
    for (const group of groups.values())
      this.#judged.problems.push(
        `nothing says which ${group[0]?.key} of ${[...new Set(group.map(({ name }) => name))].join(", ")}`,
      );
  }

  /** @returns the columns that it gives back, with what they are made of */
  #statement(statement: Node, outer: Level | null, commons: Level["commons"]): Map<string, Term> | null {
    const [kind = "", body] = Object.entries(statement)[0] ?? [];
    if (withoutRows.has(kind)) return null;
    const stated = body as Node;
    if (kind === "SelectStmt") return this.#select(stated, outer, commons);
    if (kind === "InsertStmt" || kind === "UpdateStmt" || kind === "DeleteStmt" || kind === "MergeStmt")
      return this.#change(kind, stated, outer, commons);
    if (kind === "CopyStmt") return this.#copy(stated);
    if (kind === "DeclareCursorStmt" || kind === "ExplainStmt" || kind === "PrepareStmt")
      return this.#statement(stated.query as Node, outer, commons);
    // Columns alone are asked for with no data.
    if (kind === "CreateTableAsStmt" && (stated.into as Node).skipData === true) return null;
    if (kind === "CreateTableAsStmt") return this.#statement(stated.query as Node, outer, commons);
    if (kind === "CreateStmt" && (stated.relation as Node | undefined)?.relpersistence === "t") return null;
    for (const range of findAll(stated, "RangeVar")) this.#whole(kind, String(range.relname));
    return null;
  }

  /** What takes a table as a whole. */
  #whole(kind: string, name: string): void {
    const relation = this.#schema.relations.get(name);
    if (relation === undefined) return;
    this.#judged[relation.key === null ? "others" : "distributed"].push(name);
    if (relation.key !== null) this.#judged.problems.push(`${kind} takes all of ${name}`);
  }

  #select(select: Node, outer: Level | null, given: Level["commons"]): Map<string, Term> | null {
    const commons = this.#commons(select.withClause as Node | undefined, outer, given);
    if (select.larg !== undefined && select.rarg !== undefined) {
      const sides = [select.larg, select.rarg].map((side) => this.#select(side as Node, outer, commons));
      return sides[0] === null || sides[0] === undefined
        ? null
        : new Map([...sides[0].keys()].map((name) => [name, "known" as const]));
    }
    const level: Level = { places: [], outer, commons };
    for (const from of (select.fromClause as Node[] | undefined) ?? []) this.#from(from, level);
    for (const clause of ["whereClause", "havingClause"]) this.#conditions(select[clause] as Node | undefined, level);
    for (const rest of ["targetList", "groupClause", "sortClause", "distinctClause", "windowClause", "valuesLists"])
      this.#within(select[rest], level);
    for (const rest of ["limitCount", "limitOffset"]) this.#within(select[rest], level);
    return this.#output(select.targetList as Node[] | undefined, level);
  }

  /** Common tables are worked out first: what they give back is known. */
  #commons(clause: Node | undefined, outer: Level | null, given: Level["commons"]): Level["commons"] {
    const commons = new Map(given);
    for (const one of (clause?.ctes as { CommonTableExpr: Node }[] | undefined) ?? []) {
      const { ctename, ctequery, aliascolnames } = one.CommonTableExpr;
      // A recursive one names itself.
      if (clause?.recursive === true) commons.set(String(ctename), null);
      const made = this.#statement(ctequery as Node, outer, commons);
      const named = ((aliascolnames as Node[] | undefined) ?? []).map(textOf);
      commons.set(String(ctename), named.length > 0 ? named : made === null ? null : [...made.keys()]);
    }
    return commons;
  }

  #from(from: Node, level: Level): Place[] {
    const [kind = "", body] = Object.entries(from)[0] ?? [];
    const item = body as Node;
    if (kind === "RangeVar") return [this.#table(item, level)];
    if (kind === "JoinExpr") {
      const left = this.#from(item.larg as Node, level);
      const right = this.#from(item.rarg as Node, level);
      for (const column of ((item.usingClause as Node[] | undefined) ?? []).map(textOf)) {
        const [one, other] = [left, right].map((side) => side.find((place) => hasColumn(place, column)));
        if (one !== undefined && other !== undefined) this.#equal({ place: one, column }, { place: other, column });
      }
      this.#conditions(item.quals as Node | undefined, level);
      return [...left, ...right];
    }
    const alias = (item.alias as Node | undefined) ?? {};
    const named = ((alias.colnames as Node[] | undefined) ?? []).map(textOf);
    if (kind === "RangeSubselect") {
      const beside: Level = item.lateral === true ? level : { places: [], outer: level.outer, commons: level.commons };
      const keyedBefore = this.#keyed.length;
      const made = this.#statement(item.subquery as Node, beside, level.commons);
      // Over no distributed table it is worked out first.
      const isKnown = this.#keyed.length === keyedBefore;
      const columns = named.length > 0 ? named : made === null ? null : [...made.keys()];
      const terms =
        made === null || columns === null || isKnown
          ? null
          : new Map(columns.map((name, at) => [name, [...made.values()][at] ?? "known"]));
      return [
        this.#place(level, {
          alias: String(alias.aliasname ?? ""),
          name: "a subquery",
          columns,
          key: null,
          made: terms,
        }),
      ];
    }
    // A function's output: rows out of parameters.
    this.#within(item, level);
    const name = String(alias.aliasname ?? "");
    const columns =
      named.length > 0
        ? named
        : item.coldeflist === undefined
          ? null
          : (item.coldeflist as Node[]).map((one) => String((one.ColumnDef as Node).colname));
    return [
      this.#place(level, {
        alias: name,
        name: "a function",
        columns: columns?.length === 1 && columns[0] !== name ? [...columns, name] : columns,
        key: null,
        made: null,
      }),
    ];
  }

  #table(range: Node, level: Level): Place {
    const name = range.schemaname === undefined ? String(range.relname) : qualified(range);
    const alias = String((range.alias as Node | undefined)?.aliasname ?? range.relname);
    const isCommon = level.commons.has(name);
    const relation = isCommon ? undefined : this.#schema.relations.get(name);
    if (relation !== undefined) this.#judged[relation.key === null ? "others" : "distributed"].push(name);
    const columns = isCommon ? (level.commons.get(name) ?? null) : (relation?.columns ?? null);
    return this.#place(level, { alias, name, columns, key: relation?.key ?? null, made: null });
  }

  #place(level: Level, place: Omit<Place, "id">): Place {
    const made = { ...place, id: (this.#places += 1) };
    level.places.push(made);
    if (made.key !== null) this.#keyed.push(made);
    return made;
  }

  #change(kind: string, change: Node, outer: Level | null, given: Level["commons"]): Map<string, Term> | null {
    const commons = this.#commons(change.withClause as Node | undefined, outer, given);
    const level: Level = { places: [], outer, commons };
    const target = this.#table(change.relation as Node, level);
    if (kind === "InsertStmt") this.#insert(change, target, level);
    if (kind === "MergeStmt") this.#from(change.sourceRelation as Node, level);
    for (const from of [change.fromClause, change.usingClause].flatMap(
      (clause) => (clause as Node[] | undefined) ?? [],
    ))
      this.#from(from, level);
    for (const clause of ["whereClause", "joinCondition"]) this.#conditions(change[clause] as Node | undefined, level);
    if (kind !== "InsertStmt") {
      const set = ((change.targetList as { ResTarget: Node }[] | undefined) ?? []).map(
        ({ ResTarget }) => ResTarget.name,
      );
      if (target.key !== null && set.includes(target.key))
        this.#judged.problems.push(`the ${target.key} of ${target.name} is changed`);
      this.#within(change.targetList, level);
    }
    const returning = (change.returningClause as Node | undefined)?.exprs ?? change.returningList;
    this.#within(returning, level);
    return returning === undefined ? null : this.#output(returning as Node[], level);
  }

  #insert(insert: Node, target: Place, level: Level): void {
    const { name, key } = target;
    const columns = ((insert.cols as { ResTarget: Node }[] | undefined) ?? []).map((one) => String(one.ResTarget.name));
    const all = columns.length > 0 ? columns : (target.columns ?? []);
    if (key !== null) {
      // Each row has the key that it is added with.
      this.#equal({ place: target, column: key }, "known");
      if (!all.includes(key)) this.#judged.problems.push(`rows of ${name} are added without ${key}`);
      this.#guard(insert.onConflictClause as Node | undefined, target);
    }
    if (insert.selectStmt !== undefined) this.#statement(insert.selectStmt as Node, level.outer, level.commons);
    const conflict = insert.onConflictClause as Node | undefined;
    if (conflict !== undefined) {
      this.#within(conflict.targetList, {
        ...level,
        places: [...level.places, { ...target, id: target.id, alias: "excluded" }],
      });
      this.#conditions(conflict.whereClause as Node | undefined, {
        ...level,
        places: [...level.places, { ...target, alias: "excluded" }],
      });
    }
  }

  #guard(conflict: Node | undefined, { name, key }: Place): void {
    const infer = (conflict?.infer as Node | undefined) ?? null;
    if (infer === null || key === null) return;
    const guarded =
      infer.conname === undefined
        ? ((infer.indexElems as { IndexElem: Node }[] | undefined) ?? []).map((one) => String(one.IndexElem.name))
        : (this.#schema.constraints.get(String(infer.conname)) ?? []);
    if (!guarded.includes(key))
      this.#judged.problems.push(`rows of ${name} are guarded by (${guarded.join(", ")}), without ${key}`);
  }

  #copy(copy: Node): null {
    if (copy.query !== undefined) this.#statement(copy.query as Node, null, new Map());
    if (copy.relation === undefined) return null;
    const name = String((copy.relation as Node).relname);
    const relation = this.#schema.relations.get(name);
    if (relation === undefined) return null;
    this.#judged[relation.key === null ? "others" : "distributed"].push(name);
    const columns = ((copy.attlist as Node[] | undefined) ?? []).map(textOf);
    if (relation.key !== null && copy.is_from !== true) this.#judged.problems.push(`all of ${name} is copied`);
    if (relation.key !== null && columns.length > 0 && !columns.includes(relation.key))
      this.#judged.problems.push(`rows of ${name} are copied without ${relation.key}`);
    return null;
  }

  /** What holds of every row that is meant. */
  #conditions(condition: Node | undefined, level: Level): void {
    if (condition === undefined) return;
    const [kind, body] = Object.entries(condition)[0] ?? [];
    const said = body as Node;
    if (kind === "BoolExpr" && said.boolop === "AND_EXPR")
      return (said.args as Node[]).forEach((one) => this.#conditions(one, level));
    this.#within(condition, level);
    if (kind === "A_Expr") this.#comparison(said, level);
    if (kind === "SubLink" && said.subLinkType === "ANY_SUBLINK" && said.operName === undefined)
      for (const side of partsOf(said.testexpr as Node)) this.#equal(this.#term(side, level), "known");
  }

  #comparison({ kind, name, lexpr, rexpr }: Node, level: Level): void {
    const operator = ((name as Node[] | undefined) ?? []).map(textOf).at(-1);
    if (operator !== "=") return;
    const [left, right] = [partsOf(lexpr as Node), partsOf(rexpr as Node)];
    if (kind === "AEXPR_OP" && left.length === right.length)
      return left.forEach((one, at) => this.#equal(this.#term(one, level), this.#term(right[at] as Node, level)));
    // One of several values: any of them is known.
    if (kind === "AEXPR_IN" || kind === "AEXPR_OP_ANY")
      for (const one of left) if (this.#isKnown(rexpr, level)) this.#equal(this.#term(one, level), "known");
  }

  #term(expression: Node, level: Level): Term {
    const [kind, body] = Object.entries(expression)[0] ?? [];
    if (kind === "TypeCast") return this.#term((body as Node).arg as Node, level);
    if (kind === "ColumnRef") return this.#column((body as Node).fields as Node[], level);
    return this.#isKnown(expression, level) ? "known" : "other";
  }

  /** Made of values, of what common tables and functions gave, or of a query of its own. */
  #isKnown(expression: unknown, level: Level): boolean {
    const columns = findAll(expression, "ColumnRef", "SubLink");
    return columns.every((one) => this.#asTerm(this.#column(one.fields as Node[], level)) === "known");
  }

  #asTerm(term: Term): "known" | "other" {
    if (typeof term === "string") return term;
    return this.#schema.relations.has(term.place.name) ? "other" : "known";
  }

  #column(fields: Node[], level: Level): Term {
    const names = fields.map((field) => ("A_Star" in field ? "*" : textOf(field)));
    const column = names.at(-1) ?? "";
    const alias = names.length > 1 ? names.at(-2) : undefined;
    for (let at: Level | null = level; at !== null; at = at.outer) {
      const place =
        alias === undefined
          ? (at.places.find((one) => one.columns !== null && hasColumn(one, column)) ??
            at.places.find((one) => one.columns === null))
          : at.places.find((one) => one.alias === alias);
      if (place !== undefined) return place.made?.get(column) ?? { place, column };
    }
    // A variable of the function in which the statement stands.
    return "known";
  }

  #equal(one: Term, other: Term): void {
    const [a, b] = [one, other].map((term) => this.#nameOf(term));
    if (a === null || b === null || a === undefined || b === undefined) return;
    const [rootOfA, rootOfB] = [this.#find(a), this.#find(b)];
    if (rootOfA === rootOfB) return;
    if (rootOfB === this.#find(known)) this.#parents.set(rootOfA, rootOfB);
    else this.#parents.set(rootOfB, rootOfA);
  }

  #nameOf(term: Term): string | null {
    if (term === "other") return null;
    if (term === "known" || this.#asTerm(term) === "known") return known;
    return `${term.place.id}.${term.column}`;
  }

  #find(name: string): string {
    const parent = this.#parents.get(name);
    return parent === undefined ? name : this.#find(parent);
  }

  /** Queries inside of expressions. */
  #within(expression: unknown, level: Level): void {
    for (const { subselect } of findAll(expression, "SubLink", "SelectStmt"))
      this.#statement(subselect as Node, level, level.commons);
  }

  #output(targets: Node[] | undefined, level: Level): Map<string, Term> | null {
    const made = new Map<string, Term>();
    for (const target of targets ?? []) {
      const { name, val } = target.ResTarget as { name?: string; val: Node };
      const fields = ((val.ColumnRef as Node | undefined)?.fields as Node[] | undefined) ?? null;
      if (fields?.some((field) => "A_Star" in field)) {
        const alias = fields.length > 1 ? textOf(fields[0] as Node) : undefined;
        const starred = level.places.filter((place) => alias === undefined || place.alias === alias);
        for (const place of starred) {
          if (place.columns === null) return null;
          for (const column of place.columns) made.set(column, place.made?.get(column) ?? { place, column });
        }
      } else made.set(name ?? nameOfExpression(val), this.#term(val, level));
    }
    return made;
  }
}

const known = "known";

function keyOf({ id, key }: Place): string {
  return `${id}.${key}`;
}

function hasColumn({ columns }: Place, column: string): boolean {
  return columns === null || columns.includes(column) || systemColumns.has(column);
}
