/** Writes rows as an operator gives them: each field by its type, rows inside by their keys. */
import type { CompilerServices } from "../compile/services.ts";
import { Transaction } from "../context/transaction.ts";
import type { Ambient, Printed, Session } from "../ports/index.ts";
import { compileTree } from "../show/tree.ts";
import { typeColumn } from "../show/types.ts";

/** Rows that are written at a time. */
const PAGE = 200;

/** Writes the rows of one resource, in the order in which they were made. */
export function print(
  services: CompilerServices,
  session: Session,
  ambient: Ambient,
  resource: string,
): Printed {
  const info = services.model.info(resource);
  const fields = [...info.fields.entries()].map(([at, field]) => ({ at, field }));
  const hidden = ({ field }: (typeof fields)[number]): boolean =>
    field.gap !== undefined || field.type.type.kind === "secret";
  const shown = fields.filter((one) => !hidden(one));
  const columns = shown.map(({ at, field }) => ({
    at,
    write: typeColumn(services, field.type, "handed"),
  }));
  const assemble = compileTree(shown.map(({ field }) => [field.name]));
  const lines = function* (): Generator<string> {
    let last = 0;
    for (;;) {
      const page = session.after(resource, last, PAGE);
      last = page.at(-1)?.key ?? last;
      if (page.length === 0) return;
      const tx = new Transaction({ model: services.model, session, ambient });
      // What is kept of a secret inside a part is left out, too.
      tx.telling = true;
      const texts = columns.map(({ at, write }) =>
        write(
          tx,
          page.map(({ values }) => values[at]),
        ),
      );
      for (let i = 0; i < page.length; i++) yield assemble(texts.map((one) => one[i]));
    }
  };
  return { lines: lines(), hidden: fields.filter(hidden).map(({ field }) => field) };
}
