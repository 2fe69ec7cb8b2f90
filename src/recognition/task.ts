/** What a thread is asked about recognition, and what it answers: plain data. */
import type { Day } from "../time/calendar.ts";
import type { StageTimes } from "./stages.ts";
import type { Changes } from "./services/changes.ts";

/** Recognise users whose data changed, oldest change first. */
export type RecogniseTask = {
  /** How many users at most, in one database transaction. */
  usersMax: number;
  /** Only users untouched for this long, so that a running import is not recognised after each batch. */
  settledMs: number;
  /** Only this user, whether changed or not. */
  userId?: number;
  /** Whether even one user may be left as it is, held for a version that is not put in force. */
  mayHold?: boolean;
  /** Whether the outcome tells whose data were recognised. */
  traced?: boolean;
  /** The business day in each time zone of a brand. */
  today: Record<string, Day>;
  /** The API's base address, for image addresses. */
  baseUrl: string;
};

export type RecogniseOutcome = {
  users: number;
  services: number;
  /** The users whose figures an earlier version of the algorithm had made, and what changed for them. */
  upgrade: { users: number } & Changes;
  /** Users left as they are until this version is put in force. */
  held: number;
  times: StageTimes;
  /** Contexts of deliveries that brought what was recognised. */
  traceparents?: string[];
};
