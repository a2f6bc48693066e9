/** Lets what runs long end well when it is interrupted; must not know what it does. */

/** Exit codes of the shell for a signal: 128 and its number. */
const CODES = { SIGINT: 130, SIGTERM: 143 } as const;

interface Interrupted<T> {
  readonly result: T;
  /** The exit code for the signal that came; undefined: none came. */
  readonly code: number | undefined;
}

/**
 * Gives `act` a signal that Ctrl-C (or SIGTERM) raises, so that it can end with what it has. A
 * second Ctrl-C ends the process at once. `said` is called when the first one comes.
 */
export async function interruptible<T>(
  act: (signal: AbortSignal) => Promise<T>,
  said: () => void,
): Promise<Interrupted<T>> {
  const controller = new AbortController();
  let code: number | undefined;
  const before = process.listeners("SIGINT");
  process.removeAllListeners("SIGINT");
  const handlers = (["SIGINT", "SIGTERM"] as const).map((name) => {
    const handle = (): void => {
      if (code !== undefined) process.exit(CODES[name]);
      code = CODES[name];
      said();
      controller.abort();
    };
    process.on(name, handle);
    return { name, handle };
  });
  try {
    const result = await act(controller.signal);
    return { result, code };
  } finally {
    for (const { name, handle } of handlers) process.removeListener(name, handle);
    for (const one of before) process.once("SIGINT", one as () => void);
  }
}
