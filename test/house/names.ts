/** Names in snake_case: SQL's, and those of formats that others have defined, each kept to the files that speak them. */
import path from "node:path";
import type { Node } from "typescript/unstable/ast";
import { isIdentifier } from "typescript/unstable/ast/is";
import { createVirtualFileSystem } from "typescript/unstable/fs";
import { API } from "typescript/unstable/sync";

/** Where things are called as somebody else's fields are: a file, or a folder with a slash, and whose names they are. */
export const foreignNames: Readonly<Record<string, string>> = {
  "src/backup/checked-file.ts": "options of Zstandard",
  "src/cli/install.mjs": "what npm tells a script of the package",
  "src/database/role-rights.ts": "tables, each with what a role may do there",
  "src/database/database.ts": "options of pg",
  "src/console/access/identity-provider.ts": "OpenID Connect",
  "src/database/replication.ts": "options of pg",
  "src/demo/receiver.ts": "OAuth 2.0",
  "src/demo/sandbox-bank/": "OAuth 2.0, as the Berlin Group has it",
  "src/exports/parquet.ts": "options and metadata of Parquet",
  "src/machine/unused-memory.ts": "the C library",
  "src/notifications/access-token.ts": "OAuth 2.0",
  "src/partners/keys/public-key.ts": "JSON Web Keys",
  "src/psd2/berlin-group.ts": "OAuth 2.0, as the Berlin Group has it",
  "src/rates/read-file.ts": "options of csv-parse",
  "src/sender/csv.ts": "columns of tables; options of csv-parse",
  "workers/formats/accounts.ts": "columns of accounts_*.csv",
  "workers/formats/transactions.ts": "columns of transactions_*.csv",
};

/** Within a file: what its code calls in snake_case, each once. Texts, SQL among them, and comments are no names. */
export function snakeNamesIn(files: readonly { path: string; text: string }[]): Map<string, string[]> {
  const folder = "/house";
  const names = files.map((file) => path.posix.join(folder, file.path));
  const texts = Object.fromEntries(files.map(({ text }, at) => [names[at] ?? "", text]));
  const configuration = path.posix.join(folder, "tsconfig.json");
  const compilerOptions = { noLib: true, noResolve: true, types: [], allowJs: true };
  const fs = createVirtualFileSystem({ ...texts, [configuration]: JSON.stringify({ compilerOptions, files: names }) });
  const api = new API({ cwd: folder, fs });
  try {
    const project = api.updateSnapshot({ openProjects: [configuration] }).getProject(configuration);
    return new Map(
      files.map((file, at) => {
        const tree = project?.program.getSourceFile(names[at] ?? "");
        if (!tree) throw new Error(`${file.path} was not read`);
        const found = new Set<string>();
        addSnakeNames(tree, found);
        return [file.path, [...found]];
      }),
    );
  } finally {
    api.close();
  }
}

function addSnakeNames(node: Node, found: Set<string>): void {
  if (isIdentifier(node) && /[a-z0-9]_[a-z]/.test(node.text)) found.add(node.text);
  node.forEachChild((child) => addSnakeNames(child, found));
}
