/**
 * Which elements of an entry mean something, and where their texts go: what entry.ts reads from parsed elements, as a
 * table for reading entries where they stand (entry-scanner.ts). An entry with an element that is refused here is left
 * to the parser, as is one with an element twice that should come once.
 */

/** Numbers of the texts that are found. */
export const slot = {
  amount: 0,
  side: 1,
  reversal: 2,
  status: 3,
  statusCode: 4,
  bookingDay: 5,
  bookingMoment: 6,
  valueDay: 7,
  valueMoment: 8,
  reference: 9,
  /** Four of them: domain, family, sub-family, the bank's own. */
  codes: 10,
  instructed: 14,
  counterValue: 15,
  addition: 16,
  detailReference: 17,
  endToEnd: 18,
  detailInstructed: 19,
  detailCounterValue: 20,
  detailCodes: 21,
  detailReversal: 25,
  purpose: 26,
  creditorReference: 27,
  detailAddition: 28,
  /** Each party has seven: name, post code, city, country, identifier, private identifier, its scheme. */
  debtor: 29,
  creditor: 36,
  ultimateDebtor: 43,
  ultimateCreditor: 50,
} as const;
export const slotCount = 57;

/** Of a remittance's lines, which are as many as the sender wrote. */
export const remittanceLine = -2;
const nothing = -1;

/** A slot, what stands below, or null: refused. "": the slot of its own text, where both may be. */
type Shape = number | null | { readonly [name: string]: Shape };

const day = (first: number): Shape => ({ Dt: first, DtTm: first + 1 });
const codes = (first: number): Shape => ({
  Domn: { Cd: first, Fmly: { Cd: first + 1, SubFmlyCd: first + 2 } },
  Prtry: { Cd: first + 3 },
});
const amounts = (instructed: number, counterValue: number): Shape => ({
  InstdAmt: { Amt: instructed },
  CntrValAmt: { Amt: counterValue },
});

function party(first: number): Shape {
  const below = {
    Nm: first,
    PstlAdr: { PstCd: first + 1, TwnNm: first + 2, Ctry: first + 3 },
    Id: { OrgId: { Othr: { Id: first + 4 } }, PrvtId: { Othr: { Id: first + 5, SchmeNm: { Prtry: first + 6 } } } },
  };
  return { ...below, Pty: below };
}

const details: Shape = {
  Refs: { AcctSvcrRef: slot.detailReference, EndToEndId: slot.endToEnd },
  AmtDtls: amounts(slot.detailInstructed, slot.detailCounterValue),
  BkTxCd: codes(slot.detailCodes),
  RltdPties: {
    Dbtr: party(slot.debtor),
    UltmtDbtr: party(slot.ultimateDebtor),
    Cdtr: party(slot.creditor),
    UltmtCdtr: party(slot.ultimateCreditor),
    TradgPty: null,
  },
  Purp: { Cd: slot.purpose },
  RmtInf: { Ustrd: remittanceLine, Strd: { CdtrRefInf: { Ref: slot.creditorReference }, AddtlRmtInf: null } },
  AddtlTxInf: slot.detailAddition,
  RvslInd: slot.detailReversal,
  CardTx: null,
};

const entry: Shape = {
  Amt: slot.amount,
  CdtDbtInd: slot.side,
  RvslInd: slot.reversal,
  Sts: { "": slot.status, Cd: slot.statusCode },
  BookgDt: day(slot.bookingDay),
  ValDt: day(slot.valueDay),
  AcctSvcrRef: slot.reference,
  BkTxCd: codes(slot.codes),
  AmtDtls: amounts(slot.instructed, slot.counterValue),
  CardTx: null,
  NtryDtls: { TxDtls: details },
  AddtlNtryInf: slot.addition,
};

/** The table's elements by number; the entry is the first. */
export type Node = {
  path: string;
  name: Uint8Array;
  slot: number;
  isRefused: boolean;
  /** Nothing else may stand beside it. */
  isAlone: boolean;
  children: readonly number[];
};

export const nodes: readonly Node[] = listNodes();

/** Where the detail has a domain, its codes count instead of the entry's. */
export const detailDomain: number = nodes.findIndex(({ path }) => path === "/Ntry/NtryDtls/TxDtls/BkTxCd/Domn");

function listNodes(): Node[] {
  const list: Node[] = [];
  const add = (name: string, shape: Shape, above: string): number => {
    const number = list.length;
    const path = `${above}/${name}`;
    const below = typeof shape === "object" && shape !== null ? shape : {};
    const { "": own = nothing, ...children } = below;
    const node = {
      path,
      name: Buffer.from(name),
      slot: typeof shape === "number" ? shape : typeof own === "number" ? own : nothing,
      isRefused: shape === null,
      isAlone: name === "Pty",
      children: [] as number[],
    };
    list.push(node);
    for (const [child, its] of Object.entries(children)) node.children.push(add(child, its, path));
    return number;
  };
  add("Ntry", entry, "");
  return list;
}
