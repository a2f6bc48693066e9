/** Resolves conditions: expressions and their word forms. */
import {
  type Ast,
  type Code,
  childrenOf,
  type Facts,
  incomparable,
  parse,
  plainType,
  type Type,
} from "../../../expr/index.ts";
import type { Expression } from "../../../plan/index.ts";
import type { AssignSlot, Match, SlotValue, TextSlot } from "../../../spec/index.ts";
import {
  BOOLEAN,
  checkedHere,
  readable,
  readableHint,
  resolve,
  type View,
} from "../names/expression.ts";
import { type Resolver, report, slotOf, unknownName } from "../names/resolver.ts";

interface Condition {
  readonly expression: Expression;
  readonly whenTrue: Facts;
  readonly whenFalse: Facts;
}

const TRUE: Code = { op: "literal", type: BOOLEAN, value: true };

const GROUP = 16;

/** All of them; many are grouped, so that the depth stays small whatever their number. */
function all(codes: readonly Code[]): Code {
  if (codes.length > GROUP) {
    const groups = Math.ceil(codes.length / GROUP);
    return all(
      Array.from({ length: groups }, (_, i) => all(codes.slice(i * GROUP, (i + 1) * GROUP))),
    );
  }
  const [first, ...rest] = codes;
  return rest.reduce(
    (left, right): Code => ({ op: "call", type: BOOLEAN, fn: "&&", args: [left, right] }),
    first ?? TRUE,
  );
}

/**
 * `of.member == value` for each pair, each value at its own place in the document. A member that is
 * absent has no value: it equals nothing, null neither.
 */
function equalities(
  r: Resolver,
  view: View,
  pairs: readonly AssignSlot[],
  row: { name: string; resource: string },
): Code {
  const type: Type = { kind: "row", resource: row.resource };
  const of: Code = { op: "name", type, name: row.name };
  const members = r.objects.get(`row:${row.resource}`);
  return all(
    pairs.flatMap((pair): Code[] => {
      const member = members?.get(pair.name.text);
      if (member === undefined) {
        unknownName(r, pair.name, `field of \`${row.resource}\``, members?.keys() ?? []);
        return [];
      }
      const open: Type =
        member.type.kind === "nullable" ? member.type : { kind: "nullable", of: member.type };
      const { expression } = resolve(r, pair.value, view, open);
      const shown = plainType(member.type);
      const left: Code = { op: "get", type: shown, of, member: pair.name.text };
      const problem = incomparable(left, expression.code);
      if (problem !== undefined) {
        const { message, hint } = problem;
        report(r, problem.code, pair.value, {
          message: readable(message),
          hint: readableHint(hint),
        });
      }
      const same: Code = { op: "call", type: BOOLEAN, fn: "==", args: [left, expression.code] };
      if (!member.absent) return [same];
      return [{ op: "has", type: BOOLEAN, of, member: pair.name.text }, same];
    }),
  );
}

function pairsOf(match: Match, slot: string): readonly AssignSlot[] {
  const value = match.slots[slot];
  return value?.kind === "assigns" ? value.items : [];
}

function there(r: Resolver, view: View, match: Match): Code {
  const name = slotOf(match, "resource") as TextSlot;
  if (!r.objects.has(`row:${name.text}`)) {
    unknownName(r, name, "resource", r.declared.get("type")?.keys() ?? []);
    return TRUE;
  }
  // A name that no document can give to anything: it holds a character names do not have.
  const as = "row#";
  const body = equalities(r, view, pairsOf(match, "with"), { name: as, resource: name.text });
  const rows: Type = { kind: "list", of: { kind: "row", resource: name.text } };
  const over: Code = { op: "rows", type: rows, resource: name.text };
  const exists: Code = { op: "each", type: BOOLEAN, macro: "exists", over, as, body };
  return match.form === "there" ? exists : { op: "call", type: BOOLEAN, fn: "!", args: [exists] };
}

/** `a || b`, a chain on the right put in order from the left, as its text would be read. */
function either(left: Code, right: Code): Code {
  if (right.op !== "call" || right.fn !== "||") {
    return { op: "call", type: BOOLEAN, fn: "||", args: [left, right] };
  }
  const [first = TRUE, second = TRUE] = right.args;
  return { ...right, args: [either(left, first), second] };
}

const INPUTS: ReadonlySet<string> = new Set(["query", "header", "cookie", "body"]);

