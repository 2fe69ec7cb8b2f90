/** What a service is shown as: its product, its image, and whether it is spent or owed. */
import test from "ava";
import type { HistoryTransaction, RecognisedService } from "../../../src/recognition/recognise.ts";
import { imageIdOf, imageUrl, productDocument } from "../../../src/recognition/services/product.ts";
import type { ProductType } from "../../../src/payments/catalogue.ts";
import { row } from "../payments.ts";

/** A service that suggests nothing: an unknown name, paid by card, in a country whose words we do not know. */
function service(more: Partial<RecognisedService> = {}, payment: Partial<HistoryTransaction> = {}): RecognisedService {
  return {
    key: "RORET",
    direction: "OUT",
    payments: [row("2026-03-09", "Roret", -99_00, { rawType: "CARD_PURCHASE", ...payment })],
    refunds: [],
    paymentFrequency: "MONTHLY",
    status: "ACTIVE",
    confidence: 0.9,
    visibility: "VISIBLE",
    nextExpectedDay: "2026-04-09",
    isOverdue: false,
    instalments: null,
    expectedAmountMinor: 99_00,
    currency: "DKK",
    productId: null,
    title: "Roret",
    gateway: null,
    store: null,
    ...more,
    evidence: {
      payeeKey: "RORET",
      aliases: [],
      prior: [],
      logOdds: 4,
      misses: 0,
      isFixedPrice: true,
      habit: null,
      dueDayOfMonth: 9,
      periodDays: null,
      pausedMonths: [],
      spreadDays: 0,
      ...more.evidence,
    },
  };
}

const base = "https://images.example";

function typeFor(
  more: Partial<RecognisedService> = {},
  payment: Partial<HistoryTransaction> = {},
  country = "XX",
): ProductType {
  return productDocument(service(more, payment), base, country).type;
}

test("a service of the catalogue has its product's image and marks, and its own title", (t) => {
  t.deepEqual(productDocument(service({ productId: "hbo-max", title: "HBO" }), base, "DK"), {
    title: "HBO",
    imageUrl: "https://images.example/assets/products/hbo-max.svg",
    type: "SUBSCRIPTION",
    isGateway: false,
    isUnknownStoreSubscription: false,
  });
  t.like(productDocument(service({ productId: "paypal" }), base, "DK"), {
    isGateway: true,
    isUnknownStoreSubscription: false,
  });
  t.like(productDocument(service({ productId: "app-store-subscription-store-a" }), base, "DK"), {
    isGateway: false,
    isUnknownStoreSubscription: true,
  });
});

test("a service outside of it has an image of its title", (t) => {
  t.deepEqual(productDocument(service({ title: "Rorets Garn" }), base, "DK"), {
    title: "Rorets Garn",
    imageUrl: "https://images.example/assets/products/rorets-garn.svg",
    type: "SUBSCRIPTION",
    isGateway: false,
    isUnknownStoreSubscription: false,
  });
  t.like(productDocument(service({ productId: "gone-from-it" }), base, "DK"), {
    imageUrl: "https://images.example/assets/products/roret.svg",
    isGateway: false,
  });
});

test("an image stands below the base address", (t) => {
  t.is(imageUrl("https://images.example", "roret"), "https://images.example/assets/products/roret.svg");
});

const image = test.macro({
  exec(t, title: string, id: string) {
    t.is(imageIdOf(title), id);
  },
  title: (_, title, id) => `the image of "${title}" is named ${id}`,
});

test(image, "Rorets Garn", "rorets-garn");
test(image, "3 & 4 -- Roret!", "3-4-roret");
test(image, "(Roret)", "roret");
test(image, "Øst", "oest");
test(image, "Størvold Læklub", "stoervold-laeklub");
test(image, "Ångström Ärende Öl Ü", "aangstroem-aerende-oel-ue");
test(image, "Straße Łódź Þór Ðan Œuvre Đà", "strasse-lodz-thor-dan-oeuvre-da");
test(image, "Café Ñandú", "cafe-nandu");
test(image, "!?", "payment");
test(image, "", "payment");
test(image, `${"a".repeat(59)}bc`, `${"a".repeat(59)}b`);

