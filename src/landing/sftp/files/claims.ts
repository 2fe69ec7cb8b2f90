/**
 * Which files someone is writing, renaming or delivering now, by their path on disk: the second one to come is refused.
 * It holds for one process; doors on several machines that share one landing folder do not see each other's claims.
 */
export class Claims {
  readonly #paths = new Set<string>();
  #onEmpty: (() => void)[] = [];

  /**
   * Takes all the paths or none: null when one of them is taken. The result gives them back; calling it twice does no
   * harm.
   */
  take(...paths: string[]): (() => void) | null {
    if (paths.some((path) => this.#paths.has(path))) return null;
    for (const path of paths) this.#paths.add(path);
    let isClaimed = true;
    return () => {
      if (isClaimed) this.#release(paths);
      isClaimed = false;
    };
  }

  /** Resolves as soon as nothing is claimed. */
  async whenEmpty(): Promise<void> {
    if (this.#paths.size > 0) await new Promise<void>((resolve) => this.#onEmpty.push(resolve));
  }

  #release(paths: string[]): void {
    for (const path of paths) this.#paths.delete(path);
    if (this.#paths.size > 0) return;
    for (const resolve of this.#onEmpty) resolve();
    this.#onEmpty = [];
  }
}
