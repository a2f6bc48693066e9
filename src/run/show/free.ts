/** Makes values of a type where the document leaves them free: the simplest, or by a seed. */
import type { Field, ValueType } from "../../plan/index.ts";
import { encodeRandom, makeUuid } from "../chance/random.ts";
import type { CompilerServices } from "../compile/services.ts";
import { Stop } from "../context/step-outcome.ts";
import type { Transaction } from "../context/transaction.ts";
import type { Row, Value } from "../ports/index.ts";

const TEXTS = ["", "free", "Grüße, 世界 🜁", 'a\nb\t"c"\\', "x".repeat(300)];
const DATES = ["1970-01-01", "0001-01-01", "2024-02-29", "9999-12-31"];
const ZONES = ["UTC", "Europe/Berlin", "Asia/Kathmandu"];
const NUMBERS = [0, -1.5, 1e300, 5e-324];
const WHOLE = ["0", "-1", "9007199254740993", "99999999999999999999999999999999999999"];
/** Years 0001 and 9999. */
const TIMES = [0n, -62_135_596_800_000_000n, 253_402_300_799_000_000n, 1_709_164_800_000_000n];

/** A value of the type. `item`: what is stated to be free. */
export function freeValue(
  services: CompilerServices,
  tx: Transaction,
  type: ValueType,
  item: string,
): Value {
  const { chooser } = tx.ambient;
  const one = <T>(all: readonly T[]): T => all[chooser?.pick(all.length) ?? 0] as T;
  if (type.orNull && one([true, false])) return null;
  if (type.orAbsent && one([true, false])) return undefined;
  const { type: base } = type;
  switch (base.kind) {
    case "boolean":
      return one([false, true]);
    case "number":
      return one(NUMBERS);
    case "integer":
    case "decimal":
      return BigInt(one(WHOLE));
    case "timestamp":
      return one(TIMES);
    case "duration":
      return one([0n, 500_000n, 86_400_000_000n]);
    case "date":
      return one(DATES);
    case "time zone":
      return one(ZONES);
    case "email":
      return one(["a@example.com", "A.b+c@sub.example"]);
    case "uri":
      return one(["about:blank", "https://example.com/?a=%20#b"]);
    case "uuid":
      return chooser === undefined
        ? "00000000-0000-4000-8000-000000000000"
        : makeUuid((count) => chooser.bytes(count));
    case "id":
      return (base.prefix ?? "") + encodeRandom(tx.ambient.random(16), "hex");
    case "one of":
      return one(base.values);
    case "list":
      return Array.from({ length: one([0, 1, 3]) }, () => freeValue(services, tx, base.of, item));
    case "map":
      return new Map(
        TEXTS.slice(0, one([0, 2])).map((name) => [name, freeValue(services, tx, base.of, item)]),
      );
    case "json":
    case "schema":
      return one<Value>([null, true, "free", []]);
    case "event name":
      return one(services.model.plan.events).name;
    case "error name":
      return one(services.model.plan.errors).name;
    case "structure":
    case "reference":
      return freeStructure(
        services,
        tx,
        base.kind === "structure" ? base.name : base.resource,
        item,
      );
    case "string":
    case "file":
    case "secret":
    case "state":
      return one(TEXTS);
  }
}

/** A part of free fields; of a resource or its view, one of the rows that are there. */
function freeStructure(
  services: CompilerServices,
  tx: Transaction,
  name: string,
  item: string,
): Value {
  const part = services.model.plan.partTypes.find((one) => one.name === name);
  if (part !== undefined) {
    return new Map(
      part.fields.map((field: Field) => [field.name, freeValue(services, tx, field.type, item)]),
    );
  }
  const resource = services.model.shapes.get(name)?.viewOf ?? name;
  const rows: readonly Row[] = services.model.resources.has(resource) ? tx.all(resource) : [];
  const row = rows[tx.ambient.chooser?.pick(rows.length) ?? 0];
  if (row === undefined) throw new Stop({ is: "gap", gap: item, silent: true });
  return row;
}