// Type of product: whoever knows best is asked first.

test("the catalogue knows best", (t) => {
  t.is(typeFor({ productId: "hbo-max", title: "Insurance" }, { mcc: 6300 }), "SUBSCRIPTION");
  t.is(typeFor({ productId: "tryg" }, { mcc: 5815 }), "OTHER_RECURRING");
});

test("of a gateway it knows nothing", (t) => {
  t.is(typeFor({ productId: "paypal" }, { mcc: 6300 }), "OTHER_RECURRING");
  t.is(typeFor({ productId: "paypal" }, { mcc: 5815 }), "SUBSCRIPTION");
  t.is(typeFor({ productId: "gone-from-it" }, { mcc: 6300 }), "OTHER_RECURRING");
});

for (const [mcc, what] of [
  [1520, "housing"],
  [6513, "rent"],
  [4900, "utilities"],
  [6300, "insurance"],
  [4812, "mobile phones"],
  [7322, "debt"],
  [9311, "taxes"],
  [6012, "a bank's fees"],
  [6211, "savings"],
  [8351, "day care"],
  [8211, "school"],
  [5511, "vehicles"],
] as const) {
  test(`what is paid for ${what}, merchant category ${mcc}, is a fixed expense`, (t) => {
    t.is(typeFor({}, { mcc }), "OTHER_RECURRING");
  });
}
for (const [mcc, what] of [
  [5815, "streaming"],
  [4899, "television"],
  [4111, "public transport"],
  [8220, "courses"],
  [8398, "donations"],
  [5641, "children's clothes"],
  [4784, "tolls"],
] as const) {
  test(`what is paid for ${what}, merchant category ${mcc}, is a subscription, whatever name and line say`, (t) => {
    t.is(
      typeFor({ title: "Insurance" }, { mcc, description: "Tryg Forsikring", rawType: "FEE" }, "DK"),
      "SUBSCRIPTION",
    );
  });
}

test("a merchant category that nobody knows says nothing", (t) => {
  t.is(typeFor({ title: "Insurance" }, { mcc: 4 }), "OTHER_RECURRING");
  t.is(typeFor({}, { mcc: 4 }), "SUBSCRIPTION");
});

test("it is the latest payment's category that counts", (t) => {
  const payments = [
    row("2026-02-09", "Roret", -99_00, { mcc: 6300, rawType: "FEE" }),
    row("2026-03-09", "Roret", -99_00, { mcc: null, rawType: "CARD_PURCHASE" }),
  ];
  t.is(typeFor({ payments }), "SUBSCRIPTION");
  t.is(typeFor({ payments: payments.toReversed() }), "OTHER_RECURRING");
});

test("then the dictionary of payees, in the brand's country", (t) => {
  t.is(typeFor({}, { description: "Djøf 4471" }, "DK"), "OTHER_RECURRING");
  t.is(typeFor({}, { description: "Djøf 4471" }, "FI"), "SUBSCRIPTION");
  t.is(typeFor({}, { description: "Roret", merchantName: "Djøf" }, "DK"), "OTHER_RECURRING");
  t.is(typeFor({ title: "Insurance" }, { description: "Føtex husleje", rawType: "FEE" }, "DK"), "SUBSCRIPTION");
  t.is(typeFor({ title: "Insurance" }, { description: "Husleje", merchantName: "Føtex" }, "DK"), "SUBSCRIPTION");
});

test("a payee of which a merchant category would know better is not asked", (t) => {
  t.is(typeFor({}, { description: "HOFOR" }, "DK"), "SUBSCRIPTION");
  t.is(typeFor({ title: "Insurance" }, { description: "7-Eleven" }, "DK"), "OTHER_RECURRING");
});

test("then the words of the line and of the merchant's name, in the brand's country", (t) => {
  t.is(typeFor({}, { description: "Roret husleje" }, "DK"), "OTHER_RECURRING");
  t.is(typeFor({}, { description: "Roret", merchantName: "Roret husleje" }, "DK"), "OTHER_RECURRING");
  t.is(typeFor({}, { description: "Roret husleje", merchantName: "Roret" }, "DK"), "OTHER_RECURRING");
  t.is(typeFor({}, { description: "Roret husleje" }, "FI"), "SUBSCRIPTION");
});

