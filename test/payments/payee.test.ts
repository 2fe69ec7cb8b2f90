/** One user's payments grouped by payee: which names are one payee's, and which are not. */
import test from "ava";
import { productById } from "../../src/payments/catalogue.ts";
import { groupByPayee } from "../../src/payments/payee.ts";
import { type Line, paid, payees, daysByKey } from "./grouped.ts";

// One name.

test("payments with one name are one payee's, in their order", (t) => {
  const payments = paid("KORTKOB RORET 4471", "LYDBOGEN", "Roret", "PAYPAL *RORET");
  const found = groupByPayee(payments, "DK");
  t.deepEqual(
    found.map(({ key }) => key),
    ["LYDBOGEN", "RORET"],
  );
  t.deepEqual(found[1], {
    key: "RORET",
    product: null,
    gateway: null,
    direction: "OUT",
    payments: [payments[0]!, payments[2]!, payments[3]!],
  });
});

test("nothing paid is owed to nobody", (t) => {
  t.deepEqual(payees(), []);
});

test("who is paid and who pays are two, though they have one name", (t) => {
  t.deepEqual(
    payees(["Roret", -5_00], ["Roret", 5_00]).map(({ direction }) => direction),
    ["IN", "OUT"],
  );
  t.deepEqual(daysByKey(["Roret", -5_00], ["Roret", 5_00], ["Roret", -6_00], ["Roret", 1]), {
    RORET: [1, 3],
    "RORET (in)": [2, 4],
  });
});

test("cash has no payee", (t) => {
  t.deepEqual(
    daysByKey(["Roret", -5_00, { rawType: "CASH_WITHDRAWAL" }], ["Roret", -5_00, { rawType: "CARD_PURCHASE" }]),
    { RORET: [2] },
  );
});

test("payments without any name are together by their kind", (t) => {
  const nameless: Line[] = [
    ["--", -5_00, { rawType: "FEE" }],
    ["", -6_00, { rawType: "TRANSFER" }],
    ["", -7_00, { rawType: "FEE" }],
    ["", 7_00, { rawType: "FEE" }],
  ];
  t.deepEqual(daysByKey(...nameless), { FEE: [1, 3], TRANSFER: [2], "FEE (in)": [4] });
});

// Products and gateways.

test("all names of one product are one payee, which has its id", (t) => {
  const found = payees("HBO MAX", "HELP.MAX.COM 4471", "PAYPAL *HBOMAX");
  t.like(found, { length: 1, 0: { key: "hbo-max", product: productById("hbo-max"), gateway: null } });
  t.is(found[0]?.payments.length, 3);
});

test("a shop behind a gateway is the payee where its name is left, else the gateway", (t) => {
  const found = payees("PAYPAL *RORET", "PAYPAL *270404151", "PayPal", "KLARNA *RORETS GARN");
  t.deepEqual(
    found.map(({ key, product, gateway, payments }) => [key, product?.id, gateway, payments.length]),
    [
      ["RORET", "paypal", "PAYPAL", 1],
      ["RORETS GARN", "klarna", "KLARNA", 1],
      ["paypal", "paypal", "PAYPAL", 2],
    ],
  );
});

test("a product is known in the country where it is sold", (t) => {
  const viaplay = paid("VIAPLAY");
  t.is(groupByPayee(viaplay, "SE")[0]?.key, "viaplay");
  t.like(groupByPayee(viaplay, "DE")[0], { key: "VIAPLAY", product: null });
});

test("names of a product say nothing of places and numbers", (t) => {
  t.deepEqual(
    Object.keys(daysByKey("Netflix Viborg", "Viaplay Viborg", "Spotify Viborg", "Roret Viborg")),
    ["RORET VIBORG", "netflix", "spotify", "viaplay"].toSorted(),
  );
});

// Places.

test("a last word that three names end with is a place", (t) => {
  t.deepEqual(daysByKey("Roret Viborg", "Lydbogen Viborg", "Isboden Viborg", "Roret"), {
    ISBODEN: [3],
    LYDBOGEN: [2],
    RORET: [1, 4],
  });
});

test("a last word that two names end with is theirs", (t) => {
  t.deepEqual(Object.keys(daysByKey("Roret Viborg", "Lydbogen Viborg", "Viborg", "Isboden Viborg Nord")), [
    "ISBODEN VIBORG NORD",
    "LYDBOGEN VIBORG",
    "RORET VIBORG",
    "VIBORG",
  ]);
});

