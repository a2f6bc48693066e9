/** A queue of asynchronous tasks of which only a few run at a time. */

/** Starts tasks in the order in which they came, at most `most` at a time. */
export class BoundedQueue {
  private readonly most: number;
  private readonly queue: (() => Promise<void>)[] = [];
  private underWay = 0;

  constructor(most: number) {
    this.most = most;
  }

  add(task: () => Promise<void>): void {
    this.queue.push(task);
    this.next();
  }

  clear(): void {
    this.queue.length = 0;
  }

  private next(): void {
    if (this.underWay >= this.most) return;
    const task = this.queue.shift();
    if (task === undefined) return;
    this.underWay++;
    void task().finally(() => {
      this.underWay--;
      this.next();
    });
  }
}
