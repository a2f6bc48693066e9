/** The round trips of the transaction that runs, where somebody asks for them. */

/** What was sent together before an answer was waited for: statements, in their order. */
type Trip = readonly string[];

export class Trips {
  #done: Trip[] = [];
  #sent: string[] = [];

  /** A transaction begins. */
  begin(): void {
    this.#done = [];
    this.#sent = [];
  }

  /** A statement is sent, or will be with what follows. */
  add(sql: string): void {
    this.#sent.push(sql);
  }

  /** What was sent is waited for. */
  end(): void {
    this.#done.push(this.#sent);
    this.#sent = [];
  }

  /** Those of the transaction, once. */
  take(): readonly Trip[] {
    const done = this.#done;
    this.#done = [];
    return done;
  }
}
