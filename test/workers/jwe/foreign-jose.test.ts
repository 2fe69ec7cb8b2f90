/** Batches that other JOSE implementations seal are opened here. */
import test from "ava";
import { openToken } from "../../../workers/jwe/open.ts";
import { foreignPrograms, openSealers } from "../../outside/sealing/foreign-jose.ts";
import { keyFinder, makeKey } from "../sealing.ts";

const key = makeKey();
const contents = [
  "[]",
  JSON.stringify([{ uid: "u1", description: "Ærø øl 💳" }]),
  JSON.stringify(Array.from({ length: 750 }, (_, number) => ({ uid: `u${number}` }))),
];
const sealers = await openSealers({
  ...key.publicKey.export({ format: "jwk" }),
  kid: key.kid,
  use: "enc",
  alg: "RSA-OAEP",
});
test.after.always(() => sealers.forEach((sealer) => sealer.close()));

for (const sealer of sealers) {
  test(`batches by ${sealer.name} open`, async (t) => {
    for (const content of contents)
      t.is((await openToken(await sealer.seal(content), keyFinder(key)))?.toString(), content);
  });
}

for (const { name, packages } of foreignPrograms.filter(
  (program) => !sealers.some((sealer) => sealer.name === program.name),
)) {
  test.skip(`batches by ${name} open: ${packages} is not installed`, () => undefined);
}
