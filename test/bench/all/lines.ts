/**
 * The lines of docs/performance.md: what is measured, the goal, and where the figure stands in what a benchmark prints.
 * A benchmark that does not print it any more leaves its line unmeasured, which is said; its own words are in the report
 * either way.
 */

export type Line = {
  what: string;
  /** The benchmark that tells it. */ of: string;
  /** Its figures are the groups, in their order. */ at: RegExp;
  /** By figure. `least`: reached from there upwards; `most`: up to there. */
  goals: readonly (({ least: number } | { most: number }) & { unit: string })[];
  /** What stands between the figure and the goal, told while it is not reached: once for all lines that have the same. */
  why?: string;
};

const ofFloor = (least: number) => ({ least, unit: "of the floor" });
const ms = (most: number) => ({ most, unit: "ms" });

const whyFile =
  "the server's COPY takes 3 µs a row, as psql's does, and the thread that opens, splits, checks, digests and writes the rows somewhat more beside it: both processors are busy, but for some 70 ms at both ends that a larger file has as well (3.2 µs a row between). Until the server has a row the delivery is locked (each step's least of nine traced loads: 3 ms), the tag is verified over the whole file (11, of which 5 are the processor's), and some 625 rows are read and assigned, whose pieces are asked for meanwhile and whose COPY stands open by then: of this thread's processor time it is 12 to 21 ms where it was 22 to 34, when the front was looked through for known pieces before and the first 2,458 rows were gathered (the least of each of five pairs of runs on a machine that others keep busy). Behind the last row stand accounts and cards of its 500 users, users with what came of them, pieces (of 7 ms of the server about half is their reference to the partner, asked once a piece) and the commit, all in one transaction and so one after the other, but sent without a wait between them: of a hundred pairs in turns on such a machine, where each wait is one for a processor, the median of users, accounts and cards took a fifth less, that of checkpoint and pieces two fifths. One COPY or two instead of three were no faster that could be seen";
const whyPush =
  "a push of which four are under way takes 3.4 ms of processors: 1.75 ms in the thread that opens it (RSA 0.7 ms, cutting and checking its 750 records 0.45 ms, inflating, deciphering and hashing 0.45 ms), 0.7 ms in the server, 0.6 ms in the thread that talks to the caller, 0.1 to 0.25 ms in V8 beside them, 0.15 ms in the sender. The floor takes 2.6 ms: RSA, inflating, JSON.parse (1.1 ms) and a plain insert. With one at once these steps follow each other, and none of them waits long. With four at once a sixth of both processors idles while all threads compute at the same moment. With sixty-four at once pushes share statements, which are larger. Tried without a gain: hashing in another thread, three plain inserts in place of one function, one look for the users of all, comparing eight bytes of a record at a time. A new segment of the server's log costs 11 ms every 340 pushes, those of the floor too";
const whyFirst =
  "documents lie in the database as gzip, which most callers take as it is. For the others a first read inflates them: 0.07 ms for 76 kB, 0.26 ms for 292 kB, nearly all of it zlib's own work. Kept as zstd it would be 0.04 and 0.14 ms, but they would have to be kept twice. In threads it would cost both processors 0.12 to 0.16 ms more, and neither idles here. The rest is the statement's share, and memory that was not used a moment ago: TLS copies head and body together before it encrypts them. Sent apart they are not copied, but each read cost 8 to 20 % more of both processors";
const whyFirstPacked =
  "a first read brings the document from the database into memory of its own: 0.02 ms of the server and 0.03 ms of the API more than asking for its version. The floor sends bytes that it has. The rest is what is said of reads again: callers who share statements leave a sixth of both processors idle";
const whyAgain =
  "each call asks the database which version is in force, under a claim that names its caller; the floor looks for one row, and for nobody. In processor time the API is near the floor (0.9 to 1.1 of it). But callers of one moment share a statement, are answered together and ask together again: a sixth of both processors idles, and none with the floor. Smaller groups would idle less and cost more: a statement for four callers takes 0.155 ms of the server, and one for a single caller 0.11 ms (the trip and a function's call 0.05 ms, the proof of the claim 0.04 ms)";
