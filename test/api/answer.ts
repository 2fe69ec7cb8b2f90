/** What a call was answered. */
import type { IncomingHttpHeaders } from "node:http";

export type Answer = { status: number; headers: IncomingHttpHeaders; text: string; json: unknown };
