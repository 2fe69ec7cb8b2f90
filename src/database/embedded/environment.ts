/**
 * The environment of PostgreSQL's programs. Whoever may run programs inside the server (`copy … from program`) reads all
 * of it, so what it needs is named here and nothing else is handed on: ours holds the key-encryption key, addresses with
 * passwords, and whatever else the machine's operator keeps there.
 */

const handedOn: ReadonlySet<string> = new Set([
  // Where programs, libraries, temporary files and zones are found.
  "PATH",
  "HOME",
  "LANG",
  "TZ",
  "TZDIR",
  "TMPDIR",
  "LD_LIBRARY_PATH",
  "DYLD_LIBRARY_PATH",
  // What programs on Windows need to run at all.
  "SYSTEMROOT",
  "SYSTEMDRIVE",
  "WINDIR",
  "COMSPEC",
  "PATHEXT",
  "TEMP",
  "TMP",
  "USERPROFILE",
]);

/** Messages are read, so they are English, whatever language is set. */
export function serverEnvironment(own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(own).filter(
    ([name, value]) => value !== undefined && (handedOn.has(name.toUpperCase()) || name.startsWith("LC_")),
  );
  return { ...Object.fromEntries(kept), LC_ALL: "C" };
}
