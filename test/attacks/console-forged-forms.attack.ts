/**
 * The attacker has an admin of the console open a page of his. Its forms, scripts and pictures send every action there is
 * with the admin's own cookie; and it tries to sign the admin's browser in as somebody else. Is anything done?
 */
import type { Attack } from "./attack.ts";
import { actionsOn, banks, type Browser, openBrowser, signedIn, townOf } from "./console.ts";

const evil = "https://evil.example";

export const attack: Attack = {
  name: "console-forged-forms",
  async succeeds(world) {
    const { held, tokens } = await townOf(world);
    const admin = await signedIn(world, world.victim, tokens.admin);
    const own = admin.form;
    // What the attacker can know: the token of a form that he was given himself.
    const attacker = await signedIn(world, world.attacker, tokens.viewer);
    const ways: Record<
      string,
      (browser: Browser, at: string, fields: Readonly<Record<string, string>>) => Promise<number>
    > = {
      "a form of another site": async (browser, at, fields) =>
        (await browser.post(at, { ...fields, form: "" }, { origin: evil, "sec-fetch-site": "cross-site" })).status,
      "one without an origin": async (browser, at, fields) =>
        (await browser.post(at, { ...fields, form: "" }, { origin: "null", "sec-fetch-site": "cross-site" })).status,
      "one with the attacker's own token": async (browser, at, fields) =>
        (await browser.post(at, { ...fields, form: attacker.form }, { origin: evil })).status,
      "one that the browser takes for the console's, without its token": async (browser, at, fields) =>
        (await browser.post(at, { ...fields, form: "" })).status,
      "one that the browser takes for the console's, with the attacker's token": async (browser, at, fields) =>
        (await browser.post(at, { ...fields, form: attacker.form })).status,
      "a form of another site that knows the token": async (browser, at, fields) =>
        (await browser.post(at, { ...fields, form: own }, { origin: evil, "sec-fetch-site": "cross-site" })).status,
      "a link": async (browser, at, fields) =>
        (await browser.get(`${at}?${new URLSearchParams({ ...fields, form: own }).toString()}`)).status,
    };
    const cookie = admin.cookie;
    const done: string[] = [];
    const actions = actionsOn(banks.own, held[banks.own]);
    for (const [way, send] of Object.entries(ways))
      for (const { at, fields = {} } of actions) {
        const status = await send(admin, at, fields);
        // A page that asks before it acts may be read by a link: it changes nothing.
        const isPage = way === "a link" && status === 200 && /(?:drop|withdraw|export|erase|new|netflix)$/.test(at);
        if (status < 400 && !isPage) done.push(`${at} by ${way}: ${status}`);
        admin.cookie = cookie;
        admin.form = own;
      }
    done.push(...(await signedInUnasked(admin, tokens.viewer)));
    if (done.length > 0) return { succeeded: true, seen: done.slice(0, 5).join("; ") };
    // The same request from the console's own page is heard: it is not refused for another reason.
    const honest = await admin.post(`/console/users/${held[banks.own].subject}/hide`);
    if (honest.status !== 303) throw new Error(`an own form was answered with ${honest.status}`);
    const seen = `${actions.length} actions in ${Object.keys(ways).length} ways: none done`;
    return { succeeded: false, seen };

    async function signedInUnasked(victim: Browser, token: string): Promise<string[]> {
      const fresh = openBrowser(world, world.victim);
      await fresh.get("/console/sign-in");
      const before = fresh.cookie;
      const answers = [
        await fresh.post("/console/sign-in", { token, form: attacker.form }, { origin: evil }),
        await fresh.post("/console/sign-in", { token, form: attacker.form }),
        await victim.post("/console/sign-in", { token, form: attacker.form }, { origin: evil }),
      ];
      if (before === "") throw new Error("the sign-in page gives no cookie");
      victim.cookie = cookie;
      return answers.some(({ status }) => status < 400) ? ["signed in as the attacker"] : [];
    }
  },
};
