/** Prints each error of the catalogue as a command does that fails with it, on the terminal that it is started in. */
import { type ErrorCode, errorCatalogue, Fault } from "../../../src/errors.ts";
import { report } from "../../../src/cli/terminal/failure.ts";

for (const code of Object.keys(errorCatalogue) as ErrorCode[]) report(new Fault(code), false);
