/**
 * Schemas decide as they stand: no value is turned into another type, but the digits of a parameter into a number; and
 * a null in a body's optional field counts as absent.
 */
import { TypeBoxValidatorCompiler } from "@fastify/type-provider-typebox";
import type { FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { withoutOptionalNulls } from "./optional-nulls.ts";

/** What JavaScript counts exactly. */
const digits = /^-?\d{1,15}$/;

export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart, ...route }) => {
  if (httpPart === "body") {
    const validate = TypeBoxValidatorCompiler({ schema, ...route, httpPart });
    return (body: unknown) => validate(withoutOptionalNulls(schema, body));
  }
  // The type provider's own would read `limit=true` as 1, and walks through the schema with each call to do so.
  const compiled = Compile(schema);
  const numbers = Object.entries((schema as { properties?: Record<string, { type?: string }> }).properties ?? {})
    .filter(([, { type }]) => type === "integer")
    .map(([name]) => name);
  return (parameters: Record<string, unknown>) => {
    const value = { ...parameters };
    for (const name of numbers)
      if (typeof value[name] === "string" && digits.test(value[name])) value[name] = Number(value[name]);
    return compiled.Check(value) ? { value } : { error: compiled.Errors(value) as unknown as Error };
  };
};