const whySmall =
  "a file by itself is three answers (open, write, close). On a machine that others use as well, the quarter of the files with the least waiting took 2.1 ms: between the answers the client and the line .65, open .16, write .03, close 1.3, of which its statement was 1.0 (the server's work .35 for the row in its indexes and its bytes, the disk's flush .25, the rest messages and turns of the processors); the mean of the statement was 2.7, since whatever else runs makes it wait. Processor time a file, until it is loaded and has its receipt: 3.8 ms with one connection and 3.3 to 3.8 with eight once the service is warm, 7.8 in the first 500 files after a start, which are told apart: its threads start and compile then, on the same two processors. Of 5.9 ms on a busy machine, sampled: threads that open, load and sign 1.9 (RSA .7, receipts .2), the door's thread 1.8 (1.2 until a file has landed, in which nothing has more than .1: answers, AES-GCM, lines of the log, the database's client), the server 1.4 (a row's insert .32 alone, .09 of it conditions and references, and .05 among 200; each of its three updates .05, in all its indexes; no index by itself showed), V8 beside them .5, the disk's pool .3. Since then the door takes a small file's five steps on the disk itself and not in that pool: .74 ms of its processors a file where they were .90, one connection and nothing else of the service counted, and .91 where they were .98 with eight. On a quiet machine eight connections keep both processors four fifths busy until the last file has landed (the client .39, the door's thread .66, the server .38, with a group of four or five files under way at a time and the door waiting for it), and one is a chain in which something always runs. What is left in it is the server: a row in a table without indexes, references or a look for the same bytes would cost it .13 in place of .38 and take .37 ms in place of .62, of which indexes beyond three are .13: of 2.1 ms a file that comes to .77 of sshd at best, and each file would be written twice, first there and then where deliveries are, on processors that eight connections keep busy. Two groups under way at once, of fewer files each, cost the server 1.5 ms a file in place of .9 on a busy machine. A function of the server in place of the statement and answers written in one piece instead of three were measured and spared nothing; a collector with fewer threads was too near to tell. Since then what files loaded together say of accounts and cards is told once: of ten together, on a busy machine, the server took 3.0 ms a file where it took 3.8, and the threads that load 3.0 where they took 3.4";

const whySftp =
  "what is told as landed is on the disk, from 32 MiB on past the kernel's cache: there the disk takes 1.4 to 2.4 GB/s for .1 s of processor a GiB, where a file that is written through the cache and synced gets 340 to 740 MB/s of it and costs .3 to 1.3. Beside seven other programs a GiB up cost the door 2.2 to 2.7 s of processor (2.6 to 3.3 through the cache), with fsync 2.2 to 2.4 (3.8 to 4.5). What it receives and sends it frees itself since, and answers to writes leave together: on a fuller machine up cost 2.80 s before and 2.41 after, with fsync 3.00 and 2.47, down 1.68 and 1.67 (in pairs .94). The client's processor is not full: its two processes take .45 of one up and .54 down. Of what is left in the door's one thread SHA-256 takes .6 s a GiB, AES-GCM .2, the kernel's copies .3 to .4, and each of 33,000 packets of 32 KiB, which the client sends and takes no larger, some 15 µs for a cipher of its own and its way through ssh2. A thread for SHA-256 would gain little on two processors: with least waiting in memory door and client take 3.1 s of them together, and the door's thread 1.5. Down, the client writes onto the disk that is read from";
const whySftpInMemory =
  "the door receives, deciphers and hashes on one thread, 1.9 to 2.6 s of processor a GiB up with what writes beside it, and sends by it, 1.3 to 1.7 s down, of which the thread has 1.0 to 1.2: .4 the kernel's copying into the connection, .2 AES-GCM, .2 copies of cold memory, the rest 33,000 packets, since the client takes none above 32 KiB. sshd, which hashes nothing, takes 2.7 and 2.1. The client takes 1.2 to 1.5 s with the door and 2.1 to 2.4 with sshd; how full each keeps a processor stands beside the rates";

/** Of the last one: by then nothing is compiled any more. */
export const nightsLine =
  "a night of three new rows a user with 1,600 before, in processor time: how many times cheaper than the same users from nothing";
const whyNights =
  "what searches found, at a payee and across names, and what lines were read as, behind a bank's opening words too, is kept, and rows come in order; everything else is done anew over all rows each night: they are unpacked and grouped by payee (an eighth of the thread's time each), payees that new rows belong to are searched and others' digests made, payees that changed their names are looked for among all (together a quarter), and what is told of the user is made and compared as a whole (a seventh). No part of it is more than a few hundredths by itself: to come near an eighth, payees with nothing regular, most of a user's rows, would have to be kept as sums and never become rows. The line stands for today's program in both figures; the issue asks for an eighth of what a night cost before pasts were kept. Held against that version once (73e1764b, 2026-11-27, the same rows of 120 users over a database each, on a machine that others kept busy): 130, 119 and 114 ms a user in its first three nights, 66, 53 and 52 in this one's, which is 1/2.2";

