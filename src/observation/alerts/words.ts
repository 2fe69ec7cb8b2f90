/** How an alert is put to a person. Pure. */
import type { Message } from "./table.ts";

type Told = Pick<Message, "kind" | "name" | "subject" | "severity" | "summary" | "since" | "createdAt">;

const beginnings = { firing: "", reminder: "still: ", recovered: "recovered: " } as const;

export function titleOf({ kind, name, subject, severity }: Told): string {
  const urgent = severity === "page" && kind !== "recovered" ? "!" : "";
  return `[Tideline${urgent}] ${beginnings[kind]}${name}${subject === "" ? "" : `: ${subject}`}`;
}

export function bodyOf({ kind, summary, since, createdAt }: Told): string {
  const from = `Since ${timeOf(since)}.`;
  if (kind === "recovered") return `It is over (${timeOf(createdAt)}).\n\nIt was: ${summary}\n${from}`;
  return `${summary}\n${from}`;
}

function timeOf(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
