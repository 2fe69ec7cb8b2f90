/** 405 with Allow (RFC 9110, 15.5.6) for every known path and every method that it does not answer. */
import type { App } from "./context.ts";
import { Refusal } from "./problem.ts";

/**
 * Watches the routes that are added to the scope from now on.
 * @returns to be called when all are added.
 */
export function refuseOtherMethods(scope: App): () => void {
  const methodsByPath = new Map<string, Set<string>>();
  scope.addHook("onRoute", ({ routePath, method, config }) => {
    if (config?.refusesMethod) return;
    const methods = methodsByPath.get(routePath) ?? new Set<string>();
    for (const name of [method].flat()) methods.add(name);
    methodsByPath.set(routePath, methods);
  });
  return () => {
    for (const [path, methods] of methodsByPath) refuse(scope, path, methods);
  };
}

function refuse(scope: App, path: string, methods: ReadonlySet<string>): void {
  const refusal = () => new Refusal("METHOD_NOT_ALLOWED", { headers: { allow: [...methods].sort().join(", ") } });
  scope.route({
    method: scope.supportedMethods.filter((method) => !methods.has(method)),
    url: path,
    schema: { hide: true },
    config: { refusesMethod: true },
    exposeHeadRoute: false,
    // Before the body is read: its form does not matter.
    onRequest: async () => {
      throw refusal();
    },
    handler: async () => {
      throw refusal();
    },
  });
}
