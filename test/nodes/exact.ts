/** Three nodes at once: a limit passes what it states, and of many who want one thing one gets it. */
import { type Answer, Client } from "../crash/clients.ts";

/** Requests of each run that a limit of sixty is asked for. */
const LIMIT = 60;
const ASKED = 96;

interface Exact {
  readonly ports: readonly number[];
  readonly clients: number;
  readonly runs: number;
  /** Makes the addresses and names of this call its own. */
  readonly mark: string;
}

/** Clients, each with a connection to one of the nodes, in turn. */
function clientsOf({ ports, clients }: Exact): Client[] {
  return Array.from({ length: clients }, (_, i) => new Client(ports[i % ports.length] ?? 0));
}

function count(answers: readonly (Answer | undefined)[], status: number): number {
  return answers.filter((one) => one?.status === status).length;
}

/** What is wrong with one run of the limit, of an address of its own. */
async function limited(all: readonly Client[], run: number, mark: string): Promise<string[]> {
  const from = { "X-Forwarded-For": `10.${run >> 8}.${run & 255}.7` };
  const asked = Array.from({ length: ASKED }, (_, i) => all[i % all.length]);
  const answers = await Promise.all(
    asked.map((one, i) => one?.ask("POST", "/tasks", { tag: `${mark} ${run} ${i}` }, from)),
  );
  const [passed, refused] = [count(answers, 201), count(answers, 429)];
  if (passed === LIMIT && refused === ASKED - LIMIT) return [];
  return [`the limit of ${LIMIT} has passed ${passed} and refused ${refused} in run ${run}`];
}

/** One winner, and all others refused as the document states. */
function won(answers: readonly (Answer | undefined)[], status: number, what: string): string[] {
  const winners = count(answers, status);
  const others = count(answers, 409);
  if (winners === 1 && others === answers.length - 1) return [];
  return [`${what}: ${winners} winners, ${others} refused of ${answers.length}`];
}

async function raced(all: readonly Client[], run: number, mark: string): Promise<string[]> {
  const name = `${mark} ${run}`;
  const each = <T>(ask: (client: Client, i: number) => T): Promise<Awaited<T>[]> =>
    Promise.all(all.map(ask));
  const names = await each((one, i) => one.ask("POST", "/accounts", { tag: `${name} ${i}`, name }));
  const own = { "X-Forwarded-For": `172.16.${run >> 8}.${run & 255}` };
  const made = await all[0]?.ask("POST", "/tasks", { tag: name }, own);
  const { id } = JSON.parse(made?.body ?? "{}") as { id?: string };
  const seats = await each((one, i) => one.ask("POST", `/tasks/${id}/claim`, { tag: `${i}` }));
  const key = { "Idempotency-Key": name };
  const keyed = await each((one) => one.ask("POST", "/bookings", { tag: `${name}k` }, key));
  const bodies = new Set(keyed.map((one) => one?.body));
  return [
    ...won(names, 201, `one name, run ${run}`),
    ...won(seats, 200, `one seat, run ${run}`),
    ...(count(keyed, 201) === keyed.length && bodies.size === 1
      ? []
      : [`one key, run ${run}: ${count(keyed, 201)} of ${keyed.length}, ${bodies.size} answers`]),
  ];
}

/** Runs it; what is wrong. */
export async function exact(given: Exact): Promise<readonly string[]> {
  const all = clientsOf(given);
  const wrong: string[] = [];
  try {
    for (let run = 0; run < given.runs; run++) {
      wrong.push(...(await limited(all, run, given.mark)));
      wrong.push(...(await raced(all, run, given.mark)));
    }
  } finally {
    for (const one of all) one.close();
  }
  return wrong;
}
