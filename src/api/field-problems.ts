/** What a validator found, as the places that a caller should mend. */
import type { FastifyError } from "fastify";
import type { FieldProblem } from "./problem.ts";

export type Finding = NonNullable<FastifyError["validation"]>[number];

/** One entry a place; a missing key is named by the place where it should be. */
export function fieldProblems(validation: readonly Finding[]): FieldProblem[] {
  const problems = new Map<string, string>();
  for (const { instancePath, params, message } of withoutOtherBranches(validation)) {
    const missing = params.requiredProperties;
    const names = Array.isArray(missing) ? missing.map(String) : [];
    if (names.length === 0) addFirst(problems, instancePath, message ?? "is not valid");
    for (const name of names) addFirst(problems, `${instancePath}/${escapePointer(name)}`, "is required");
  }
  return [...problems].map(([pointer, text]) => ({ pointer, message: text }));
}

/**
 * Where alternatives all fail, the caller meant one of them: what the others miss would lead to places that are right.
 */
function withoutOtherBranches(validation: readonly Finding[]): readonly Finding[] {
  // The validator tells of a choice after its branches, so inner choices are made before outer ones.
  return validation.filter(({ keyword }) => keyword === "anyOf").reduce(keepMeant, validation);
}

function keepMeant(findings: readonly Finding[], choice: Finding): readonly Finding[] {
  const prefix = `${choice.schemaPath}/anyOf/`;
  const isWithin = ({ schemaPath, instancePath }: Finding) =>
    schemaPath.startsWith(prefix) && `${instancePath}/`.startsWith(`${choice.instancePath}/`);
  const branches = Map.groupBy(
    findings.filter(isWithin),
    ({ schemaPath }) => schemaPath.slice(prefix.length).split("/", 1)[0],
  );
  const [meant] = [...branches.values()].toSorted((a, b) => misfit(a, choice) - misfit(b, choice));
  return meant ? findings.filter((one) => one !== choice && (!isWithin(one) || meant.includes(one))) : findings;
}

/** The fewer findings the better, and of another type altogether only where every branch is. */
function misfit(branch: readonly Finding[], { instancePath }: Finding): number {
  const isOtherType = branch.some((one) => one.keyword === "type" && one.instancePath === instancePath);
  return isOtherType ? Number.MAX_SAFE_INTEGER : branch.length;
}

function addFirst(problems: Map<string, string>, pointer: string, message: string): void {
  if (!problems.has(pointer)) problems.set(pointer, message);
}

/** RFC 6901, section 3. */
function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
