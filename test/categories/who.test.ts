/** A name is told to be a person's or a company's by what either is called; the names of this test are nobody's. */
import test from "ava";
import { whoIs } from "../../src/categories/who.ts";
import { folded } from "../../src/categories/words.ts";

const who = (name: string, country = "DK", text = name) => whoIs(folded(name), text, [country]);

test("a legal form makes a company of any name, wherever it stands and however it is written", (t) => {
  const forms =
    "A/S APS I/S K/S IVS AB HB KB AS ASA ANS DA ENK OY OYJ RY TMI OSK LTD LIMITED PLC LLP CIC INC LLC GMBH GGMBH AG KG OHG UG EV E.V GBR BV B.V NV VOF SPZOO SPOLKA SA SARL SAS S.R.O A.S SE ETS DAC AMBA A.M.B.A";
  for (const form of [...forms.split(" "), "SP. Z O.O", "SP Z OO", "ApS", "Gmbh"]) {
    t.is(who("QUENTA VOLTRIX", "DK", `Quenta Voltrix ${form}`), "COMPANY", form);
    t.is(who("QUENTA VOLTRIX", "DK", `${form}. Quenta Voltrix`), "COMPANY", `${form} before the name`);
    t.is(who("QUENTA VOLTRIX", "DK", `Quenta,${form}:Voltrix`), "COMPANY", `${form} between marks`);
  }
});

test("letters of a legal form inside a word or joined by others make no company", (t) => {
  for (const text of [
    "Quentab Voltrix",
    "Quenta Voltrixas",
    "Aså Voltrix",
    "Éab Voltrix",
    "EXV Voltrix",
    "AXS Voltrix",
  ])
    t.is(who("QUENTA VOLTRIX", "DK", text), "UNKNOWN", text);
  for (const text of ["SXRXO Voltrix", "BXV Voltrix", "SPXZOO Voltrix", "SP ZOXO Voltrix", "AXMXBXA Voltrix"])
    t.is(who("QUENTA VOLTRIX", "DK", text), "UNKNOWN", text);
});

test("the ends of family names make a person of two to four words", (t) => {
  const ends =
    "SEN SSON SON DOTTER DATTER DOTTIR NEN BERG QVIST KVIST LUND HOLM DAHL DAL VIK LIND STAD MANN SKI SKA WICZ OVA CEK OVIC EZ IAN";
  for (const end of ends.split(" ")) t.is(who(`QUENTA XQV${end}`), "PERSON", end);
  t.is(who("QUENTA VEGA XQVSEN"), "PERSON");
  t.is(who("QUENTA VEGA ZORA XQVSEN"), "PERSON");
  t.is(who("QUENTA VEGA ZORA YRSO XQVSEN"), "UNKNOWN");
});

test("one word, a short one or an end within it is no family", (t) => {
  for (const name of ["XQVSEN", "QUENTA XSEN", "QUENTA XQVSENX", "QUENTA VOLTRIX"]) t.is(who(name), "UNKNOWN", name);
  t.is(who("QUENTA XQSEN"), "PERSON");
});

test("a given name makes a person, alone and before others", (t) => {
  for (const name of ["ANNA", "ANNA 12", "ANNA VOLTRIX", "ANNA VOLTRIX ZORA YRSO"]) t.is(who(name), "PERSON", name);
  t.is(who("VOLTRIX ANNA"), "UNKNOWN");
  // Nor is it one when it is a shop's, unless the word behind it is another's.
  t.is(who("ZARA VOLTRIX"), "PERSON");
});

test("a trade behind a given name is a shop's where families are not called by trades", (t) => {
  t.is(who("ANNA BAGER"), "COMPANY");
  t.is(who("EMMA BAKER", "GB"), "PERSON");
  t.is(who("EMMA BAKER", "IE"), "PERSON");
  t.is(who("ANNA BÄCKER", "DE"), "PERSON");
  t.is(who("ANNA BAKKER", "NL"), "PERSON");
  // A family name is one word.
  t.is(who("EMMA PLUMBER LEEDS", "GB"), "COMPANY");
});

