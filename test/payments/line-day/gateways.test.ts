/** Who collects for others, and the payee behind. */
import test from "ava";
import { merchantOf } from "../../../src/payments/merchant.ts";

const gateway = test.macro({
  exec(t, name: string, ...prefixes: string[]) {
    for (const prefix of prefixes) {
      for (const description of [`${prefix}*Roret`, `${prefix} *Roret`, `${prefix} * Roret`]) {
        t.like(merchantOf(null, description), { key: "RORET", gateway: name }, description);
      }
      t.is(merchantOf(null, `Nord ${prefix} *Roret`).gateway, null, `Nord ${prefix} *Roret`);
    }
    t.like(merchantOf(null, `${prefixes[0]} *`), { key: name, gateway: name });
  },
  title: (_, name) => `${name} before an asterisk collects the money, and the payee stands behind`,
});

test(gateway, "PAYPAL", "PAYPAL", "PP");
test(gateway, "SQUARE", "SQ");
test(gateway, "SUMUP", "SUMUP");
test(gateway, "ZETTLE", "IZ", "IZETTLE", "ZETTLE", "ZTL");
test(gateway, "TOAST", "TST");
test(gateway, "SHOPIFY", "SP");
test(gateway, "PADDLE", "PADDLE", "PADDLE.NET");
test(gateway, "FASTSPRING", "FS", "FSPRG", "FSPRG.COM");
test(gateway, "2CHECKOUT", "2CO", "2CO.COM", "AVANGATE");
test(gateway, "DIGITAL RIVER", "DRI");
test(gateway, "GOOGLE", "GOOGLE");
test(gateway, "KLARNA", "KLARNA");
test(gateway, "STRIPE", "STRIPE");
test(gateway, "MOLLIE", "MOLLIE");
test(gateway, "ADYEN", "ADYEN", "ADY");
test(gateway, "CLEVERBRIDGE", "CBA", "CLEVERBRIDGE");
test(gateway, "CHECKOUT", "CKO");
test(gateway, "BRAINTREE", "BT");
test(gateway, "WEPAY", "WPY", "WEPAY");
test(gateway, "INTUIT PAYMENTS", "IN");
test(gateway, "LIGHTSPEED", "LS", "LSP");
test(gateway, "EVENTBRITE", "EB");
test(gateway, "WORLDLINE", "WL");
test(gateway, "XSOLLA", "XSOLLA");
test(gateway, "GUMROAD", "GUM.CO", "GUM.CO/CC", "GUMROAD", "GUMROAD.COM");
test(gateway, "NAYAX", "NYA");
test(gateway, "CANTALOUPE", "CTLP");
test(gateway, "MERCADO PAGO", "MP", "MERPAGO", "MERCADOPAGO", "MERCADO PAGO");
test(gateway, "PAGSEGURO", "PAG", "PAGSEGURO");
test(gateway, "EBANX", "EBANX", "EBN", "EC");
test(gateway, "DLOCAL", "DLO", "DL");
test(gateway, "PAGARME", "PG");
test(gateway, "HOTMART", "HTM", "HOTMART");
test(gateway, "ASAAS", "ASA");
test(gateway, "PICPAY", "PICPAY");
test(gateway, "LINK2GOV", "L2G");
test(gateway, "BILL2PAY", "B2P");

test("EBANX stands before a hyphen, too", (t) => {
  t.like(merchantOf(null, "Ebanx-Roret"), { key: "RORET", gateway: "EBANX" });
});
test(gateway, "PAYU", "PAYU");
test(gateway, "IYZICO", "IYZICO", "IYZ");
test(gateway, "RAZORPAY", "RAZ", "RZP", "RAZORPAY");
test(gateway, "PAYTM", "PAYTM");
test(gateway, "NETS", "NETS");
test(gateway, "MOBILEPAY", "MOBILEPAY", "MOBILE PAY");
test(gateway, "SWISH", "SWISH");
test(gateway, "VIPPS", "VIPPS");

