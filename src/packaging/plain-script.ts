/** TypeScript as the package has it: Node runs none below node_modules. Pure. */
import { stripTypeScriptTypes } from "node:module";
import path from "node:path";

/** A path to a file of the house, whether it is imported, loaded later, or run by a thread. */
const pathToTypeScript = /(["'])(\.{1,2}\/[^"'\n]+)\.ts\1/g;

/**
 * The same program without its types, line for line, in which every path to a TypeScript file of the house leads to the
 * script that the file becomes. @param file its path, with forward slashes @param files all that become scripts
 */
export function plainScript(file: string, text: string, files: ReadonlySet<string>): string {
  return renamed(file, stripTypeScriptTypes(text), files);
}

/** Declarations, which name each other as the files do that they were made of. */
export function plainDeclaration(file: string, text: string, files: ReadonlySet<string>): string {
  return renamed(file, text, files);
}

function renamed(file: string, text: string, files: ReadonlySet<string>): string {
  return text.replaceAll(pathToTypeScript, (found, quote: string, to: string) =>
    files.has(path.posix.join(path.posix.dirname(file), `${to}.ts`)) ? `${quote}${to}.js${quote}` : found,
  );
}

/** What a script loads of its own package. */
export function pathsIn(file: string, text: string): string[] {
  return [...text.matchAll(/(["'])(\.{1,2}\/[^"'\n]+\.js)\1/g)].map(([, , to = ""]) =>
    path.posix.join(path.posix.dirname(file), to),
  );
}
