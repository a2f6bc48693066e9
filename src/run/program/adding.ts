/** Takes rows that an operator adds to a store, one by one, however many there are. */
import { nameOf } from "../../expr/index.ts";
import type { CompilerServices } from "../compile/services.ts";
import { Activation, Scope } from "../context/activation.ts";
import { fieldIs, fieldType } from "../context/field-type.ts";
import type { ResourceInfo } from "../context/model.ts";
import { Transaction } from "../context/transaction.ts";
import type { Adding, Ambient, Session, Value } from "../ports/index.ts";
import { findKept } from "../query/expression.ts";
import { brokenText, insert, judged, placed } from "./start.ts";

/** Rows that one transaction holds by identity. */
const ROWS_MAX = 200;

/** Whether several rows have the key of the one that was made last. */
function compileTwice(
  services: CompilerServices,
  info: ResourceInfo,
  key: string,
): (tx: Transaction, values: readonly Value[]) => boolean {
  const scope = new Scope(services.model);
  const name = "#key";
  const finder = findKept(scope, info.name, fieldIs(info, key, nameOf(name, fieldType(info, key))));
  const slot = scope.slot(name);
  const place = info.at.get(key) ?? -1;
  return (tx, values) => {
    const value = values[place];
    if (value === null || value === undefined) return false;
    return finder.count(new Activation(scope, tx).seeingAll().set(slot, value)) > 1n;
  };
}

/** What is held of the rows does not grow with their number. */
export function adding(
  services: CompilerServices,
  session: Session,
  ambient: Ambient,
  resource: string,
): Adding {
  const { model } = services;
  const info = model.info(resource);
  const { key } = info.resource;
  const isTwice = key === undefined ? undefined : compileTwice(services, info, key);
  const fresh = (): Transaction => new Transaction({ model, session, ambient });
  let tx = fresh();
  let count = 0;
  let first: number | undefined;
  /** What must hold of all is judged when all are there. */
  const judge = (): void => {
    let place = 0;
    let last = (first ?? 1) - 1;
    while (place < count) {
      const work = fresh();
      for (const row of session.after(resource, last, ROWS_MAX)) {
        const seen = work.identify(row);
        const broken = judged(services, work, seen);
        if (broken !== undefined) throw placed(place, brokenText(resource, broken));
        place++;
        last = row.key;
      }
    }
  };
  return {
    add: (row) => {
      if (count > 0 && count % ROWS_MAX === 0) {
        tx.flush();
        tx = fresh();
      }
      const place = count++;
      const made = insert(services, tx, info, { place, values: () => row, isWhole: true });
      first ??= made?.key;
      if (made !== undefined && isTwice?.(tx, made.values)) {
        throw placed(place, `there is a row with this \`${key}\` already`);
      }
    },
    end: () => {
      tx.flush();
      judge();
    },
  };
}
