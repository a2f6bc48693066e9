/** Keeps the events that have happened readable: what is kept of their rows stands by place. */
import type Database from "better-sqlite3";
import type { Field, Plan } from "../../plan/index.ts";
import type { Row, Value } from "../../run/index.ts";
import { compileHeirs, type FirstValue } from "./inherit.ts";
import { rawStatement } from "./statements.ts";

/** The values of a row that an event is about, as they are by another plan; undefined: none are. */
type Heirs = (row: Row) => readonly Value[] | undefined;

/**
 * The content of an event with the values of its row made anew; undefined: they cannot be read any
 * more, and nobody can be told.
 */
export type Retell = (content: string, heirs: Heirs) => string | undefined;

/** Events that are held in memory at a time. */
const PAGE = 500;

const orderOf = (fields: readonly Field[]): string =>
  JSON.stringify(fields.map(({ name, type }) => [name, type]));

/**
 * Puts the rows of events in the order of the second plan. `others`: resources of which a value
 * would be read as another. Gives how many events are taken out, because of those.
 */
export function retellEvents(
  db: Database.Database,
  before: Plan,
  now: { readonly plan: Plan; readonly first: FirstValue; readonly retell: Retell },
  others: ReadonlySet<string>,
): number {
  const isThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'outbox'").get();
  if (isThere === undefined) return 0;
  const fieldsIn = ({ resources }: Plan, name: string): readonly Field[] =>
    resources.find((one) => one.name === name)?.fields ?? [];
  const changed = before.resources.filter(
    ({ name, fields }) => orderOf(fields) !== orderOf(fieldsIn(now.plan, name)),
  );
  if (changed.length === 0) return 0;
  const heirs = compileHeirs(before, now.plan, now.first);
  const inherits = new Map(
    changed.map(({ name, fields }) => {
      const own = fieldsIn(now.plan, name);
      const isLost = others.has(name) || own.length === 0;
      return [name, { fields, own, heir: isLost ? undefined : heirs(fields, own) }] as const;
    }),
  );
  const rowOf: Heirs = ({ resource, values }) => {
    const found = inherits.get(resource);
    if (found === undefined) return values;
    const named = new Map(found.fields.map(({ name }, place) => [name, values[place]]));
    const made = found.heir?.(named);
    return made && found.own.map(({ name }) => made.get(name));
  };
  const page = rawStatement(
    db,
    `SELECT number, content FROM outbox WHERE number > ? ORDER BY number LIMIT ${PAGE}`,
  );
  const put = db.prepare("UPDATE outbox SET content = ? WHERE number = ?");
  const forget = db.prepare("DELETE FROM outbox WHERE number = ?");
  let lost = 0;
  for (let last: unknown = -1n; ; ) {
    const events = page.all(last) as [bigint, string][];
    for (const [number, content] of events) {
      const retold = now.retell(content, rowOf);
      if (retold === undefined) {
        forget.run(number);
        lost++;
      } else if (retold !== content) put.run(retold, number);
    }
    if (events.length < PAGE) return lost;
    last = events.at(-1)?.[0];
  }
}
