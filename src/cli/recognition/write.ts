/** Lines of output, as fast as their reader takes them. */

export async function write(out: NodeJS.WritableStream, text: string): Promise<void> {
  if (!out.write(text)) await new Promise<void>((resolve) => out.once("drain", () => resolve()));
}
