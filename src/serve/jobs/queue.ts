/** Runs works a few at a time; knows not what they do. */
/** Works of which so many are under way at a time, in the order in which they came. */
export class Lane {
  private readonly most: number;
  private readonly queue: (() => Promise<void>)[] = [];
  private underWay = 0;

  constructor(most: number) {
    this.most = most;
  }

  add(work: () => Promise<void>): void {
    this.queue.push(work);
    this.next();
  }

  clear(): void {
    this.queue.length = 0;
  }

  private next(): void {
    if (this.underWay >= this.most) return;
    const work = this.queue.shift();
    if (work === undefined) return;
    this.underWay++;
    void work().finally(() => {
      this.underWay--;
      this.next();
    });
  }
}
