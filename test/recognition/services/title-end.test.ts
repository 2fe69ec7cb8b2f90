/** Lines go on behind a name: titles do not. */
import test from "ava";
import { nameLength } from "../../../src/recognition/services/title-end.ts";

const named = test.macro<[expected: string, words: string, line?: string]>({
  exec(t, expected: string, words: string, line = words) {
    t.is(
      words
        .split(" ")
        .slice(0, nameLength(words.split(" "), line))
        .join(" "),
      expected,
    );
  },
  title: (_, expected, words, line) => `"${line ?? words}" names "${expected}"`,
});

test(named, "RORET", "RORET RORET STROM ABSCHLAG", "Roret AG Roret AG (Strom) Abschlag");
test(named, "RORET NORD", "RORET NORD FERNSEHEN ABO", "RORET Nord GmbH Fernsehen Abo");
test(named, "RORET NORD SPA", "RORET NORD SPA RATA");
test(named, "RORET NORD", "RORET NORD SP Z OO RL LO");
test(named, "RORET", "RORET SPOLKA AKCYJNA ALEJE SUNDBY");
test(named, "RORET POLSKA", "RORET POLSKA UL SUNDBY WARSZAWA");
test(named, "RORET", "RORET PRZELEW ZEWNETRZNY");
test(named, "RORET BEITRAG", "RORET BEITRAG GLAUBIGER");
test(named, "WASSERWERK DER GEMEINDE", "WASSERWERK DER GEMEINDE WASSERWERK BEITRAG");
test(named, "ABSCHLAG ABWASSER GEMEINDE SUNDBY", "ABSCHLAG ABWASSER GEMEINDE SUNDBY UND FRIEDRICHSHAFENER UMLAND");

test(named, "ASTA KROGH", "ASTA KROGH SUNDBY DE", "Asta Krogh/SUNDBY/DE 2026-07-06T08:31:16 DEBITKARTE");
test(named, "RORET GLAM BAG", "RORET GLAM BAG CA CARD", "RORET GLAM BAG 888-555-0126 CA S58 CARD 1234");
test(named, "RORET", "RORET VA", "RORET.COM 7035550115 VA 03/22");
test(named, "RORET", "RORET END TO END NICHT ANGEGEBEN");

// Names that are what they look like.
test(named, "RORET AARHUS", "RORET AARHUS", "RORET A/S AARHUS");
test(named, "RORET PR", "RORET PR", "RORET PR 312-5550116 IL 03/10");
test(named, "TAMM TAMM", "TAMM TAMM");
test(named, "AG SUNDBY", "AG SUNDBY");
test(named, "RORET OG SUNDBY VARMEVAERK", "RORET OG SUNDBY VARMEVAERK");
test(named, "WOHNUNGSBAUGENOSSENSCHAFTSVERWALTUNGSGESELLSCHAFT", "WOHNUNGSBAUGENOSSENSCHAFTSVERWALTUNGSGESELLSCHAFT");
