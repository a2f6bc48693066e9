/** Does one thing after the other, where some of them have to wait for something outside. */

export class InTurn {
  private readonly waiting: (() => void)[] = [];
  private isBusy = false;

  /** Works, at once where nothing that came before is waited for, and tells what was made. */
  run<T>(work: () => T | Promise<T>, done: (made: T) => void): void {
    if (this.isBusy) {
      this.waiting.push(() => this.run(work, done));
      return;
    }
    const made = work();
    if (!(made instanceof Promise)) {
      done(made);
      return;
    }
    this.isBusy = true;
    void made.then((whole) => {
      this.isBusy = false;
      done(whole);
      this.next();
    });
  }

  /** Ends behind all that came before; what waits for a store that is away is not waited for. */
  end(close: () => void, isAway: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const { isOver, over } = once(close, resolve);
      this.run(over, () => {});
      unlessAway(isOver, isAway, over);
    });
  }

  private next(): void {
    while (!this.isBusy) {
      const next = this.waiting.shift();
      if (next === undefined) return;
      next();
    }
  }
}

function once(close: () => void, done: () => void): { isOver(): boolean; over(): void } {
  let isOver = false;
  return {
    isOver: () => isOver,
    over: () => {
      if (isOver) return;
      isOver = true;
      close();
      done();
    },
  };
}

/** How often it is looked whether a store is away. */
const LOOK_MS = 100;

/** Stops once the store is away, unless it is over by itself before. */
export function unlessAway(isOver: () => boolean, isAway: () => boolean, stop: () => void): void {
  if (isOver()) return;
  const look = setInterval(() => {
    if (!isOver() && !isAway()) return;
    clearInterval(look);
    if (!isOver()) stop();
  }, LOOK_MS);
  look.unref();
}
