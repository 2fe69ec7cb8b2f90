/** Each line of the report finds its figures in what the benchmarks print, and says whether its goals are reached. */
import test from "ava";
import { judge, lines, nightsLine } from "./lines.ts";

const said = new Map([
  [
    "read",
    [
      "services, 76.3 kB, 1 at once: repeated 1/s, 0.10 of the floor, 0.20 of the identified one; first 1/s, 0.30 of the floor, 0.40 of the identified one",
      "services, 76.3 kB, 8 at once: repeated 2075/s, 0.94 of the floor, 1.09 of the identified one (p50 2.8, p99 27.9 ms; 0.24 + 0.20 ms); first 1329/s, 0.42 of the floor, 0.82 of the identified one (p50 3.6, p99 57.3 ms; 0.35 + 0.45 ms); floor 2503/s",
      "budget, 49.8 kB, 8 at once: repeated 832/s, 0.36 of the floor, 0.66 of the identified one; first 923/s, 0.33 of the floor, 0.74 of the identified one",
      "budget's details, 291.7 kB, 8 at once: repeated 558/s, 1.02 of the floor, 1.04 of the identified one; first 303/s, 0.57 of the floor, 0.45 of the identified one",
    ].join("\n"),
  ],
  [
    "push",
    [
      "1 at once, 1 door threads: 62 requests/s, floor 117, ratio 0.53; p50 15 ms, p99 20 ms; processor a request",
      "16 at once, 1 door threads: 131 requests/s, floor 166, ratio 0.79; p50 100 ms, p99 121 ms; processor a request",
    ].join("\n"),
  ],
  [
    "sftp",
    "1024 MiB with OpenSSH's client on disk, which takes 310 MB/s written and synced alone, medians of 5:\n  up    ratio 1.37 (1.30 to 1.44); of CPU 1.20\n  up -f ratio 1.41 (1.30 to 1.44); of CPU 1.20\n" +
      "1024 MiB with OpenSSH's client in memory, which takes 2310 MB/s written and synced alone, medians of 5:\n  up    ratio 1.21 (1.10 to 1.24); of CPU 1.20",
  ],
  [
    "ingest",
    "200000 rows: psql's \\copy 237 k rows/s, COPY out of memory 250 k rows/s\n  .jwe 222 k rows/s, 4.1 µs a row here and 3.1 in the server, 7.2 in all, memory grew by at most 9 MiB, ratio to psql 0.94, to two 0.60, to memory 0.90\n  .jwe of which every record is known 95 k rows/s, 4.2 µs a row here and 8.8 in the server, 13.0 in all, memory grew by at most 9 MiB, ratio to psql 0.41",
  ],
  [
    "partners",
    "files of 1000000 records, one alone 220 k rows/s (7.2 µs a row), of 3 partners 209 k rows/s (7.4 µs a row), ratio 0.95; least share 0.88 of an equal one (load 2.1)",
  ],
  ["start", "first start, median of 5: ready in 5.2 s, recognised in 11.0 s (processors 6.0 and 9.0 s of 2; load 0.4)"],
  ["event-loop", "p99 delay above idle: 9.5 ms"],
  [
    "small-files",
    "OpenSSH sftp, one connection: 1000 files at 230 files/s, 1.10 of sshd synced at 209, 0.20 of sshd unsynced at 1150; loaded 2.1 s after the last; memory 300 MB\n" +
      "OpenSSH sftp, eight connections: 1000 files at 300 files/s, 0.35 of sshd synced at 857, 0.20 of sshd unsynced at 1150; loaded 2.8 s after the last; memory 300 MB",
  ],
  [
    "export",
    "csv: 400 k rows/s beside psql's 500 k rows/s; ratio 0.80; processor\nparquet: 60 k rows/s beside psql's 500 k rows/s; ratio 0.12; processor",
  ],
  [
    "recognition",
    [1.1, 2.7]
      .map(
        (times) =>
          `a night with kept pasts: 2.1 s; a user 2.079 ms\n  of 1000000 users on 2 processors: 0.608 h\n  of recognising the same users from nothing: 1/1.4 of its time, 1/${times} of its processors, 1/1.0 of its pages\n  of the night with histories read whole: 1/9.4 of its time, 1/9.3 of its processors, 1/1.0 of its pages`,
      )
      .join("\n"),
  ],
]);

for (const [what, figures, isReached] of [
  ["GET services, first, eight at once", [0.42], false],
  ["GET services, again, eight at once", [0.94], true],
  ["GET budget, first, eight at once", [0.33], false],
  ["GET budget's details, again, eight at once", [1.02], true],
  ["GET upcoming payments, again, eight at once", null, false],
  ["push of 750 records, 1 at once", [0.53], false],
  ["push of 750 records, 16 at once, and p99", [0.79, 121], false],
  ["SFTP 1 GiB up, OpenSSH's client", [1.37], false],
  ["SFTP 1 GiB up with fsync, OpenSSH's client", [1.41], true],
  ["SFTP 1 GiB up, OpenSSH's client, in memory", [1.21], false],
  ["one large file, .jwe, 2·10⁵ rows", [0.94], false],
  ["a file of which all is known, .jwe, 2·10⁵ rows", [0.41], false],
  ["files of three partners at once: of one alone, and the least share of an equal one", [0.95, 0.88], false],
  ["first start of the demo: ready, recognised", [5.2, 11], false],
  ["the event loop's p99 delay while files load, above idle", [9.5], true],
  ["small files over SFTP, OpenSSH's client, one connection; loaded after the last", [1.1, 2.1], true],
  ["small files over SFTP, OpenSSH's client, eight connections; loaded after the last", [0.35, 2.8], false],
  ["transactions exported as csv", [0.8], true],
  ["transactions exported as parquet", [0.12], false],
  [nightsLine, [2.7], false],
] as const)
  test(`${what}: ${figures?.join(", ") ?? "not measured"}`, (t) => {
    const line = lines.find((one) => one.what === what);
    if (line === undefined) return t.fail("there is no such line");
    const judged = judge(line, said);
    t.deepEqual([judged.figures, judged.isReached], [figures === null ? null : [...figures], isReached]);
  });

test("a smaller file over SFTP is no figure of one of 1 GiB", (t) => {
  const smaller = new Map([
    ["sftp", "128 MiB with OpenSSH's client on disk, medians of 1:\n  up    ratio 1.37 (1.37); of CPU 1.20"],
  ]);
  const line = lines.find((one) => one.what === "SFTP 1 GiB up, OpenSSH's client");
  t.is(line && judge(line, smaller).figures, null);
});
