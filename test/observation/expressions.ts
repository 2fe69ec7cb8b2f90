/** Which metrics a PromQL expression asks for, by Prometheus' own grammar. */
import { parser } from "@prometheus-io/lezer-promql";

/** @throws Error where it is no PromQL */
export function metricsOf(expression: string): string[] {
  const names: string[] = [];
  parser.parse(expression).iterate({
    enter({ type, name, from, to, node }) {
      if (type.isError) throw new Error(`no PromQL near ${from}: ${expression}`);
      if (name === "Identifier" && node.parent?.name === "VectorSelector") names.push(expression.slice(from, to));
    },
  });
  return names;
}

/** A histogram is asked for by its parts. */
export function familyOf(metric: string): string {
  return metric.replace(/_(bucket|count|sum)$/, "");
}

/** The families that an answer of /metrics declares. */
export function familiesIn(text: string): string[] {
  return [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = ""]) => name);
}
