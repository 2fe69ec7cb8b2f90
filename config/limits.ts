/**
 * The limits of what a sender may put into a batch or file, each with its reason. Sizes in bytes, lengths in UTF-16
 * units.
 */

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const gibibyte = 1024 * mebibyte;

/** Records in one TransactionsRequest. Source: interface document, rules for POST transactions. */
export const requestRecordsMax = 750;

/**
 * Plaintext of one request. 750 records are some 0.5 MB. One whose texts all have the longest length allowed below has
 * 5,856 characters: as UTF-8 at most three bytes each, with keys and numbers some 17,900 bytes. 750 of them are 13.4 MB,
 * and 17.9 MB as the base64url of a signed batch. Clients that write letters as \u escapes need twice that, and send
 * fewer of such records at a time.
 */
export const requestPlaintextBytesMax = 18 * mebibyte;

/**
 * One compact JWE in a request: base64url makes four characters of three bytes; header, key and tag fit in the rest.
 */
export const requestTokenLengthMax = Math.ceil((requestPlaintextBytesMax * 4) / 3) + 64 * kibibyte;

/** One line of a .jsonl file: a request's token, its reqId, and the JSON around them. */
export const lineBytesMax = requestTokenLengthMax + 64 * kibibyte;

/** Body of one pushed request: as one line of a file. */
export const requestBodyBytesMax = lineBytesMax;

/** What may stand outside strings around a token: keys and a few values of later versions. */
export const envelopeStructureBytesMax = 64 * kibibyte;

/** A manifest line: a number and a digest, and room for keys of later versions. */
export const manifestBytesMax = 4 * kibibyte;

/** One record's JSON text. The longest texts allowed below, every character escaped, stay under it. */
export const recordBytesMax = 64 * kibibyte;

/**
 * Of a file beyond this size it is asked what it repeats of earlier files, which need not be read then. What is new is
 * loaded at once (below), or looked through before any of it is read: it has more than one chunk's records in any case.
 */
export const surveyedFirstBytes = 4 * mebibyte;

/**
 * Pieces by which it is known again: some 200 KiB. Larger, and one record that is new has more read again; smaller, and
 * keeping them would cost more than one part in a hundred of loading. So many are remembered of one file, of some 10 GB;
 * what stands behind them is read.
 */
export const pieceRules = {
  recordsMin: 64,
  recordsMax: 4096,
  bytesMax: mebibyte,
  oneIn: 512,
  piecesMax: 50_000,
} as const;

/** Of a large file's front, to see whether it repeats an earlier one: some pieces, a few milliseconds. */
export const piecesProbedBytes = mebibyte;

/**
 * A large file up to this size, some million records, is loaded in one transaction while it is read for the first time,
 * if that comes to its end within these bounds; else it is looked through to its end before that is committed. Looking
 * through costs a fifth of loading. So long, the time in which it is parked left out, may others who bring the same txids
 * have to wait. So many records go in one COPY, a subtransaction, of which a server tells 64 by heart: when one of them is
 * there already they are all read again, and with each end of a COPY the server waits for the next one's first rows.
 */
export const atOnceSealedBytesMax = 64 * mebibyte;
export const atOnceChunksMax = 63;
export const atOnceCopyRecordsMax = 100_000;
export const atOnceMsMax = 10_000;
/** Of whom it tells at its end, in one statement each; and the txids that it remembers for that. */
export const atOnceUsersMax = 20_000;
export const atOnceTxidsMax = 200_000;

/** Users of the pieces that one file is known by, some 20 MB: in the order of a day each piece has hundreds. */
export const pieceUsersMax = 2_000_000;

/** Objects in arrays in objects: a record has three levels; unknown keys may nest, but not without end. */
export const recordDepthMax = 32;

/** What is handed to JSON.parse at once: small enough for constant memory, large enough that the call costs nothing. */
export const groupBytesMax = 64 * kibibyte;

/**
 * What inflating hands on at once: each piece costs a change of threads, and with 64 KiB a quarter of the time went
 * there.
 */
export const inflatedPieceBytes = 256 * kibibyte;

/** Most batches inflate to less than this many times their size; a larger one only comes in several pieces. */
export const inflateRatioUsual = 12;

/** Inflated size by deflated size. Transactions reach 8 to 15, highly repetitive ones 50; a bomb reaches 1,000. */
export const inflateRatioMax = 200;

/**
 * The same over all layers of a file together, compression inside encryption inside compression; and what any file may
 * open to, which is one batch as large as they come.
 */
export const openedRatioMax = inflateRatioMax;
export const openedBytesAlways = requestPlaintextBytesMax;

/** Lines of one file that are remembered, to know one that comes again: some 20 MB. */
export const linesRememberedMax = 100_000;

/** The ratio is not asked before this much came out: a short text may repeat itself by chance. */
export const inflateRatioFromBytes = mebibyte;

/**
 * Plaintext of one file: some 400 million records. AES-GCM itself ends at 64 GiB under one IV (NIST SP 800-38D,
 * 5.2.1.1).
 */
export const filePlaintextBytesMax = 256 * gibibyte;
export const fileCiphertextBytesMax = 64 * gibibyte - 32;

/** The protected header: four short members; a kid of this size would be no identifier any more. */
export const headerLengthMax = 4 * kibibyte;

/** The wrapped content key: RSA-8192 gives 1,024 bytes, which are 1,366 characters. */
export const encryptedKeyLengthMax = 1400;

/**
 * Records loaded in one database transaction. From 2,500 to 20,000 they cost the same processor time each; fewer cost
 * commits, more cost memory and work that is lost with a crash.
 */
export const chunkRecordsMax = 20_000;

/** Plaintext held for one chunk when records are large: bounds a worker's memory whatever senders write. */
export const chunkBytesMax = 32 * mebibyte;

/**
 * A chunk is tried again when a reqId was taken by another door meanwhile; each time one line less can be the cause.
 */
export const chunkAttemptsMax = 5;

/** Problems named in an answer. Source: product.md of the HTTPS door; enough to see the pattern of a fault. */
export const problemsAnsweredMax = 100;

/** Problems kept of one delivery: a receipt stays readable and the table small; the counts stay exact beyond it. */
export const problemsKeptMax = 10_000;

/**
 * Lengths of a record's texts. An identifier is part of an index whose rows end at 2,704 bytes, so 255 × 3 bytes is
 * safe.
 */
export const identifierLengthMax = 255;
/** What users are created with; see the users table. */
export const bankUserIdLengthMax = 200;
export const descriptionLengthMax = 2000;
export const nameLengthMax = 500;
/** Codes and kinds: transaction types, card types, networks, post codes, countries. */
export const codeLengthMax = 100;
/** ISO 13616: 34 characters, and room for the blanks people write between them. */
export const ibanLengthMax = 64;
/** Four digits, and room for a mask such as *1234. A whole card number must not land here. */
export const pan4LengthMax = 8;
/** A time stamp with fraction, zone and zone name. */
export const timeLengthMax = 64;
/** ISO 18245: merchant category codes have four digits. */
export const mccMax = 9999;

/** No household's payment; whatever is beyond would not be exact in a binary float either. */
export const amountAbsoluteMax = 1e15;

/** Years in which a transaction can lie: electronic accounts are younger, and series are never followed beyond. */
export const yearMin = 1900;
export const yearMax = 2199;