/** What read.ts says of one document with eight callers at once, who take gzip or do not. */
const readAs = (what: string, how: "" | " of gzip", first: number, repeated: number): Line[] => [
  {
    what: `GET ${what}${how && ", as gzip"}, first, eight at once`,
    of: "read",
    at: new RegExp(`^${what}, [\\d.]+ kB${how}, 8 at once: .*first [\\d.]+/s, ([\\d.]+) of the floor`, "m"),
    goals: [ofFloor(first)],
    why: how ? whyFirstPacked : whyFirst,
  },
  {
    what: `GET ${what}${how && ", as gzip"}, again, eight at once`,
    of: "read",
    at: new RegExp(`^${what}, [\\d.]+ kB${how}, 8 at once: repeated [\\d.]+/s, ([\\d.]+) of the floor`, "m"),
    goals: [ofFloor(repeated)],
    why: whyAgain,
  },
];
const read = (what: string, first: number, repeated: number): Line[] => readAs(what, "", first, repeated);
const readEither = (what: string, first: number, repeated: number): Line[] => [
  ...read(what, first, repeated),
  ...readAs(what, " of gzip", first, repeated),
];

const known = (format: string, why: string): Line => ({
  what: `a file of which all is known, .${format}, 2·10⁵ rows`,
  of: "ingest",
  at: new RegExp(`^200000 rows:[^]*?\\.${format} of which every record is known .*ratio to psql ([\\d.]+)`, "m"),
  goals: [{ least: 1, unit: "of one psql \\copy of new rows" }],
  why,
});

const push = (concurrency: number, p99Ms: number | null): Line => ({
  what: `push of 750 records, ${concurrency} at once${p99Ms === null ? "" : ", and p99"}`,
  of: "push",
  at: new RegExp(
    `^${concurrency} at once,.* ratio ([\\d.]+);${p99Ms === null ? "" : " p50 [\\d.]+ ms, p99 ([\\d.]+) ms"}`,
    "m",
  ),
  goals: [ofFloor(0.75), ...(p99Ms === null ? [] : [ms(p99Ms)])],
  why: whyPush,
});

const sftp = (direction: string, what: string, where: "on disk" | "in memory" = "on disk"): Line => ({
  what: `SFTP 1 GiB ${what}, OpenSSH's client${where === "on disk" ? "" : `, ${where}`}`,
  of: "sftp",
  // A smaller file's is another figure.
  at: new RegExp(`^1024 MiB with OpenSSH's client ${where}[^]*?^  ${direction} +ratio ([\\d.]+)`, "m"),
  goals: [{ least: 1.4, unit: "of sshd" }],
  why: where === "on disk" ? whySftp : whySftpInMemory,
});

const smallFiles = (how: string, least: number): Line => ({
  what: `small files over SFTP, OpenSSH's client, ${how}; loaded after the last`,
  of: "small-files",
  at: new RegExp(`^OpenSSH sftp, ${how}: .* ([\\d.]+) of sshd synced.*loaded ([\\d.]+) s after the last`, "m"),
  goals: [
    { least, unit: "of sshd with fsync" },
    { most: 3, unit: "s" },
  ],
  why: whySmall,
});

const exported = (format: string, least: number): Line => ({
  what: `transactions exported as ${format}`,
  of: "export",
  at: new RegExp(`^${format}: .*ratio ([\\d.]+)`, "m"),
  goals: [{ least, unit: "of psql's \\copy to" }],
});

