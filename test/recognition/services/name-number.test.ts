/** A number that belongs to a payee's name stays in the title; numbers of shops, orders, cards and years do not. */
import test from "ava";
import type { HistoryTransaction } from "../../../src/recognition/recognise.ts";
import { productDocument } from "../../../src/recognition/services/product.ts";
import { monthly, row, services } from "../payments.ts";

/** 500 crowns a month, the texts in turn. */
const paid = (texts: readonly string[], count = 6, more: Partial<HistoryTransaction> = {}): HistoryTransaction[] =>
  monthly("2026-01-12", count).map((day, index) => row(day, texts[index % texts.length]!, -50_000, more));
const title = (...texts: string[]): string | undefined => services(paid(texts))[0]?.title;

test("a number that is the same on every line behind the same words belongs to the name", (t) => {
  t.is(title("KLUB 1900 HAVN", "KLUB 1900 BY", "KLUB 1900 HAVN"), "Klub 1900 Havn");
  t.is(title("STATION 105"), "Station 105");
  t.is(title("Dankort-nota STATION 105 KBH 4512", "Dankort-nota STATION 105 KBH 3311"), "Station 105 KBH");
});

test("one that begins each line does too", (t) => {
  t.is(title("365 RUGHANDEL"), "365 Rughandel");
  t.is(title("Dankort-nota 365 RUGHANDEL", "365 RUGHANDEL"), "365 Rughandel", "behind the bank's words");
});

test("a merchant's name that the bank gives has its number", (t) => {
  const rows = paid(["Visa 4571"], 6, { merchantName: "Station 105" });
  t.is(services(rows)[0]?.title, "Station 105");
});

test("numbers that vary are shops', orders' or terminals'", (t) => {
  t.is(title("SPINHAL 1122", "SPINHAL 1133"), "Spinhal");
  t.is(
    title("SPINHAL 1122", "SPINHAL 1122", "SPINHAL 1122", "SPINHAL 1122", "SPINHAL 1122", "SPINHAL 1133"),
    "Spinhal",
  );
  t.is(title("SPINHAL 1122", "SPINHAL 48120993"), "Spinhal");
});

test("numbers with a nought in front and long ones name nobody", (t) => {
  t.is(title("SPINHAL 0123"), "Spinhal");
  t.is(title("SPINHAL 48120"), "Spinhal");
});

test("a number on a few of the lines is none of the name", (t) => {
  t.is(title("SPINHAL", "SPINHAL", "SPINHAL 105"), "Spinhal");
  t.is(title("SPINHAL", "SPINHAL 105"), "Spinhal 105");
});

test("a year, an amount and a share are none", (t) => {
  t.is(title("KLUBGAVE 2026"), "Klubgave");
  t.is(title("KLUBGAVE 500"), "Klubgave");
  t.is(title("KLUBGAVE 100%"), "Klubgave");
});

test("a name that has a number takes no second one", (t) => {
  t.is(title("7-Elleve Spin 4411"), "7-Elleve Spin");
  t.is(title("STATION 54 4411"), "Station 54");
});

test("a number behind several of the user's names is a card's or an account's", (t) => {
  const others = ["FJORDBLADET 4571", "HAVNENS BIO 4571"].flatMap((text) => paid([text]));
  t.is(services([...paid(["SPINHAL 4571"])])[0]?.title, "Spinhal 4571");
  t.deepEqual(
    services([...paid(["SPINHAL 4571"]), ...others])
      .map((one) => one.title)
      .toSorted(),
    ["Fjordbladet", "Havnens Bio", "Spinhal"],
  );
});

test("what the dictionary knows with its number has it from the first line", (t) => {
  t.is(
    services(paid(["REMA 1000 4512", "REMA 1000 4513"], 2, { rawType: "DIRECT_DEBIT" }))[0]?.title ?? "",
    "Rema 1000",
  );
});

test("names with signs and single letters stay, on tiles too", (t) => {
  const shown = (text: string) => productDocument(services(paid([text]))[0]!, "https://bank.example", "DK");
  t.like(shown("7-ELLEVE 4411"), { title: "7-Elleve", imageUrl: "https://bank.example/assets/products/7-elleve.svg" });
  t.like(shown("H&J HAVN 0123"), { title: "H&J Havn", imageUrl: "https://bank.example/assets/products/h-j-havn.svg" });
  t.like(shown("KREDS K 8812099"), { title: "Kreds K", imageUrl: "https://bank.example/assets/products/kreds-k.svg" });
  t.like(shown("STATION 105 KBH"), { imageUrl: "https://bank.example/assets/products/station-105-kbh.svg" });
});

test("the key of a service, and with it its id, says nothing of the number", (t) => {
  t.regex(services(paid(["STATION 105"]))[0]!.key, /^OUT:STATION:/);
});
