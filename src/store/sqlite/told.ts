/** Keeps the events that have happened readable: what is kept of their rows stands by place. */
import type Database from "better-sqlite3";
import type { Field } from "../../plan/index.ts";
import type { Row, Session } from "../../run/index.ts";
import { compileHeirs, fieldsOf, type Passage } from "./inherit.ts";
import { rawStatement } from "./statements.ts";

/** The row that an event is about, as it is by another plan; undefined: it is none. */
type Heirs = (row: Row) => Row | undefined;

/**
 * The content of an event with its row made anew; undefined: it cannot be read any more, and nobody
 * can be told.
 */
export type Retell = (content: string, heirs: Heirs) => string | undefined;

/** Events that are held in memory at a time. */
const PAGE = 500;

const orderOf = (fields: readonly Field[]): string =>
  JSON.stringify(fields.map(({ name, type }) => [name, type]));

/** Makes rows of events what they are by the second plan. */
function compileRows(
  passage: Passage,
  session: Session,
  others: ReadonlySet<string>,
): Heirs | undefined {
  const { before, now, renames } = passage;
  const heirs = compileHeirs(passage);
  const inherits = new Map(
    before.resources.map(({ name, fields }) => {
      const resource = renames.resourceNow(name);
      const own = fieldsOf(now, resource);
      const isSame = resource === name && orderOf(fields) === orderOf(own);
      const isLost = others.has(resource) || own.length === 0;
      const inherit = isSame || isLost ? undefined : heirs(resource);
      return [name, { resource, fields, own, isSame, inherit }] as const;
    }),
  );
  if ([...inherits.values()].every(({ isSame }) => isSame)) return undefined;
  return (row) => {
    const found = inherits.get(row.resource);
    if (found === undefined || found.isSame) return row;
    const { resource, fields, own, inherit } = found;
    if (row.values.length === 0) return { ...row, resource };
    const values = new Map(fields.map(({ name }, place) => [name, row.values[place]]));
    const made = inherit?.({ key: row.key, values }, session);
    return made && { ...row, resource, values: own.map(({ name }) => made.get(name)) };
  };
}

/**
 * Makes the rows of events rows of the second plan. To be called before rows are taken over.
 * `others`: resources of which a value would be read as another. Gives how many events are taken
 * out, because of those.
 */
export function retellEvents(
  db: Database.Database,
  passage: Passage,
  { session, retell }: { readonly session: Session; readonly retell: Retell },
  others: ReadonlySet<string>,
): number {
  const isThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'outbox'").get();
  const rowOf = isThere === undefined ? undefined : compileRows(passage, session, others);
  if (rowOf === undefined) return 0;
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
      const retold = retell(content, rowOf);
      if (retold === undefined) {
        forget.run(number);
        lost++;
      } else if (retold !== content) put.run(retold, number);
    }
    if (events.length < PAGE) return lost;
    last = events.at(-1)?.[0];
  }
}
