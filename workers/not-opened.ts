/** Everything wrong with a sealed file is this one error: no code, no place, so that it is no oracle. */
export class NotOpened extends Error {
  override readonly name = "NotOpened";
}
