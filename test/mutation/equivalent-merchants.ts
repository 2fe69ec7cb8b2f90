/** Mutants of merchant.ts that no test can tell from the original, line by line. */
export const ofMerchants = [
  {
    file: "src/recognition/merchant.ts",
    lineText: '["MOBILEPAY", /^MOBILE ?PAY[ :*]+/],',
    changes: [["+", ""]],
    reason: "Only words are read of what is left, and signs are none.",
  },
  {
    file: "src/recognition/merchant.ts",
    lineText: '["SWISH", /^SWISH[ :*]+/],',
    changes: [["+", ""]],
    reason: "Only words are read of what is left, and signs are none.",
  },
  {
    file: "src/recognition/merchant.ts",
    lineText: '["VIPPS", /^VIPPS[ :*]+/],',
    changes: [["+", ""]],
    reason: "Only words are read of what is left, and signs are none.",
  },
  {
    file: "src/recognition/merchant.ts",
    lineText:
      '"PERIODIEKE OVERBOEKING", "POLECENIE ZAPLATY", "OBCIAZENIE", "CARTE(?: BANCAIRE)?", "PAIEMENT(?: PAR)? CARTE", "ACHAT (?:CB|CARTE)", "(?:PRLV|PRELEVEMENT)(?: SEPA)?",',
    changes: [['"PERIODIEKE OVERBOEKING", ', ""]],
    reason: "No folded text has OE: the words never begin a line.",
  },
  {
    file: "src/recognition/merchant.ts",
    lineText:
      "const FIELDS = / (?:EREF|KREF|MREF|CRED|DEBT|SVWZ|ABWE|IBAN|BIC)\\+.*$| (?:ECH|ID EMETTEUR|MDT|RUM|ICS|REF)\\/[^ ].*$/;",
    changes: [
      ["$", ""],
      ["$", "", 2],
    ],
    reason: "A text has one line, and what is repeated takes all of it.",
  },
  {
    file: "src/recognition/merchant.ts",
    lineText: "const WEB_PATH = /(?<=[A-Z]\\.[A-Z]{2,3})\\/\\S*/g;",
    changes: [["*", "+"]],
    reason: "A slash alone is a sign, and signs are no words.",
  },
  {
    file: "src/recognition/merchant.ts",
    lineText:
      '"Æ": "A", "Ø": "O", "Å": "A", "Ð": "D", "Þ": "TH", "Ł": "L", "ß": "SS", "Œ": "O", "Đ": "D", "’": "\'", "–": "-", "—": "-",',
    changes: [['"SS"', '""']],
    reason: "In capitals the letter is SS already.",
  },
  {
    file: "src/recognition/merchant.ts",
    lineText: "if (recent.size >= CACHE_SIZE_MAX) {",
    changes: [[">=", ">"]],
    reason: "Memory of what is computed the same each time: only time tells.",
  },
  {
    file: "src/recognition/merchant.ts",
    lineText: "const PUNCTUATION = /^[^A-Z0-9]+/;",
    changes: [
      ["^", ""],
      ["+", "*"],
    ],
    reason: "What stands behind a word is a sign or nothing, and is taken off whole.",
  },
  {
    file: "src/recognition/merchant.ts",
    lineText: "if (!/[/+:]/.test(text)) return text;",
    changes: [
      ["!/[/+:]/.test(text)", "false"],
      ["[", "[^"],
    ],
    reason: "A short cut: the way around it gives the same.",
  },
  {
    file: "src/recognition/merchant.ts",
    lineText: 'const name = names.find((one) => one !== undefined) ?? text.replace(FIELDS, "");',
    changes: [["find", "findLast"]],
    reason: "One name at most is told.",
  },
  {
    file: "src/recognition/merchant.ts",
    lineText:
      "const prefix = ANY_GATEWAY.test(searchText) ? GATEWAYS.find(([, pattern]) => pattern.test(searchText)) : undefined;",
    changes: [
      [
        "ANY_GATEWAY.test(searchText) ? GATEWAYS.find(([, pattern]) => pattern.test(searchText)) : undefined",
        "(GATEWAYS.find(([, pattern]) => pattern.test(searchText)))",
      ],
      ["find", "findLast"],
    ],
    reason: "A line begins with one gateway at most; looking for any first is a short cut.",
  },
  {
    file: "src/recognition/merchant.ts",
    lineText:
      'const words = prefix ? withoutNumber(wordsOf(searchText.replace(prefix[1], ""))) : wordsOf(withoutOrder(searchText));',
    changes: [['""', '"#"']],
    reason: "Only words are read of what is left, and signs are none.",
  },
  {
    file: "src/recognition/merchant.ts",
    lineText: "const NUMBERED_NAME = /^[A-Z]{4,}\\d+$/;",
    changes: [["+", "*"]],
    reason: "What is asked about has three digits at least.",
  },
  {
    file: "src/recognition/merchant.ts",
    lineText: "const ORDER = /(?<=[A-Z]{3}[^*]*)\\* ?(?=[A-Z]*\\d+[A-Z]+\\w*$)(?=(?:[A-Z]*\\d){2})[A-Z0-9]{6,}$/;",
    changes: [
      ["+", "", 2],
      ["$", ""],
      ["$", "", 2],
    ],
    reason: "What may follow is taken by the part behind it, which reaches the end.",
  },
  {
    file: "src/recognition/merchant.ts",
    lineText: 'return text.includes("*") ? text.replace(ORDER, "") : text;',
    changes: [
      ['text.includes("*") ? text.replace(ORDER, "") : text', '(text.replace(ORDER, ""))'],
      ['"*"', '""'],
      ['""', '"#"'],
    ],
    reason: "A short cut: the way around it gives the same.",
  },
  {
    file: "src/recognition/merchant.ts",
    lineText: "return (this.#title ??= titleOf(this.key, this.text));",
    changes: [["??=", "="]],
    reason: "Memory of what is computed the same each time: only time tells.",
  },
  {
    file: "src/recognition/merchant.ts",
    lineText:
      'for (let words = 0; words < BANK_WORDS_MAX && BANK_PREFIX.test(rest); words++) rest = rest.replace(BANK_PREFIX, "");',
    changes: [[" && BANK_PREFIX.test(rest)", ""]],
    reason: "Where nothing matches nothing is replaced.",
  },
  {
    file: "src/recognition/merchant.ts",
    lineText: "const PLAIN = /^[\\u0020-\\u007e]*$/;",
    changes: [
      ["*", ""],
      ["*", "+"],
    ],
    reason: "A short cut: the way around it gives the same.",
  },
  {
    file: "src/recognition/merchant.ts",
    lineText: "const plain = PLAIN.test(upper) ? upper : unaccented(upper);",
    changes: [["PLAIN.test(upper) ? upper : unaccented(upper)", "(unaccented(upper))"]],
    reason: "A short cut: the way around it gives the same.",
  },
  {
    file: "src/recognition/merchant.ts",
    lineText: ".replace(/[ÆØÅÐÞŁŒĐ’–—]/g, (letter) => FOLDED[letter] ?? letter)",
    changes: [[" ?? letter", ""]],
    reason: "All these letters are folded.",
  },
  {
    file: "src/recognition/merchant.ts",
    lineText:
      "return /[.'/]/.test(text) ? text.replace(/[.'](?=[A-Z]\\b)|(?<=\\b[A-Z])[./](?=[A-Z]\\b)/g, \"\") : text;",
    changes: [
      [
        "/[.'/]/.test(text) ? text.replace(/[.'](?=[A-Z]\\b)|(?<=\\b[A-Z])[./](?=[A-Z]\\b)/g, \"\") : text",
        '(text.replace(/[.\'](?=[A-Z]\\b)|(?<=\\b[A-Z])[./](?=[A-Z]\\b)/g, ""))',
      ],
      ["[", "[^"],
    ],
    reason: "A short cut: the way around it gives the same.",
  },
  {
    file: "src/recognition/merchant.ts",
    lineText:
      'return text.replace(MASKED_CARD, " ").replace(CURRENCY_AMOUNT, " ").replace(DATE_OR_TIME, " ").replace(FOREIGN_AMOUNT, " ");',
    changes: [
      ['" "', '""'],
      ['" "', '""', 2],
      ['" "', '""', 3],
      ['" "', '""', 4],
    ],
    reason: "What is taken off stands between signs or ends of the text, which part the words beside it.",
  },
  {
    file: "src/recognition/merchant.ts",
    lineText: 'if (!text.includes(".")) return text;',
    changes: [
      ['!text.includes(".")', "false"],
      ['"."', '""'],
    ],
    reason: "A short cut: the way around it gives the same.",
  },
  {
    file: "src/recognition/merchant.ts",
    lineText: 'return text.replace(WEB_PATH, " ").replace(WEB_ADDRESS, " ").replace(TOP_LEVEL_DOMAIN, " ");',
    changes: [
      ['" "', '""'],
      ['" "', '""', 2],
      ['" "', '""', 3],
    ],
    reason: "What is taken off stands between signs or ends of the text, which part the words beside it.",
  },
  {
    file: "src/recognition/merchant.ts",
    lineText: "return (at > 0 && MONTHS.has(word)) || (at > 1 && /^\\d+$/.test(word));",
    changes: [["+", "*"]],
    reason: "A word has one character at least.",
  },
  {
    file: "src/recognition/merchant.ts",
    lineText: "for (let index = 0; index < word.length; index++) if (word.charCodeAt(index) <= CODE_OF_9) digits++;",
    changes: [
      ["0", "(-1)"],
      ["<", "<="],
    ],
    reason: "No character stands there, and what is none is neither digit nor letter.",
  },
  {
    file: "src/recognition/merchant.ts",
    lineText: "return words.length > 1 && words.at(-1)!.length === 1 ? words.slice(0, -1) : words;",
    changes: [
      ["words.length > 1 && ", ""],
      [">", ">="],
      ["1", "0"],
    ],
    reason: "A name of one word has three letters at least.",
  },
  {
    file: "src/recognition/merchant.ts",
    lineText:
      "for (const word of words) for (let index = 0; index < word.length; index++) if (word.charCodeAt(index) > CODE_OF_9 && ++letters >= NAME_LETTERS_MIN) return true;",
    changes: [
      ["0", "(-1)"],
      ["<", "<="],
    ],
    reason: "No character stands there, and what is none is neither digit nor letter.",
  },
  {
    file: "src/recognition/merchant.ts",
    lineText: "return false;",
    changes: [["return false;", "return;"]],
    reason: "Whoever asks only wants to know whether it is true.",
  },
  {
    file: "src/recognition/merchant.ts",
    lineText: "const written = new Map(text.split(/[^\\p{L}\\p{N}]+/u).map((word) => [fold(word), word]));",
    changes: [["+", ""]],
    reason: "Between signs stands nothing, which no key has as a word.",
  },
] as const;
