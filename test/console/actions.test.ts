/** What attacks on the console send is every action that there is: the list and the routes say the same. */
import test from "ava";
import { consoleRoutes } from "../../src/console/routes.ts";
import type { ConsoleContext, Scope } from "../../src/console/context.ts";
import { actionsOn, pagesOn } from "../attacks/console.ts";

const held = {
  subject: "SUBJECT",
  serviceId: "SERVICE",
  budgetId: "BUDGET",
  refused: "DELIVERY",
  waiting: "DELIVERY",
  loaded: "DELIVERY",
};

/** Patterns as the console registers them. */
function routesOf(method: "get" | "post"): string[] {
  const found: string[] = [];
  const nothing = () => undefined;
  const scope = { get: nothing, post: nothing, [method]: (url: string) => void found.push(url) };
  consoleRoutes(scope as unknown as Scope, {} as ConsoleContext);
  return found;
}

const fits = (pattern: string, at: string) =>
  new RegExp(`^${pattern.replaceAll(/:[a-zA-Z]+/g, "[^/]+")}$`).test(at.split("?")[0] ?? "");

test("every action of the console is among those that attacks send, and none that it does not know", (t) => {
  const routes = routesOf("post");
  const sent = actionsOn("bank", held).map(({ at }) => at);
  t.true(routes.length > 25);
  t.deepEqual(
    routes.filter((pattern) => !sent.some((at) => fits(pattern, at))),
    [],
  );
  t.deepEqual(
    sent.filter((at) => !routes.some((pattern) => fits(pattern, at))),
    [],
  );
});

test("every page of the console is among those that attacks open, but for the stream of its live parts", (t) => {
  const opened = pagesOn("bank", held);
  t.deepEqual(
    routesOf("get").filter((pattern) => !opened.some((at) => fits(pattern, at))),
    ["/console/live"],
  );
});
