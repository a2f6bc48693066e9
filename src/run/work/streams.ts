/** Streams: what the caller of one sees of an event. */
import { isStated, type Stream } from "../../plan/index.ts";
import type { CompilerServices, Run } from "../compile/services.ts";
import { Activation, Scope } from "../context/activation.ts";
import { Transaction } from "../context/transaction.ts";
import type {
  Ambient,
  Listener,
  Listening,
  Members,
  Row,
  Session,
  Streams,
} from "../ports/index.ts";
import { compileExpression } from "../query/expression.ts";
import type { Evaluated } from "../query/specialize.ts";
import { guarded } from "./execute.ts";

interface Sight {
  readonly scope: Scope;
  readonly sees: Evaluated;
  /** By the resource that an event is about, where there are several. */
  readonly byAbout: ReadonlyMap<string, Evaluated>;
}

function sightOf(
  services: CompilerServices,
  { sees, seesByAbout, bindings = [] }: Stream,
): Sight | undefined {
  if (!isStated(sees)) return undefined;
  const scope = new Scope(services.model);
  const rows = bindings.map(({ as }) => as);
  for (const name of ["it", "event", "caller", "path", ...rows]) scope.slot(name);
  const byAbout = Object.entries(seesByAbout ?? {}).map(
    ([about, code]) => [about, compileExpression(scope, code)] as const,
  );
  return {
    scope,
    sees: compileExpression(scope, sees.value),
    byAbout: new Map(byAbout),
  };
}

/** What decides who listens: the same checks as for the request that opens the stream. */
interface Door {
  readonly scope: Scope;
  readonly endpoint: number;
  readonly check: Run;
  readonly paths: Run;
  /** The slots of the rows that its path names. */
  readonly rows: readonly (readonly [as: string, slot: number])[];
}

function doorOf(services: CompilerServices, name: string): Door | undefined {
  const { endpoints, streams } = services.model.plan;
  const id = streams.find((one) => one.name === name)?.id;
  const endpoint = endpoints.findIndex((one) => one.id === id);
  if (endpoint < 0) return undefined;
  const scope = new Scope(services.model);
  for (const each of ["caller", "path"]) scope.slot(each);
  const at = endpoints[endpoint];
  const [check, paths] = [services.check("caller", scope, at), services.check("paths", scope, at)];
  const rows = (at?.bindings ?? []).map(({ as }) => [as, scope.slot(as)] as const);
  return { scope, endpoint, check, paths, rows };
}

const NOTHING: Members = new Map();

/** The row as it is now, whatever becomes of it. */
const kept = (row: Row): Row => ({ ...row, values: [...row.values] });

/** Rows that the path named before, of which one is deleted: they are as they were last. */
function lastRows(known: Listening["rows"], session: Session): Listening["rows"] {
  const all = [...(known?.values() ?? [])];
  return all.some((row) => session.get(row.resource, row.key) === undefined) ? known : undefined;
}

function listenerAt(
  services: CompilerServices,
  { scope, endpoint, check, paths, rows }: Door,
  { path, presented, address, rows: known }: Listening,
  at: { readonly session: Session; readonly ambient: Ambient },
): Listener | undefined {
  const none = { query: NOTHING, header: NOTHING, cookie: NOTHING, body: undefined };
  const inputs = { ...none, path, failures: [], bodyBytes: 0 };
  const asked = { id: "", method: "GET", url: "" };
  const invocation = { endpoint, asked, inputs, presented, address };
  const tx = new Transaction({ model: services.model, ...at, invocation });
  const activation = new Activation(scope, tx);
  if (guarded(() => check(activation)) !== undefined) return undefined;
  const { caller } = tx;
  if (guarded(() => paths(activation)) !== undefined) {
    const last = lastRows(known, at.session);
    return last && { caller, rows: last, isOver: true };
  }
  const found = rows.map(([as, slot]) => [as, kept(activation.values[slot] as Row)] as const);
  return { caller, rows: new Map(found), isOver: false };
}

/** Compiles what callers see of streams, each when it is first needed. */
export function compileStreams(services: CompilerServices): Streams {
  const known = new Map<string, Sight | undefined>();
  const doors = new Map<string, Door | undefined>();
  return {
    listener: (listening, session, ambient) => {
      const { stream } = listening;
      if (!doors.has(stream)) doors.set(stream, doorOf(services, stream));
      const door = doors.get(stream);
      return door && listenerAt(services, door, listening, { session, ambient });
    },
    sees: (name, { event, row, caller, path, rows }, session, ambient) => {
      if (!known.has(name)) {
        const stream = services.model.plan.streams.find((one) => one.name === name);
        known.set(name, stream && sightOf(services, stream));
      }
      const sight = known.get(name);
      if (sight === undefined) return false;
      const tx = new Transaction({ model: services.model, session, ambient });
      tx.caller = caller;
      const activation = new Activation(sight.scope, tx);
      // As in a request with a caller: rows that the caller may not see are not there.
      activation.set(1, false);
      activation.set(sight.scope.slot("it"), row);
      activation.set(sight.scope.slot("event"), event);
      activation.set(sight.scope.slot("path"), path);
      for (const [as, one] of rows) activation.set(sight.scope.slot(as), one);
      let isSeen = false;
      guarded(() => {
        const isThere = caller === null || services.model.sight.sees(tx, row);
        const sees = sight.byAbout.get(row.resource) ?? sight.sees;
        isSeen = isThere && sees(activation) === true;
        return undefined;
      });
      return isSeen;
    },
  };
}