export const lines: readonly Line[] = [
  {
    what: "one large file, .jwe, 10⁶ rows",
    of: "ingest",
    at: /^1000000 rows:[^]*?\.jwe .*ratio to psql ([\d.]+)/m,
    goals: [{ least: 1.15, unit: "of one psql \\copy" }],
    why: whyFile,
  },
  {
    what: "one large file, .jwe, 2·10⁵ rows",
    of: "ingest",
    at: /^200000 rows:[^]*?\.jwe .*ratio to psql ([\d.]+)/m,
    goals: [{ least: 1.15, unit: "of one psql \\copy" }],
    why: whyFile,
  },
  known("jwe", "the file is deciphered, inflated and digested to its end before its pieces are known"),
  known("jsonl", "its lines are known by their bytes, which are read twice: for the manifest and for that"),
  {
    what: "files of three partners at once: of one alone, and the least share of an equal one",
    of: "partners",
    at: /rows\/s \([\d.]+ µs a row\), ratio ([\d.]+); least share ([\d.]+) of/,
    goals: [
      { least: 0.9, unit: "of one alone" },
      { least: 0.9, unit: "of an equal share" },
    ],
    why: "three threads share two processors and their caches: a row costs a sixth more than alone",
  },
  push(1, null),
  push(4, null),
  push(16, 60),
  push(64, null),
  ...readEither("services", 0.75, 0.92),
  ...read("upcoming payments", 0.75, 0.85),
  ...readEither("budget", 0.75, 0.92),
  ...readEither("budget's details", 0.7, 0.9),
  sftp("up", "up"),
  sftp("up -f", "up with fsync"),
  sftp("down", "down"),
  sftp("up", "up", "in memory"),
  sftp("up -f", "up with fsync", "in memory"),
  sftp("down", "down", "in memory"),
  {
    what: "memory of the service, all roles, idle after the demo",
    of: "start",
    at: /memory [\d.]+ s after the demo: the service (\d+) MB/,
    goals: [{ most: 250, unit: "MB" }],
  },
  {
    what: "memory of the service, all roles, at its most since it began, the demo loaded and recognised",
    of: "start",
    at: /at most (\d+) MB since it began/,
    goals: [{ most: 600, unit: "MB" }],
    why: "each thread has a heap of its own, with what it compiled; at the demo's peak eight are there at once",
  },
  {
    what: "first start of the demo: ready, recognised",
    of: "start",
    at: /ready in ([\d.]+) s, recognised in ([\d.]+) s/,
    goals: [
      { most: 6, unit: "s" },
      { most: 10, unit: "s" },
    ],
    why: "the demo's people are made, sealed, sent, loaded and recognised on processors that start everything else meanwhile: of 15.0 s that both together take until then on a busy machine, recognition's thread has 2.4 (its code is cold, .4 is the index of words), those that open and load 1.6, the main thread 2.1 (.9 reading modules), V8 beside them 3.1 (about half compiling, a third collecting), PostgreSQL 2.6 with making its files, keys and packing .9, and the sender 2.3. Since then what the installation compiles holds for threads and sender as well, and for the service itself, which was left out since it is read after the sender was started: to read it took 3.4 s and takes 2.1: on a machine twice as busy a thread took .9 to 1.4 s to read its files, and takes .3 to .8, and the sender .8 and takes .3. Looked for and found to spare nothing that could be seen: keeping with what is compiled the functions that a start calls later, a collector with one thread or a larger young generation for the sender",
  },
  {
    what: "the event loop's p99 delay while files load, above idle",
    of: "event-loop",
    at: /p99 delay above idle: ([\d.]+) ms/,
    goals: [ms(10)],
  },
  smallFiles("one connection", 0.8),
  smallFiles("eight connections", 1),
  {
    what: "waiting rows released, 10⁶ in the order of a day",
    of: "release",
    at: /ratio of both to psql ([\d.]+)/,
    goals: [{ least: 0.5, unit: "of psql's \\copy of the same rows in the same order" }],
    why: "a row is read twice from the original, once to be held and once to be released, and goes in chunk by chunk in the order of the file, each of which touches the index all over",
  },
  exported("csv", 0.5),
  exported("jsonl", 0.5),
  exported("parquet", 0.2),
  {
    what: nightsLine,
    of: "recognition",
    at: /a night with kept pasts[^]*?a night with kept pasts[^]*? {2}of recognising the same users from nothing: [^,]*, 1\/([\d.]+) of its processors/,
    goals: [{ least: 8, unit: "times" }],
    why: whyNights,
  },
];

export type Judged = { line: Line; figures: number[] | null; isReached: boolean };

/** @param said what each benchmark printed, by name; of those that were not run there is nothing */
export function judge(line: Line, said: ReadonlyMap<string, string>): Judged {
  const found = line.at.exec(said.get(line.of) ?? "");
  if (found === null) return { line, figures: null, isReached: false };
  const figures = found.slice(1).map(Number);
  const isReached = line.goals.every((goal, n) => {
    const figure = figures[n] ?? Number.NaN;
    return "least" in goal ? figure >= goal.least : figure <= goal.most;
  });
  return { line, figures, isReached };
}
