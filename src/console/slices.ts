/**
 * The console may stand in one process with the API: what takes long is done in slices, one a turn of the event loop
 * whoever asks, so that a caller of the API waits for one slice and never for a page.
 */
const sliceMs = 2;

const waiting: (() => void)[] = [];
let isScheduled = false;

/** The next turn of the loop that nobody else of the console has. */
function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    schedule();
  });
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(() => {
    isScheduled = false;
    waiting.shift()?.();
    if (waiting.length > 0) schedule();
  });
}

/** One piece of each, in their order. @param write does a small part of the work: a table's row, a section */
export async function inSlices<Given, Made>(
  given: Iterable<Given>,
  write: (one: Given, at: number) => Made,
): Promise<Made[]> {
  const made: Made[] = [];
  await ownTurn();
  let until = performance.now() + sliceMs;
  for (const one of given) {
    made.push(write(one, made.length));
    if (performance.now() < until) continue;
    await ownTurn();
    until = performance.now() + sliceMs;
  }
  return made;
}