test("a family whose name ends like a shop's is one behind a given name, unless the word is a trade", (t) => {
  t.is(who("ANNA XQVGÅRD"), "PERSON");
  t.is(who("ANNA XQVSTRØM"), "PERSON");
  t.is(who("QUENTA XQVGÅRD"), "COMPANY");
  t.is(who("ANNA DYREHOSPITAL"), "COMPANY");
});

test("words that people pay each other for do not make a company of a name", (t) => {
  for (const paidFor of ["HUSLEJE", "BANKLÅN", "BEGRAVELSE", "AKTIEKØB", "PRIVAT OVERFØRSEL", "UNDERHOLD"]) {
    t.not(who(`XQZV ${paidFor}`), "COMPANY", paidFor);
  }
  t.is(who("ANNA HUSLEJE"), "PERSON");
  t.is(who("ANNA LÅN"), "PERSON");
});

test("an organisation's word and a word for a trade make a company", (t) => {
  t.is(who("QUARTZ KLUB"), "COMPANY");
  t.is(who("ANNA XQZV KLUB"), "COMPANY");
  t.is(who("FRISØR VOLTRIX"), "COMPANY");
  t.is(who("VOLTRIX FRISØR"), "COMPANY");
  t.is(who("ANNA FRUGT OG GRØNT"), "COMPANY");
  t.is(who("FRUGT OG GRØNT"), "COMPANY");
});

test("a known payee is a company, but one that sells everything is unknown", (t) => {
  t.is(who("NETTO"), "COMPANY");
  t.is(who("SUPERBRUGSEN ANNA"), "COMPANY");
  t.is(who("XQZV"), "UNKNOWN");
});

test("a name called like a shop is a person's behind a given name, as long as the shop's name is short", (t) => {
  t.is(who("ZARA XQVSEN"), "PERSON");
  t.is(who("FITNESS WORLD XQVSEN"), "COMPANY");
  t.is(who("NETTO XQVSEN"), "COMPANY");
});

test("whom money goes to stands behind a preposition, in every language", (t) => {
  for (const towards of ["TIL", "TILL", "TO", "AN", "FRA", "FRÅN", "FROM", "VON", "FOR", "FÖR", "FR"])
    t.is(who(`XQZV KLUB ${towards} QUENTA XQVSEN`), "PERSON", towards);
  // One word behind it may be anybody.
  t.is(who("XQZV TIL ANNA"), "UNKNOWN");
  t.is(who("XQZV KLUB ANNA VOLTRIX TIL"), "COMPANY");
  t.is(who("KLUB FRA QUENTA VOLTRIX TIL QUENTA XQVSEN"), "PERSON");
  t.is(who("KLUB TIL QUENTA VOLTRIX"), "COMPANY");
});

test("what it is for may stand before a person's given and family name", (t) => {
  t.is(who("KLUB ANNA VOLTRIX"), "PERSON");
  t.is(who("KLUB XQZV ANNA VOLTRIX"), "PERSON");
  t.is(who("KLUB VOLTRIX ANNA"), "COMPANY");
  t.is(who("XQZV ANNA BAGER"), "COMPANY");
});

test("nothing but numbers names nobody, and numbers beside a name change nothing", (t) => {
  t.is(who("12 34"), "UNKNOWN");
  t.is(who(""), "UNKNOWN");
  t.is(who("ANNA 4411 VOLTRIX 99"), "PERSON");
});

test("the same name is judged by its country and by its own text", (t) => {
  t.is(who("ANNA BAGER", "DK"), "COMPANY");
  t.is(who("ANNA BAGER", "GB"), "PERSON");
  t.is(who("QUENTA VOLTRIX", "DK", "Quenta Voltrix"), "UNKNOWN");
  t.is(who("QUENTA VOLTRIX", "DK", "Quenta Voltrix ApS"), "COMPANY");
  t.is(who("QUENTA XQVSEN", "DK", "Quenta Voltrix"), "PERSON");
});
