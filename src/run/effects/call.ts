/** Compiles a call: what it is given as JSON, and what it says, judged by what is stated. */
import { type Call, gapOf, isStated, type StandIn } from "../../plan/index.ts";
import type { CallDoor, CompilerServices } from "../compile/services.ts";
import { Activation, Scope } from "../context/activation.ts";
import { type StepOutcome, Stop } from "../context/step-outcome.ts";
import type { Transaction } from "../context/transaction.ts";
import type { CallAnswer, Members, Row, Value } from "../ports/index.ts";
import { compileIn, compileOptional } from "../query/expression.ts";
import { rowsGiven, withRows } from "./call-rows.ts";
import { compileGiving, compileReading, membersOf, type ReadMember } from "./call-values.ts";

type Fault = Extract<StepOutcome, { is: "fault" }>;
type Said = Members | Fault;

function fault(call: Call, message: string): Fault {
  return { is: "fault", message: `${call.id}: ${message}` };
}

/** Reads an answer: one of the words, with the data of that word and nothing else. */
function compileSaid(
  services: CompilerServices,
  call: Call,
): (tx: Transaction, answer: CallAnswer) => Said {
  const words = new Map(
    call.says.map(({ word, data, gap }) => {
      const read = data.map((one) => [one.name, compileReading(services, one)] as const);
      return [word, { data: new Map<string, ReadMember>(read), gap }];
    }),
  );
  return (tx, { text, standIn }) => {
    const members = membersOf(text);
    if (typeof members === "string") return fault(call, `the answer is not as stated: ${members}`);
    const word = members.get("word");
    const known = typeof word === "string" ? words.get(word) : undefined;
    if (known === undefined) return fault(call, "it says a word that is not in its table");
    const { data, gap } = known;
    // Whether what comes with the word is as stated is not known.
    if (gap !== undefined && !standIn) throw new Stop({ is: "gap", gap });
    const more = [...members.keys()].find((name) => name !== "word" && !data.has(name));
    if (more !== undefined) return fault(call, `\`${word}\` has no data \`${more}\``);
    const said = new Map<string, Value>([["word", word as string]]);
    for (const [name, read] of standIn ? [] : data) {
      const found = read(tx, members.get(name));
      if (typeof found === "string") return fault(call, found);
      if (found.value !== undefined) said.set(name, found.value);
    }
    return said;
  };
}

/** What is said in place of code: the first of the stand-ins whose condition holds. */
function compileStandIns(
  services: CompilerServices,
  call: Call,
  all: readonly StandIn[],
): (tx: Transaction, given: Members) => Members {
  const scope = new Scope(services.model);
  const slot = scope.slot("given");
  const ways = all.map(({ word, when, with: data }) => ({
    word,
    holds: when && compileIn(scope, when.code),
    data: data.map(({ name, value }) => [name, compileOptional(scope, value)] as const),
  }));
  return (tx, given) => {
    const activation = new Activation(scope, tx).set(slot, given);
    const way = ways.find(({ holds }) => holds === undefined || holds(activation) === true);
    if (way === undefined) throw new Stop({ is: "gap", gap: gapOf(call.standIn) ?? call.id });
    const said = new Map<string, Value>([["word", way.word]]);
    for (const [name, read] of way.data) {
      const value = read(activation);
      if (value !== undefined) said.set(name, value);
    }
    return said;
  };
}

/** What always holds of the answers of a call, judged on every answer. */
function compileJudge(
  services: CompilerServices,
  call: Call,
): (tx: Transaction, given: Members, said: Members) => Fault | undefined {
  const scope = new Scope(services.model);
  const [givenSlot, saidSlot] = [scope.slot("given"), scope.slot("said")];
  const invariants = call.invariants.map((one) => compileIn(scope, one.code));
  return (tx, given, said) => {
    const activation = new Activation(scope, tx).set(givenSlot, given);
    activation.set(saidSlot, said);
    const holds = invariants.every((one) => one(activation) === true);
    return holds ? undefined : fault(call, "the answer breaks an invariant of the call");
  };
}

/** Compiles a call. */
export function compileCall(services: CompilerServices, call: Call): CallDoor {
  const give = compileGiving(services, call.given);
  const read = compileSaid(services, call);
  const judge = compileJudge(services, call);
  const stood = call.standIns && compileStandIns(services, call, call.standIns);
  const readGiven = call.given.map((one) => ({
    one,
    read: compileReading(services, one, "again"),
  }));
  const parts = services.model.plan.partTypes;
  const hidden = call.given.find((one) => one.type.gap !== undefined)?.type.gap;
  const blank = new Scope(services.model);
  const refuse = isStated(call.late) ? services.refusal(blank, call.late.value) : undefined;
  return {
    call,
    give: (tx, values) => {
      // What a value is written as depends on its type.
      if (hidden !== undefined) throw new Stop({ is: "gap", gap: hidden });
      return { text: give(tx, values), rows: rowsGiven(parts, call.given, values) };
    },
    said: (tx, given, answer) => {
      const said = answer.standIn && stood !== undefined ? stood(tx, given) : read(tx, answer);
      return "is" in said ? said : (judge(tx, given, said) ?? said);
    },
    late: (tx) =>
      refuse?.(new Activation(blank, tx)) ??
      (call.late.is === "gap"
        ? { is: "gap", gap: call.late.gap }
        : { is: "gap", gap: `${call.id}/late`, silent: true }),
    given: (tx, text, rows) => {
      const members = membersOf(text);
      if (typeof members === "string") return new Map();
      return new Map(
        readGiven.flatMap(({ one, read: value }) => {
          const found = value(tx, members.get(one.name));
          if (typeof found === "string") return [];
          const mine = rows.filter((row) => row.name === one.name).values();
          const next = (): Row | undefined => {
            const { value: row } = mine.next();
            return row === undefined ? undefined : tx.get(row.resource, row.key);
          };
          return [[one.name, withRows(parts, one.type, found.value, next)]];
        }),
      );
    },
  };
}
