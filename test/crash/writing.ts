/** Clients that write for a while, and what they know at each moment. */
import { Client, nextWrite, send } from "./clients.ts";
import { Ledger, type Write } from "./ledger.ts";

/** A ledger that notes when each answer came, in nanoseconds of the clock that nobody sets. */
export class TimedLedger extends Ledger {
  readonly times: bigint[] = [];

  override answer(write: Write, status: number, body: string): void {
    const before = this.acknowledged.length;
    super.answer(write, status, body);
    if (this.acknowledged.length > before) this.times.push(process.hrtime.bigint());
  }

  /** What was known at a moment: a refusal holds for good. */
  until(moment: bigint): Ledger {
    const ledger = new Ledger();
    ledger.acknowledged.push(...this.acknowledged.filter((_, i) => (this.times[i] ?? 0n) < moment));
    ledger.refused.push(...this.refused);
    return ledger;
  }
}

/** Clients write until the service is gone or `enough` says so; gives when all have noticed. */
export async function writeUntil(
  port: number,
  ledger: Ledger,
  {
    clients,
    random,
    enough,
  }: { readonly clients: number; readonly random: () => number; readonly enough: () => boolean },
): Promise<void> {
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = new Client(port);
      while (!enough()) {
        const write = nextWrite(ledger, random);
        const answer = await send(client, write);
        if (answer === undefined) break;
        ledger.answer(write, answer.status, answer.body);
      }
      client.close();
    }),
  );
}
