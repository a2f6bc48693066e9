/** Measures the time that others are given, however busy this thread itself is meanwhile. */

/** A timer this much later than asked for has been held up by this thread's own work. */
const HELD_UP_MS = 20;

/**
 * Runs when the time is over, never before; what has come in while the thread was held up is taken
 * first, for it may have come in time. Gives what calls it off.
 */
export function whenOver(withinMs: number, run: () => void): () => void {
  const dueMs = performance.now() + withinMs;
  let isExtended = false;
  let timer: ReturnType<typeof setTimeout>;
  const look = (): void => {
    const leftMs = dueMs - performance.now();
    // Timers count from the beginning of a turn, which may have been long ago.
    if (leftMs > 1) timer = setTimeout(look, leftMs);
    else if (-leftMs > HELD_UP_MS && !isExtended) {
      isExtended = true;
      timer = setTimeout(look, Math.min(-leftMs, withinMs));
    } else run();
  };
  timer = setTimeout(look, withinMs);
  return () => clearTimeout(timer);
}