/** Members of inputs that the tree reads: `query.a`, `query["a.b"]`. */
function inputsRead(ast: Ast, text: string, found: Set<string> = new Set()): Set<string> {
  const of = ast.kind === "member" || ast.kind === "index" ? ast.of : undefined;
  if (of?.kind === "name" && INPUTS.has(of.name)) found.add(text.slice(ast.start, ast.end));
  else for (const child of childrenOf(ast)) inputsRead(child, text, found);
  return found;
}

/** That some input which the expressions read, and need not be sent, was not; and what it tells. */
function notSent(
  r: Resolver,
  view: View,
  slots: readonly TextSlot[],
  match: Match,
): { readonly code: Code; readonly whenFalse: Facts } | undefined {
  const read = new Set(
    slots.flatMap(({ text }) => {
      const { ast } = parse(text);
      return ast === undefined ? [] : [...inputsRead(ast, text)];
    }),
  );
  let code: Code | undefined;
  let { facts } = view;
  for (const path of read) {
    const asked = checkedHere(r, `!has(${path})`, { ...view, facts });
    if (asked.code === undefined || asked.settled !== undefined) continue;
    code = code === undefined ? asked.code : either(code, asked.code);
    facts = asked.whenFalse;
  }
  if (code !== undefined) return { code, whenFalse: facts };
  report(r, "always-given", match, {
    message: "Nothing that may not be sent is read here, so that it is always given.",
    hint: "Take `, if given` away, or read an input that need not be sent.",
  });
  return undefined;
}

/** The condition of a match of the table of conditions, or of form `code`. */
function resolveCondition(r: Resolver, match: Match, view: View, source: string): Condition {
  const written = { text: source.slice(match.start, match.end) };
  const plain = (code: Code): Condition => ({
    expression: { code, ...written },
    whenTrue: view.facts,
    whenFalse: view.facts,
  });
  switch (match.form) {
    case "given":
    case "not given": {
      const slot = slotOf(match, "what") as TextSlot;
      const before = match.form === "given" ? "has(" : "!has(";
      const text: TextSlot = {
        ...slot,
        text: `${before}${slot.text})`,
        start: slot.start - before.length,
      };
      const { checked, expression } = resolve(r, text, view, BOOLEAN);
      const said = { ...expression, ...written };
      if (checked.settled !== undefined) r.settled.set(said, checked.settled);
      return {
        expression: said,
        whenTrue: checked.whenTrue,
        whenFalse: checked.whenFalse,
      };
    }
    case "is": {
      const it = view.names.get("it");
      const row = { name: "it", resource: it?.kind === "row" ? it.resource : "" };
      return plain(equalities(r, view, pairsOf(match, "pairs"), row));
    }
    case "is, if given": {
      const it = view.names.get("it");
      const row = { name: "it", resource: it?.kind === "row" ? it.resource : "" };
      const pairs = pairsOf(match, "pairs");
      const absent = notSent(
        r,
        view,
        pairs.map(({ value }) => value),
        match,
      );
      if (absent === undefined) return plain(equalities(r, view, pairs, row));
      const same = equalities(r, { ...view, facts: absent.whenFalse }, pairs, row);
      return plain(either(absent.code, same));
    }
    case "if given": {
      const slot = slotOf(match, "value") as TextSlot;
      const absent = notSent(r, view, [slot], match);
      const facts = absent?.whenFalse ?? view.facts;
      const { expression } = resolve(r, slot, { ...view, facts }, BOOLEAN);
      return plain(absent === undefined ? expression.code : either(absent.code, expression.code));
    }
    case "there":
    case "not there":
      return plain(there(r, view, match));
    default: {
      const slot = slotOf(match, "expr") as TextSlot;
      const { checked, expression } = resolve(r, slot, view, BOOLEAN);
      return { expression, whenTrue: checked.whenTrue, whenFalse: checked.whenFalse };
    }
  }
}

/** The condition in a slot. */
export function conditionIn(r: Resolver, value: SlotValue | undefined, view: View): Condition {
  if (value?.kind !== "condition") throw new Error("no condition in this slot");
  return resolveCondition(r, value.match, view, r.spec.text);
}

/** Several conditions that must all hold. */
export function everyCondition(r: Resolver, matches: readonly Match[], view: View): Expression {
  const resolved = matches.map((match) => resolveCondition(r, match, view, r.spec.text));
  const text = resolved.map((one) => one.expression.text).join(" and ");
  return { code: all(resolved.map((one) => one.expression.code)), text };
}