test("a word that means several things does not say what is owed", (t) => {
  t.is(typeFor({}, { description: "Roret afdrag" }, "DK"), "SUBSCRIPTION");
});

test("a part of a word is sure enough", (t) => {
  t.is(typeFor({}, { description: "Roret ejerforeningen" }, "DK"), "OTHER_RECURRING");
});

test("a word for what is spent leaves it to name and manner of payment", (t) => {
  t.is(typeFor({}, { description: "Roret hotel" }, "DK"), "SUBSCRIPTION");
  t.is(typeFor({ title: "Insurance" }, { description: "Roret hotel" }, "DK"), "OTHER_RECURRING");
  t.is(typeFor({}, { description: "Roret hotel", rawType: "FEE" }, "DK"), "OTHER_RECURRING");
});

for (const word of [
  ..."RENT HUSLEJE HUSLEIE HYRA VUOKRA MIETE HUUR CZYNSZ NAJEM INSURANCE FORSIKRING FORSAKRING VAKUUTUS VERSICHERUNG VERZEKERING UBEZPIECZENIE".split(
    " ",
  ),
  ..."POJISTNE POJISTENI ELECTRIC ELECTRICITY ENERGI ENERGINET ENERGY STROM STROOM EL ELNET KRAFT POWER GAS WATER VAND VATTEN WASSER VARME".split(
    " ",
  ),
  ..."FJERNVARME HEATING LOAN LAN LAINA KREDIT CREDIT DARLEHEN LENING UVER MORTGAGE HYPOTHEK HYPOTEKA REALKREDIT TAX SKAT SKATT VERO STEUER".split(
    " ",
  ),
  ..."KOMMUNE COUNCIL FEE GEBYR AVGIFT PENSION KASSE UNION FAGFORENING SIPO DAGINSTITUTION CHILDCARE NURSERY TELECOM TELCO MOBILE".split(
    " ",
  ),
]) {
  test(`a title with the word ${word} is that of a fixed expense`, (t) => {
    for (const title of [word, `Rorets ${word.toLowerCase()}`, `${word} Nord`])
      t.is(typeFor({ title }), "OTHER_RECURRING", title);
  });
}

test("a title's letters are read without their marks", (t) => {
  t.is(typeFor({ title: "Försäkring" }), "OTHER_RECURRING");
  t.is(typeFor({ title: "Lån" }), "OTHER_RECURRING");
});

test("a part of a title's word says nothing", (t) => {
  for (const title of ["Rorvand", "Vandrer", "Gasten", "Rorenergi", "Elbow"])
    t.is(typeFor({ title }), "SUBSCRIPTION", title);
});

for (const rawType of [
  "FEE",
  "INTEREST",
  "BANK_CHARGE",
  "SIPO",
  "STANDING_ORDER",
  "standing order",
  "ACCOUNT_TRANSFER",
  "transfer",
]) {
  test(`what is paid as ${rawType} is a fixed expense`, (t) => {
    t.is(typeFor({}, { rawType }), "OTHER_RECURRING");
  });
}

test("it is the latest payment's manner that counts", (t) => {
  const payments = [
    row("2026-02-09", "Roret", -99_00, { rawType: "FEE" }),
    row("2026-03-09", "Roret", -99_00, { rawType: "CARD_PURCHASE" }),
  ];
  t.is(typeFor({ payments }), "SUBSCRIPTION");
});

test("a direct debit that follows use is a fixed expense, one at a fixed price a subscription", (t) => {
  const evidence = service().evidence;
  t.is(typeFor({ evidence: { ...evidence, isFixedPrice: false } }, { rawType: "DIRECT_DEBIT" }), "OTHER_RECURRING");
  t.is(typeFor({ evidence }, { rawType: "DIRECT_DEBIT" }), "SUBSCRIPTION");
});

test("a purchase by card that follows use is a subscription", (t) => {
  t.is(typeFor({ evidence: { ...service().evidence, isFixedPrice: false } }), "SUBSCRIPTION");
});
