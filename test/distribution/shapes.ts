/** What a statement is held against, and what is said of it. */

export type Relation = {
  columns: readonly string[];
  /** The column that rows are distributed by; null: the table is not distributed. */
  key: string | null;
};

export type Schema = {
  /** Tables and views by their names. */
  relations: ReadonlyMap<string, Relation>;
  /** Columns of constraints and unique indexes, by their names. */
  constraints: ReadonlyMap<string, readonly string[]>;
};

export type Judged = {
  /** Distributed tables that the statement touches. */
  distributed: string[];
  /** Others that exist in the schema. */
  others: string[];
  /** What is wrong with it; none: it carries the key throughout. */
  problems: string[];
};