test("a place has four letters", (t) => {
  t.deepEqual(Object.keys(daysByKey("Roret Koge", "Lydbogen Koge", "Isboden Koge")), ["ISBODEN", "LYDBOGEN", "RORET"]);
  t.deepEqual(Object.keys(daysByKey("Roret Hov", "Lydbogen Hov", "Isboden Hov")), [
    "ISBODEN HOV",
    "LYDBOGEN HOV",
    "RORET HOV",
  ]);
});

test("what is left before a place has three letters", (t) => {
  t.deepEqual(Object.keys(daysByKey("Abc Viborg", "Xy Viborg", "Lydbogen Viborg", "Isboden Viborg")), [
    "ABC",
    "ISBODEN",
    "LYDBOGEN",
    "XY VIBORG",
  ]);
});

test("a name that is a place, and a place within a name, stay", (t) => {
  t.deepEqual(
    Object.keys(
      daysByKey("Roret Viborg", "Lydbogen Viborg", "Isboden Viborg", "Viborg", "Ny Viborg Nord", "Lille Ost Viborg"),
    ),
    ["ISBODEN", "LILLE OST", "LYDBOGEN", "NY VIBORG NORD", "RORET", "VIBORG"],
  );
});

test("payments that come together by leaving out a place are in their order", (t) => {
  const found = groupByPayee(
    paid("Lydbogen Viborg", "Roret", "Roret Viborg", "Isboden Viborg", "Roret").toReversed(),
    "DK",
  );
  t.deepEqual(
    found.find(({ key }) => key === "RORET")?.payments.map(({ dayOfMonth }) => dayOfMonth),
    [2, 3, 5],
  );
});

// Numbers behind names.

test("three numbers behind two letters, each paid once, are references", (t) => {
  t.deepEqual(daysByKey("KL 70831024", "KL 70831025", "KL 708"), { KL: [1, 2, 3] });
  t.deepEqual(Object.keys(daysByKey("KL 7083 11", "KL 7084 12", "KL 7085 13")), [
    "KL 7083 11",
    "KL 7084 12",
    "KL 7085 13",
  ]);
});

test("two numbers behind a name are accounts", (t) => {
  t.deepEqual(daysByKey("KL 70831024", "KL 70831025"), { "KL 70831024": [1], "KL 70831025": [2] });
  t.deepEqual(daysByKey("Roret 11", "Roret 12", "Roret 11", "Roret 12"), {
    "RORET 11": [1, 3],
    "RORET 12": [2, 4],
  });
});

test("numbers that return are accounts: five payments for four numbers are not many, six are", (t) => {
  const numbers = ["Roret 11", "Roret 12", "Roret 13", "Roret 14", "Roret 11"];
  t.deepEqual(daysByKey(...numbers), { RORET: [1, 2, 3, 4, 5] });
  t.deepEqual(daysByKey(...numbers, "Roret 12"), {
    "RORET 11": [1, 5],
    "RORET 12": [2, 6],
    "RORET 13": [3],
    "RORET 14": [4],
  });
});

test("a name with its number falls to the name without one", (t) => {
  t.deepEqual(daysByKey("Roret 11", "Roret", "Roret 12", "Roret 13"), { RORET: [1, 2, 3, 4] });
});

test("a name with a number has three letters, or two and a number of three digits", (t) => {
  t.deepEqual(daysByKey("Ror 19", "Ror 29", "Ror 39"), { ROR: [1, 2, 3] });
  t.deepEqual(Object.keys(daysByKey("Ko 11", "Ko 12", "Ko 13")), ["KO 11", "KO 12", "KO 13"]);
  t.deepEqual(Object.keys(daysByKey("Ko 119", "Ko 129", "Ko 139")), ["KO"]);
  t.deepEqual(Object.keys(daysByKey("K 119", "K 129", "K 139")), ["K 119", "K 129", "K 139"]);
});

