/** What clients book, and whether the file, those outside and the clients agree on it. */
import Database from "better-sqlite3";
import type { Client } from "../clients.ts";
import type { Done } from "./outside.ts";

/** A booking in the file. */
export interface Row {
  readonly tag: string;
  readonly place: string | null;
  readonly seal: string | null;
  readonly status: string;
}

export function readBookings(file: string): readonly Row[] {
  const db = new Database(file, { readonly: true });
  try {
    return db
      .prepare(`SELECT f_tag AS tag, f_place AS place, f_seal AS seal, f_status AS status
      FROM "r_Booking"`)
      .all() as Row[];
  } finally {
    db.close();
  }
}

/** What clients know of their bookings. */
export class Bookings {
  readonly acknowledged: string[] = [];
  readonly refused: string[] = [];
  readonly odd: string[] = [];
  /** Sent and not answered: to be sent again with the same key. */
  readonly inDoubt: string[] = [];
  retried = 0;
  private count = 0;
  private readonly mayFail: boolean;

  /** `mayFail`: answers that the service has failed are as stated, and nothing is done then. */
  constructor(mayFail = false) {
    this.mayFail = mayFail;
  }

  /** One booking; false when the connection is lost. */
  touch(client: Client): Promise<boolean> {
    return this.send(client, `b${this.count++}`);
  }

  /** Sends again, with its key, what nobody knows the fate of. */
  async retry(client: Client): Promise<void> {
    for (const tag of this.inDoubt.splice(0)) {
      this.retried++;
      await this.send(client, tag);
    }
  }

  private async send(client: Client, tag: string): Promise<boolean> {
    const answer = await client.ask("POST", "/bookings", { tag }, { "Idempotency-Key": tag });
    if (answer === undefined) this.inDoubt.push(tag);
    else if (answer.status === 201) {
      this.acknowledged.push(tag);
      const { tag: told } = JSON.parse(answer.body) as { tag: string };
      if (told !== tag) this.odd.push(`booking ${tag} got the answer of ${told}`);
    } else if (answer.status === 409 || (this.mayFail && answer.status === 500))
      this.refused.push(tag);
    else this.odd.push(`booking ${tag}: ${answer.status} ${answer.body.slice(0, 200)}`);
    return answer !== undefined;
  }
}

/** Places that are held outside, by the tag for which they were booked. */
function held({ books, cancelled }: Done): Map<string, string[]> {
  const places = new Map<string, string[]>();
  for (const [key, { tag, place }] of books) {
    if (place !== undefined && !cancelled.has(key)) {
      places.set(tag, [...(places.get(tag) ?? []), place]);
    }
  }
  return places;
}

interface Sides {
  readonly bookings: Bookings;
  readonly rows: readonly Row[];
  /** What was done outside, told before the file was read and after it. */
  readonly before: Done;
  readonly after: Done;
}

/** What is wrong at any time: one sentence for each fault. */
export function disagreements({ bookings, rows, before, after }: Sides): string[] {
  const tags = new Set(rows.map(({ tag }) => tag));
  const places = held(after);
  const marks = new Set([...after.seals.values()].map(({ tag, mark }) => `${tag} ${mark}`));
  return [
    ...bookings.odd.splice(0),
    ...after.odd.map((text) => `behind the calls: ${text}`),
    ...bookings.acknowledged.filter((tag) => !tags.has(tag)).map((tag) => `lost: booking ${tag}`),
    ...bookings.refused
      .filter((tag) => tags.has(tag))
      .map((tag) => `kept though refused: booking ${tag}`),
    ...rows.flatMap(({ tag, place, seal, status }) => [
      ...(place !== null && places.get(tag)?.includes(place)
        ? []
        : [`the booking ${tag} has ${place}, which is not held outside`]),
      ...((status === "sealed") === (seal !== null) ? [] : [`the seal of ${tag} is half applied`]),
      ...(seal === null || marks.has(`${tag} ${seal}`)
        ? []
        : [`the booking ${tag} has ${seal}, which nobody gave`]),
    ]),
    ...[...before.seals.values()]
      .filter(({ tag }) => !tags.has(tag))
      .map(({ tag }) => `sealed and not booked: ${tag}`),
    ...doubled(
      "sealed by two calls",
      [...after.seals.values()].map(({ tag }) => tag),
    ),
    ...doubled(
      "booked twice",
      rows.map(({ tag }) => tag),
    ),
  ];
}

function doubled(what: string, tags: readonly string[]): string[] {
  const seen = new Set<string>();
  return tags.flatMap((tag) => {
    const isTwice = seen.has(tag);
    seen.add(tag);
    return isTwice ? [`${what}: ${tag}`] : [];
  });
}

/** What is still to come: seals, and the end of bookings that nobody has. Empty in the end. */
export function unsettled(rows: readonly Row[], done: Done): string[] {
  const byTag = new Map(rows.map((row) => [row.tag, row]));
  const open = rows
    .filter(({ status }) => status !== "sealed")
    .map(({ tag }) => `lost: the seal of ${tag} never came`);
  const idle = [...held(done)].flatMap(([tag, places]) => {
    const left = places.filter((place) => byTag.get(tag)?.place !== place);
    return left.map((place) => `lost: ${place} is held for ${tag} and was never cancelled`);
  });
  return [...open, ...idle];
}
