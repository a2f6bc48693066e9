/** Many clients want one unique name, then one transition: exactly one may have it. */

import type { Answer } from "./clients.ts";
import { Client } from "./clients.ts";
import { start } from "./service.ts";

export interface Races {
  readonly rounds: number;
  readonly faults: readonly string[];
}

/** One winner with `won`, and `wrong_state` or `taken` for all the others. */
function judge(
  answers: readonly (Answer | undefined)[],
  [won, error]: readonly [number, string],
  what: string,
): string[] {
  const winners = answers.filter((one) => one?.status === won).length;
  const losers = answers.filter(
    (one) => one?.status === 409 && one.body === JSON.stringify({ error }),
  ).length;
  if (winners === 1 && losers === answers.length - 1) return [];
  const other = answers.find((one) => one?.status !== won && one?.status !== 409);
  return [`${what}: ${winners} winners, ${losers} losers, ${JSON.stringify(other)}`];
}

/** Runs the rounds against the service, in a process of its own. */
export async function races({
  file,
  clients,
  rounds,
}: {
  readonly file: string;
  readonly clients: number;
  readonly rounds: number;
}): Promise<Races> {
  const serving = await start(file, "real");
  const all = Array.from({ length: clients }, () => new Client(serving.port));
  const faults: string[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      const names = await Promise.all(
        all.map((client, i) =>
          client.ask("POST", "/accounts", { tag: `${round} ${i}`, name: `wanted ${round}` }),
        ),
      );
      faults.push(...judge(names, [201, "taken"], `name of round ${round}`));
      const made = await all[0]?.ask("POST", "/tasks", { tag: `race ${round}` });
      const { id } = JSON.parse(made?.body ?? "{}") as { id: string };
      const claims = await Promise.all(
        all.map((client, i) => client.ask("POST", `/tasks/${id}/claim`, { tag: `${i}` })),
      );
      faults.push(...judge(claims, [200, "wrong_state"], `task of round ${round}`));
      const task = await all[0]?.ask("GET", `/tasks/${id}`);
      const winner = claims.findIndex((one) => one?.status === 200);
      const { claimedBy } = JSON.parse(task?.body ?? "{}") as { claimedBy: string };
      if (claimedBy !== String(winner)) faults.push(`${claimedBy} has the task of ${winner}`);
    }
  } finally {
    for (const client of all) client.close();
    await serving.kill();
  }
  return { rounds, faults };
}
