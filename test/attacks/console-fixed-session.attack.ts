/**
 * The attacker puts a cookie of his choice into an admin's browser before she signs in, and keeps one that he saw before
 * she signed out. Does either open the console to him?
 */
import type { Attack } from "./attack.ts";
import { openBrowser, townOf } from "./console.ts";

const name = "__Host-tideline-console";

export const attack: Attack = {
  name: "console-fixed-session",
  async succeeds(world) {
    const { tokens } = await townOf(world);
    const opened: string[] = [];
    const tries = async (what: string, cookie: string) => {
      const attacker = openBrowser(world, world.attacker);
      attacker.cookie = cookie;
      if ((await attacker.get("/console/deliveries")).status === 200) opened.push(what);
    };

    // One that he made up, and one that the service had given him.
    const his = openBrowser(world, world.attacker);
    await his.get("/console/sign-in");
    for (const planted of [`${name}=${"A".repeat(43)}`, his.cookie]) {
      const victim = openBrowser(world, world.victim);
      victim.cookie = planted;
      await victim.get("/console/sign-in");
      const { status } = await victim.post("/console/sign-in", { token: tokens.admin });
      if (status !== 303) throw new Error(`the victim was not let in: ${status}`);
      if ((await victim.get("/console/deliveries")).status !== 200) throw new Error("the victim sees nothing");
      await tries("the planted cookie", planted);
      await tries("the planted cookie beside the victim's", `${planted}; ${name}x=1`);
      await victim.get("/console/account");
      const { cookie } = victim;
      await tries("the victim's cookie under a name that others may set", cookie.replace("__Host-", ""));
      await victim.post("/console/sign-out");
      await tries("the victim's cookie after signing out", cookie);
    }
    return {
      succeeded: opened.length > 0,
      seen: opened.length > 0 ? opened.join("; ") : "planted, renamed and ended cookies open nothing",
    };
  },
};
