/** Who collects money for others and writes the shop's name behind its own, or behind letters that stand for it. */

/** Prefixes that name who collects the money, not whom it is for. */
const gateways: readonly (readonly [string, RegExp])[] = [
  ["PAYPAL", /^(?:(?:PAYPAL|PP) ?\* ?|PAYPAL INST XFER\b ?)/],
  ["SQUARE", /^SQ ?\* ?/],
  ["SUMUP", /^SUMUP ?\* ?/],
  ["ZETTLE", /^(?:IZ|IZETTLE|ZETTLE|ZTL) ?[*_] ?/],
  ["TOAST", /^TST ?\* ?/],
  ["SHOPIFY", /^SP ?\* ?/],
  ["PADDLE", /^PADDLE(?:\.NET)? ?\* ?/],
  ["FASTSPRING", /^(?:FS|FSPRG(?:\.COM)?) ?\* ?/],
  ["2CHECKOUT", /^(?:2CO(?:\.COM)?|AVANGATE) ?\* ?/],
  ["DIGITAL RIVER", /^DRI ?\* ?/],
  ["CLEVERBRIDGE", /^(?:CBA|CLEVERBRIDGE) ?\* ?/],
  ["GOOGLE", /^GOOGLE ?\* ?/],
  ["KLARNA", /^KLARNA(?: BANK)?(?: AB)?(?: ?\(PUBL\))?(?: ?\*| ) ?/],
  ["STRIPE", /^STRIPE ?\* ?/],
  ["MOLLIE", /^MOLLIE ?\* ?/],
  ["ADYEN", /^(?:ADYEN|ADY) ?\* ?/],
  ["CHECKOUT", /^CKO ?\* ?/],
  ["BRAINTREE", /^BT ?\* ?/],
  ["WEPAY", /^(?:WPY|WEPAY) ?\* ?/],
  ["INTUIT PAYMENTS", /^IN ?\* ?/],
  ["LIGHTSPEED", /^LSP? ?\* ?/],
  ["EVENTBRITE", /^EB ?\* ?/],
  ["WORLDLINE", /^WL ?\* ?/],
  ["XSOLLA", /^XSOLLA ?\* ?/],
  ["GUMROAD", /^(?:GUM\.CO|GUMROAD(?:\.COM)?)(?:\/CC)? ?\* ?/],
  ["NAYAX", /^NYA ?\* ?/],
  ["CANTALOUPE", /^CTLP ?\* ?/],
  ["MERCADO PAGO", /^(?:MP|MERPAGO|MERCADO ?PAGO) ?\* ?/],
  ["PAGSEGURO", /^(?:PAG|PAGSEGURO) ?\* ?/],
  ["EBANX", /^(?:EBANX(?: ?\*|-)|(?:EBN|EC) ?\*) ?/],
  ["DLOCAL", /^(?:DLO|DL) ?\* ?/],
  ["PAGARME", /^PG ?\* ?/],
  ["HOTMART", /^(?:HTM|HOTMART) ?\* ?/],
  ["ASAAS", /^ASA ?\* ?/],
  ["PICPAY", /^PICPAY ?\* ?/],
  ["LINK2GOV", /^L2G ?\* ?/],
  ["BILL2PAY", /^B2P ?\* ?/],
  ["PAYU", /^PAYU ?\* ?/],
  ["IYZICO", /^(?:IYZICO|IYZ) ?\* ?/],
  ["RAZORPAY", /^(?:RAZ|RZP|RAZORPAY) ?\* ?/],
  ["PAYTM", /^PAYTM ?\* ?/],
  ["NETS", /^NETS ?\* ?/],
  ["MOBILEPAY", /^MOBILE ?PAY[ :*]+/],
  ["SWISH", /^SWISH[ :*]+/],
  ["VIPPS", /^VIPPS[ :*]+/],
];

const anyGateway = new RegExp(gateways.map(([, pattern]) => pattern.source).join("|"));

export const gatewayNames: ReadonlySet<string> = new Set(gateways.map(([name]) => name));

/** The one that a normalised line begins with, by name and pattern; undefined where it begins with none. */
export function gatewayBefore(line: string): readonly [string, RegExp] | undefined {
  return anyGateway.test(line) ? gateways.find(([, pattern]) => pattern.test(line)) : undefined;
}
