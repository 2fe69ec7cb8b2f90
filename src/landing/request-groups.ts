/** Pushed requests on their way into the database, in groups of one partner (commit-groups.ts). */
import type { Database } from "../database/database.ts";
import { type Insertion, insertRequests, type NewRequest } from "../deliveries/requests.ts";
import { CommitGroups } from "./commit-groups.ts";

const groupsOf = new WeakMap<Database, CommitGroups<NewRequest, Insertion>>();

/** Durable when it returns. Users are looked for in the same statement, so that a good request is one round trip. */
export async function insertRequest(database: Database, request: NewRequest): Promise<Insertion> {
  const groups = groupsOf.get(database) ?? openGroups(database);
  groupsOf.set(database, groups);
  return await groups.add(request);
}

function openGroups(database: Database): CommitGroups<NewRequest, Insertion> {
  return new CommitGroups({
    async insert(requests) {
      const insertions = await insertRequests(database, requests);
      return requests.map(({ delivery }) => insertions.get(delivery.id) ?? "used");
    },
    bytesOf: ({ body }) => body.length,
    // Row-level security lets a statement see the users of no more than one partner.
    laneOf: ({ delivery }) => delivery.partnerId,
    goesWith: () => true,
  });
}
