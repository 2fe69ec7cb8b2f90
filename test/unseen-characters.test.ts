/** Characters that no screen shows. */
import test from "ava";
import { holdsUnseen, showUnseen } from "../src/unseen-characters.ts";

test("bidirectional controls, zero widths, fillers and separators are unseen", (t) => {
  for (const character of [
    "\u00ad",
    "\u061c",
    "\u115f",
    "\u180e",
    "\u200b",
    "\u200c",
    "\u200d",
    "\u200e",
    "\u200f",
    "\u2028",
    "\u2029",
    "\u202a",
    "\u202e",
    "\u2060",
    "\u2066",
    "\u2069",
    "\u3164",
    "\ufe0f",
    "\ufeff",
    "\u{e0041}",
  ])
    t.true(holdsUnseen(`day${character}.jwe`), character.codePointAt(0)!.toString(16));
});

test("letters of any language, accents on their own, spaces and signs are seen", (t) => {
  for (const name of [
    "løn_2026-06.jsonl.gz",
    "re\u0301sume\u0301.jwe",
    "день 1.jwe",
    "口座.jwe",
    "حساب.jwe",
    "a(1)~#'.jwe",
  ])
    t.false(holdsUnseen(name), name);
});

test("what is unseen is shown as JSON writes it, and commands to a terminal too", (t) => {
  t.is(showUnseen("a\u202egpj.exe"), "a\\u202egpj.exe");
  t.is(showUnseen("a\u001b[2Jb\u0007\u009b"), "a\\u001b[2Jb\\u0007\\u009b");
  t.is(showUnseen("tag\u{e0041}"), "tag\\udb40\\udc41");
  t.is(showUnseen("AT\tNAME\nløn\r\n"), "AT\tNAME\nløn\\u000d\n");
  t.is(showUnseen(showUnseen("\u200b")), "\\u200b");
});

test("a JSON document says the same with it", (t) => {
  const document = { name: "a\u202e\u{e0041}\u200b.jwe", "\ufeff": 1 };
  t.deepEqual(JSON.parse(showUnseen(JSON.stringify(document, null, 2))), document);
});
