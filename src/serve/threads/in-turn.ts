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

  private next(): void {
    while (!this.isBusy) {
      const next = this.waiting.shift();
      if (next === undefined) return;
      next();
    }
  }
}
