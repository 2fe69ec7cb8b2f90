/** What a setting is: its variable, flag, unit, default and reason, and how its text becomes its value. */

export type Knob<Value> = {
  readonly environment: string;
  readonly flag?: string;
  readonly unit: string;
  readonly reason: string;
  /** Never printed. */
  readonly secret?: true;
  readonly byDefault: Value;
  /** @throws Error whose message completes "must be …". */
  parse(text: string): Value;
};

export function knob<Value>(entry: Knob<Value>): Knob<Value> {
  return entry;
}