test("a gateway may end otherwise than with an asterisk where it usually does", (t) => {
  t.like(merchantOf(null, "ZETTLE_RORET"), { key: "RORET", gateway: "ZETTLE" });
  t.like(merchantOf(null, "PAYPAL INST XFER RORET WEB ID: PAYPALSI77"), { key: "RORET", gateway: "PAYPAL" });
  t.like(merchantOf(null, "PAYPAL INST XFER"), { key: "PAYPAL", gateway: "PAYPAL" });
  t.like(merchantOf(null, "ZETTLE_ RORET"), { key: "RORET", gateway: "ZETTLE" });
  t.like(merchantOf(null, "MobilePay: Roret"), { key: "RORET", gateway: "MOBILEPAY" });
  t.like(merchantOf(null, "MobilePay Roret"), { key: "RORET", gateway: "MOBILEPAY" });
  t.like(merchantOf(null, "Swish Roret"), { key: "RORET", gateway: "SWISH" });
  t.like(merchantOf(null, "Swish:Roret"), { key: "RORET", gateway: "SWISH" });
  t.like(merchantOf(null, "Vipps Roret"), { key: "RORET", gateway: "VIPPS" });
  t.like(merchantOf(null, "Vipps:Roret"), { key: "RORET", gateway: "VIPPS" });
});

test("a name that begins like a gateway's is a name", (t) => {
  t.like(merchantOf(null, "Swishero Roret"), { key: "SWISHERO RORET", gateway: null });
  t.like(merchantOf(null, "Netsroret"), { key: "NETSRORET", gateway: null });
  t.like(merchantOf(null, "Mobilepays Roret"), { key: "MOBILEPAYS RORET", gateway: null });
  t.like(merchantOf(null, "Vippsen Roret"), { key: "VIPPSEN RORET", gateway: null });
  t.like(merchantOf(null, "In Roret"), { gateway: null });
  t.like(merchantOf(null, "Btmaling *Roret"), { gateway: null });
});

test("where a gateway's customers are helped is no part of what they bought", (t) => {
  t.like(merchantOf(null, "GOOGLE *RORET g.co/helppay# CA"), { key: "RORET", gateway: "GOOGLE" });
  t.like(merchantOf(null, "GOOGLE*RORET SPIL G.CO HELPPAY#"), { key: "RORET SPIL", gateway: "GOOGLE" });
});

test("the gateway is told behind the bank's words", (t) => {
  t.like(merchantOf(null, "Kortkøb: PAYPAL *Roret"), { key: "RORET", gateway: "PAYPAL" });
});

test("a gateway that is named alone is the payee", (t) => {
  t.like(merchantOf(null, "Stripe"), { key: "STRIPE", gateway: "STRIPE" });
  t.like(merchantOf("PayPal", "PAYPAL *LYDBOGEN 402"), { key: "LYDBOGEN", gateway: "PAYPAL" });
  t.like(merchantOf(null, "Roret"), { key: "RORET", gateway: null });
});

test("a number behind a gateway names a payment, one at four letters a shop", (t) => {
  t.is(merchantOf(null, "PAYPAL *SHOP1234").key, "SHOP1234");
  t.is(merchantOf(null, "PAYPAL *SHOP1234 5501").key, "SHOP1234 5501");
  t.is(merchantOf(null, "PAYPAL *ABC1234").key, "PAYPAL");
  for (const reference of ["1234ABCD", "1234ABCD5678", "ABCD12E345"])
    t.is(merchantOf(null, `PAYPAL *${reference}`).key, "PAYPAL", reference);
  t.is(merchantOf(null, "PAYPAL *12").key, "12");
});

test("what stands behind an asterisk and is no order is part of the name", (t) => {
  t.is(merchantOf(null, "MICROSOFT*OFFICE365").key, "MICROSOFT OFFICE365");
  t.is(merchantOf(null, "VOGNEN *TRIP").key, "VOGNEN TRIP");
  t.is(merchantOf(null, "VOGNEN *B2BNET").key, "VOGNEN B2BNET");
  t.is(merchantOf(null, "VOGNEN *B2B2NET NORD").key, "VOGNEN B2B2NET NORD");
});

test("an order behind a name and an asterisk has six letters and digits, two digits among them, a letter behind one", (t) => {
  t.is(merchantOf(null, "VOGNEN *2K3LMN").key, "VOGNEN");
  t.is(merchantOf(null, "VOGNEN * 2K3LMN").key, "VOGNEN");
  t.is(merchantOf(null, "VOGNEN NORD*LK23MN").key, "VOGNEN NORD");
  t.is(merchantOf(null, "VOGNEN *2K3LM").key, "VOGNEN 2K3LM");
  t.is(merchantOf(null, "VOGNEN *LKB23M").key, "VOGNEN");
  t.is(merchantOf(null, "VOG*2K3LMN").key, "VOG");
  t.is(merchantOf(null, "VO *2K3LMN").key, "VO 2K3LMN");
});
