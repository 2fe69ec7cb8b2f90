/** A question with yes or no, where somebody sits at the terminal. */
import { createInterface } from "node:readline";

export type Terminal = {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream & { isTTY?: boolean };
};

/** Only a plain yes is one. Without a terminal on both ends nobody is asked, and the answer is no. */
export async function confirm(
  question: string,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<boolean> {
  if (input.isTTY !== true || output.isTTY !== true) return false;
  const lines = createInterface({ input, output });
  try {
    output.write(`${question} [y/N] `);
    const answer = await new Promise<string>((resolve) => {
      lines.once("line", resolve);
      // Ctrl-D and Ctrl-C close without an answer.
      lines.once("close", () => resolve(""));
    });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
