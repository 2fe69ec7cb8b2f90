/** Two names are told to be one payee's by a telling word, by one being the other cut off, or by initials. */
import test from "ava";
import { isTellingWord, nameOf } from "../../../src/payments/name.ts";
import { areRelated, partInLastWord } from "../../../src/recognition/search/related-names.ts";

const none: ReadonlySet<string> = new Set();

const related = test.macro({
  exec(t, expected: boolean, ...pairs: [string, string][]) {
    for (const [a, b] of pairs) {
      const both = [areRelated(a, b, none), areRelated(b, a, none)];
      t.deepEqual(both, [expected, expected], `${a} and ${b}`);
    }
  },
  title: (title) => `names are ${title}`,
});

test(
  "related when one begins with a telling word of the other",
  related,
  true,
  ["Nordkraft Strom", "NORDKRAFT"],
  ["Motion Sundby", "Sundby Fitness"],
  ["Telia Mobil", "Mobil Telia Sverige"],
);
test(
  "not related by a word further back in both",
  related,
  false,
  ["Bergen Taxi Sentral", "Oslo Taxi Sentral"],
  ["Esso Oslo", "YX Oslo"],
);
test("not related by a short first word", related, false, ["Den Rode Bil", "Den Gronne Bil"]);
test(
  "related when one is the other cut off after whole words or five letters",
  related,
  true,
  ["YX OSLO SENTRUM", "YX OSLO"],
  ["EL NETSELSKAB", "EL NET"],
  ["SU NDBY", "SUNDBYMOTION"],
);
test("not related when four letters are all that is left", related, false, ["EL NETSELSKAB", "EL NE"]);
test(
  "related by initials",
  related,
  true,
  ["Danske Stats Baner", "DSB"],
  ["Arbejdernes Landsbank", "AL Finans"],
  ["Arbejdernes Landsbank Danmark", "AL Finans"],
);
test(
  "not related by a letter, nor by other initials",
  related,
  false,
  ["Danske Stats Baner", "D Mark"],
  ["Danske Stats Baner", "DBS"],
);

test("words of four letters tell, whatever their case", (t) => {
  t.deepEqual([isTellingWord("OSLO"), isTellingWord("TRE")], [true, false]);
  t.deepEqual(nameOf("Den Rode Bil Udlejning").telling, ["RODE", "UDLEJNING"]);
});

test(
  "not related by a last word behind two others: that is where they are",
  related,
  false,
  ["Sydhavn", "Kiosken Ved Sydhavn"],
  ["Sydhavn Bageri", "Cykel Service Sydhavn"],
);
test("related by a last word behind one other", related, true, ["Nordkraft", "Elnet Nordkraft"]);

test("a word that tells nobody from anybody relates no names, however they share it", (t) => {
  const common = new Set(["SYDHAVN"]);
  t.true(areRelated("Sydhavn Bageri", "Sydhavn Taxa", none));
  t.false(areRelated("Sydhavn Bageri", "Sydhavn Taxa", common));
  t.false(areRelated("Sydhavn", "Sydhavn Taxa", common), "nor as a name cut off");
  t.false(areRelated("Sydhavn Kro", "SK Drift", common), "nor by initials");
  t.true(areRelated("Nordkraft Sydhavn", "Nordkraft", common), "another word still does");
});

test("names part in their last word where both have one of their own behind the same words", (t) => {
  const part = (a: string, b: string): boolean => partInLastWord(nameOf(a), nameOf(b));
  t.true(part("Sundby Kommune Vand", "Sundby Kommune Skat"));
  t.true(part("Sundby Vand", "Sundby Skat"));
  t.false(part("Vand", "Skat"), "nothing before it");
  t.false(part("Sundby Kommune Vand", "Havnsted Kommune Skat"), "other words before it");
  t.false(part("Sundby Kommune", "Sundby Kommune Vand"), "one has none");
  t.false(part("Sundby Kommune Vand", "Sundby Kommune Vandforsyning"), "one cut off");
  t.false(part("Sundby Kommune Vandforsyning", "Sundby Kommune Vand"), "one cut off");
  t.false(part("Sundby Vand 06", "Sundby Vand 07"), "numbers");
});

test("names that begin with the same short words are related, where these have letters enough", (t) => {
  t.true(areRelated("GRU EZ PAY WEB PYMT", "GRU EZ PAY 301 4TH AVE", none));
  t.false(areRelated("GRU EZ WEB PYMT", "GRU EZ 301 4TH AVE", none), "five letters");
  t.false(areRelated("GRU EZ PAY WEB", "GRU EZ PAY 301", new Set(["GRU"])), "a bank's word");
});
