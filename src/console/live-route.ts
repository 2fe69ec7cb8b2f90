/** Server-sent events: that something changed, and no word of what. */
import type { ConsoleContext, Scope } from "./context.ts";
import { cookieIn, findSession } from "./access/sessions.ts";

/** Proxies end what is silent for longer; and a session that is over is noticed. */
const beatMs = 25_000;

export function liveRoute(scope: Scope, { live, database, sessionLife }: ConsoleContext): void {
  scope.get("/console/live", async (request, reply) => {
    // Who left while the session was looked up closes no second time: nothing would ever end its beat.
    if (reply.raw.destroyed) return reply.hijack();
    const stop = live.listen(
      () => reply.raw.write("event: change\ndata:\n\n"),
      () => reply.raw.end(),
    );
    if (stop === null) return await reply.code(503).header("retry-after", "60").send();
    const cookie = cookieIn(request.headers.cookie) ?? "";
    reply.hijack();
    // A hijacked answer is written without the headers that hooks have set.
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value);
    reply.raw.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    reply.raw.write("retry: 5000\n\n");
    const beat = setInterval(() => void goOn(), beatMs).unref();
    const goOn = async () => {
      const isOver = (await findSession(database, cookie, sessionLife).catch(() => undefined)) === null;
      if (isOver) reply.raw.end("event: over\ndata:\n\n");
      else reply.raw.write(":\n\n");
    };
    reply.raw.once("close", () => {
      clearInterval(beat);
      stop();
    });
    return reply;
  });
}