test("numbers of two names are counted apart", (t) => {
  t.deepEqual(
    Object.keys(daysByKey(...["Roret 11", "Roret 12", "Isboden 13", "Isboden 14"].flatMap((name) => [name, name]))),
    ["ISBODEN 13", "ISBODEN 14", "RORET 11", "RORET 12"],
  );
  t.deepEqual(
    Object.keys(daysByKey("Roret 11", "Roret 12", "Roret 13", "Isboden 13", "Isboden 14", "Isboden 13", "Isboden 14")),
    ["ISBODEN 13", "ISBODEN 14", "RORET"],
  );
});

test("income's numbers are told as expenses' are", (t) => {
  t.deepEqual(
    daysByKey(
      ["Roret 11", 1_00],
      ["Roret 12", 2_00],
      ["Roret 13", 3_00],
      ["KL 7083", 4_00],
      ["KL 7084", 5_00],
      ["KL 7085", 6_00],
    ),
    { "KL (in)": [4, 5, 6], "RORET (in)": [1, 2, 3] },
  );
});

// Names that are one name written differently.

test("a name with and without its spaces is one, and the one with them is its key", (t) => {
  t.deepEqual(daysByKey("Rorverden", "Ror Verden"), { "ROR VERDEN": [1, 2] });
  t.deepEqual(daysByKey("Ror Verden", "Rorverden"), { "ROR VERDEN": [1, 2] });
  t.deepEqual(daysByKey("Ro Ret", "Roret"), { "RO RET": [1, 2] });
});

test("a name cut off after eight letters is the longer one, after seven it is another", (t) => {
  t.deepEqual(daysByKey("Rorverdenen", "Rorverde"), { RORVERDE: [1, 2] });
  t.deepEqual(daysByKey("Rorverdenen", "Rorverd"), { RORVERD: [2], RORVERDENEN: [1] });
  t.deepEqual(daysByKey("Ror Verdenen", "Ror Verd"), { "ROR VERD": [2], "ROR VERDENEN": [1] });
  t.deepEqual(daysByKey(["Rorverdenen", 1_00], ["Rorverd", 2_00]), { "RORVERD (in)": [2], "RORVERDENEN (in)": [1] });
});

test("a name of four letters stands for those that go on with another word, one of three does not", (t) => {
  t.deepEqual(daysByKey("Garn Nord", "Garn", "Garn Ost"), { GARN: [1, 2, 3] });
  t.deepEqual(daysByKey("Garnet", "Garn"), { GARN: [2], GARNET: [1] });
  t.deepEqual(daysByKey("Gar Nord", "Gar"), { GAR: [2], "GAR NORD": [1] });
});

test("longer names that only begin alike are two", (t) => {
  t.deepEqual(daysByKey("Garn Nord", "Garn Ost"), { "GARN NORD": [1], "GARN OST": [2] });
});

test("all that go on from one name are its, up to a name that does not", (t) => {
  t.deepEqual(daysByKey("Garn", "Garn Nord", "Garn Nord Havn", "Garvet", "Garn Ost", "Ring", "Ring Ost"), {
    GARN: [1, 2, 3, 5],
    GARVET: [4],
    RING: [6, 7],
  });
});

test("income and expenses under variants of a name stay apart", (t) => {
  t.deepEqual(daysByKey(["Garn", -1_00], ["Garn Nord", 2_00]), { GARN: [1], "GARN NORD (in)": [2] });
});

test("variants of a name behind different gateways stay apart, behind one they are joined", (t) => {
  t.deepEqual(daysByKey("PAYPAL *GARN", "GARN NORD"), { GARN: [1], "GARN NORD": [2] });
  t.deepEqual(daysByKey("PAYPAL *GARN NORD", "PAYPAL *GARN"), { GARN: [1, 2] });
});

test("joined payments are in the order of their days, and the payee is that of the shorter name", (t) => {
  const found = payees("Garn Nord", "SQ *GARN", "Garn Ost", "SQ *GARN");
  t.like(found, { length: 1, 0: { key: "GARN", product: null, gateway: "SQUARE", direction: "OUT" } });
  t.deepEqual(
    found[0]?.payments.map(({ dayOfMonth }) => dayOfMonth),
    [1, 2, 3, 4],
  );
});

test("a gateway is told of a joined name that alone has one", (t) => {
  t.is(payees("Garn", "SQ *GARN NORD")[0]?.gateway, "SQUARE");
  t.is(payees("SQ *GARN", "SUMUP *GARN NORD")[0]?.gateway, "SQUARE");
});
