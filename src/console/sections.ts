/** What the navigation names, in the order of the day. */
import type { ConsoleRole } from "./access/accounts.ts";

export type Section = {
  href: string;
  title: string;
  needs: ConsoleRole;
  /** For those who may see all partners alone. */
  all?: true;
};

export const sections: readonly Section[] = [
  { href: "/console", title: "Today", needs: "viewer" },
  { href: "/console/deliveries", title: "Deliveries", needs: "viewer" },
  { href: "/console/flow", title: "Flow", needs: "viewer", all: true },
  { href: "/console/users", title: "Users", needs: "viewer" },
  { href: "/console/partners", title: "Partners", needs: "viewer" },
  { href: "/console/cancellations", title: "Cancellations", needs: "viewer" },
  { href: "/console/catalogue", title: "Catalogue", needs: "viewer", all: true },
  { href: "/console/fleet", title: "Fleet", needs: "viewer", all: true },
  { href: "/console/approvals", title: "Approvals", needs: "operator" },
  { href: "/console/audit", title: "Audit", needs: "operator" },
];
