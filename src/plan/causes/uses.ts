/** What a piece of a plan depends on: what an expression, shape or use of rows consults. */
import { never } from "../../base/index.ts";
import { type Code, references } from "../../expr/index.ts";
import { itemOf } from "../answers.ts";
import { isDoneBy } from "../rule-kinds.ts";
import { isScalar } from "../type-kinds.ts";
import type {
  Answer,
  Endpoint,
  Expression,
  Field,
  ItemId,
  Machine,
  Refusal,
  Resource,
  Service,
  Transition,
  ValueType,
} from "../types/index.ts";
import { actsOnChange, FILLS, isState, keepersOf, keyOf, looksUp, referredIn } from "./kinds.ts";
import { judged, limited, saidOf, schemaUsed, tokenIssued } from "./single.ts";

/** Gathers items; each construct is followed once, so that what refers to itself ends. */
export class Uses {
  readonly #service: Service;
  readonly #found = new Set<ItemId>();
  readonly #done = new Set<string>();
  /** Whether rows are looked at by a caller who may not see all. */
  #isSeen: boolean;
  /** What is seen as it is after all that has happened on time: resources, and their fields. */
  readonly due = new Set<string>();
  /** How many items had been found at the last look at rows. */
  #looked: number | undefined;

  /** `endpoint`: whose requests they are; undefined: nobody's, as on time. */
  constructor(service: Service, endpoint?: Endpoint) {
    this.#service = service;
    this.#isSeen = endpoint !== undefined && endpoint.who.is !== "none";
  }

  get items(): ReadonlySet<ItemId> {
    return this.#found;
  }

  /** What is consulted up to the last look at rows; undefined: there is none. */
  get looked(): ReadonlySet<ItemId> | undefined {
    const count = this.#looked;
    return count === undefined ? undefined : new Set([...this.#found].slice(0, count));
  }

  add(...ids: readonly ItemId[]): void {
    for (const id of ids) this.#found.add(id);
  }

  /** Whether there are more rows than those that are found. */
  more(name: string): void {
    const start = this.resource(name)?.startRows;
    if (start !== undefined) this.answer(start);
  }

  #once(key: string, act: () => void): void {
    if (this.#done.has(key)) return;
    this.#done.add(key);
    act();
  }

  /** Whatever is looked at meanwhile is so whoever asks. */
  #seeingAll(act: () => void): void {
    const before = this.#isSeen;
    this.#isSeen = false;
    act();
    this.#isSeen = before;
  }

  /** Takes an answer's item; gives its value where it is stated. */
  answer<T>(answer: Answer<T>): T | undefined {
    const item = itemOf(answer);
    if (item !== undefined) this.add(item);
    return answer.is === "stated" ? answer.value : undefined;
  }

  expression(expression: Expression | undefined): void {
    if (expression !== undefined) this.code(expression.code);
  }

  /** The fields, settings, collections and tokens that code reads. */
  code(code: Code): void {
    const { members, resources, functions } = references(code);
    const { settings } = this.#service.about;
    for (const { kind, of, member } of members) {
      if (kind === "row") this.#fieldOf(of, member);
      else if (of === "setting") {
        for (const one of settings) if (one.name === member) this.add(one.id);
      } else if (of.startsWith("said:")) saidOf(this, this.#service.calls, { of, member });
      else this.#fieldOf(of.replace(/^part:/, ""), member);
    }
    for (const resource of resources) this.reads(resource);
    if (functions.has("token")) tokenIssued(this, this.#service.schemes);
    if (looksUp(code)) this.#looked = this.#found.size;
  }

  #fieldOf(owner: string, name: string): void {
    const field = this.#ownerOf(owner)?.fields.find((one) => one.name === name);
    if (field === undefined) return;
    this.add(field.id);
    this.due.add(`${owner}.${name}`);
    this.#statesOf(owner, isState(field));
  }

  /** What determines the value of a field besides what a client or a step gives. */
  #stated(field: Field): void {
    for (const rule of field.rules) {
      if (isDoneBy(rule, "making") || isDoneBy(rule, "keeping")) this.add(rule.id);
      if (rule.kind === "set" || rule.kind === "starts") this.expression(rule.value);
    }
  }

  #ownerOf(name: string): { id: ItemId; fields: readonly Field[] } | undefined {
    const { resources, partTypes } = this.#service;
    return [...resources, ...partTypes].find((one) => one.name === name);
  }

  resource(name: string): Resource | undefined {
    return this.#service.resources.find((one) => one.name === name);
  }

  #machine(name: string): Machine | undefined {
    return this.#service.machines.find((one) => one.resource === name);
  }

  /** Rows are looked at: which there are; `isSeen`: by a caller who may not see all. */
  reads(name: string, isSeen = this.#isSeen): void {
    this.more(name);
    this.finds(name, isSeen);
  }

  /** One row is looked for: where it is found, others that are not known do not matter. */
  finds(name: string, isSeen = this.#isSeen): void {
    this.#once(`reads ${name} ${isSeen}`, () => {
      const { id, invariants } = this.resource(name) ?? { id: undefined, invariants: [] };
      if (id !== undefined) this.add(id);
      for (const one of invariants) {
        if (one.kind === "kept for" || (one.kind === "rows" && isSeen)) this.add(one.id);
        if (one.kind === "kept for") this.#fieldOf(name, one.after);
        if (one.kind === "rows" && isSeen) this.expression(one.where);
      }
      this.due.add(name);
    });
    this.#looked = this.#found.size;
    // In which state a row is found is seen by who reads the field.
    this.#statesOf(name, false);
  }

  /** The states of rows of the resource are written, shown or compared. */
  #statesOf(name: string, isSeen = true): void {
    const machine = this.#machine(name);
    if (machine !== undefined && isSeen) this.held(machine);
    else if (machine !== undefined) this.#states(machine);
  }

  /** The field that holds a machine's states, and which there are. */
  held(machine: Machine): void {
    this.due.add(`${machine.resource}.${machine.field}`);
    this.#states(machine);
  }

  #states({ id }: Machine): void {
    this.add(id, `${id}/held in`, `${id}/states`);
  }

  transition(transition: Transition, resource: string): void {
    this.add(transition.id);
    for (const { id, counts } of this.#service.limits) {
      const isCounted = counts.is === "sum" && counts.resource === resource;
      if (isCounted && counts.transitions.includes(transition.name)) this.limit(id);
    }
    this.expression(transition.when);
    if (transition.gap !== undefined) this.add(transition.gap);
    const { on } = transition;
    if (on.is === "gap") this.add(on.gap);
    if (on.is === "time") this.#fieldOf(resource, on.field);
  }

  /** A value is kept in a field, as what its type says. */
  written(owner: string, name: string): void {
    const field = this.resource(owner)?.fields.find((one) => one.name === name);
    if (field !== undefined) this.add(field.id);
  }

  /** The field by which versions of a row are told apart, with what changes it. */
  version(name: string): void {
    const resource = this.resource(name);
    const field = resource?.fields.find((one) => one.name === resource.versionTag?.field);
    if (field === undefined) return;
    this.#fieldOf(name, field.name);
    this.#stated(field);
  }

  /** A row is made. */
  creates(name: string): void {
    this.#once(`creates ${name}`, () => {
      const resource = this.resource(name);
      if (resource === undefined) return;
      this.add(resource.id);
      this.#statesOf(name);
      // Other rows would have taken numbers.
      const isNumbered = resource.fields.some(({ rules }) =>
        rules.some((rule) => rule.kind === "counts up"),
      );
      if (isNumbered) this.more(name);
      for (const field of resource.fields) {
        // Whether a client gives it, a rule or its type, decides on whether there is a value.
        this.add(field.id);
        if (field.rules.some((rule) => FILLS.has(rule.kind))) this.#stated(field);
      }
      this.changes(name, true);
      for (const limit of this.#service.limits) {
        const { counts } = limit;
        if (counts.is !== "rows kept" && counts.is !== "sum") continue;
        if (counts.resource !== name) continue;
        this.limit(limit.id);
        this.reads(name);
      }
    });
  }

  /** What may have fallen due for rows: nobody reads or writes what is in doubt. */
  #falls(name: string, fields = this.resource(name)?.fields ?? []): void {
    for (const one of fields) this.due.add(`${name}.${one.name}`);
  }

  /** A row gets other values: what then must hold of it, what is set; `isNew`: it was just made. */
  changes(name: string, isNew = false): void {
    if (!isNew) this.#falls(name);
    this.#once(`changes ${name}`, () => {
      const resource = this.resource(name);
      if (resource === undefined) return;
      for (const field of resource.fields) {
        if (field.rules.some(actsOnChange)) {
          this.add(field.id);
          this.#stated(field);
        }
        if (field.rules.some(({ kind }) => kind === "unique")) this.reads(name, false);
      }
      this.#seeingAll(() => {
        for (const invariant of resource.invariants) {
          judged(this, invariant);
          if (invariant.kind === "unique") this.reads(name, false);
        }
      });
      // An invariant that reads other rows is judged on the rows that a touched row refers to.
      for (const { type } of resource.fields) {
        for (const other of referredIn(type)) {
          for (const invariant of this.resource(other)?.invariants ?? []) {
            if (invariant.kind !== "always") continue;
            const read = references(invariant.condition.code).resources;
            if (read.size > 0) this.#seeingAll(() => judged(this, invariant));
          }
        }
      }
    });
  }

  /** A row goes, and with it what refers to it. */
  deletes(name: string, isNew = false): void {
    if (!isNew) this.#falls(name);
    this.#once(`deletes ${name}`, () => {
      const resource = this.resource(name);
      this.#statesOf(name);
      for (const invariant of resource?.invariants ?? []) {
        if (invariant.kind !== "deleted refused") continue;
        this.add(invariant.id);
        this.expression(invariant.condition);
        this.refusal(invariant.otherwise);
      }
      for (const other of [...this.#service.resources, ...this.#service.partTypes]) {
        for (const field of other.fields) {
          if (!referredIn(field.type).includes(name)) continue;
          this.add(field.id);
          // Those that are not there any more are left out.
          for (const keeper of keepersOf(this.#service, other.name)) this.reads(keeper, false);
          for (const rule of field.rules.filter((one) => one.kind === "when gone")) {
            if (rule.otherwise !== undefined) this.refusal(rule.otherwise);
            for (const keeper of keepersOf(this.#service, other.name)) {
              if (rule.action === "deleted with it") this.deletes(keeper);
              else if (rule.action !== "refused") this.changes(keeper);
            }
          }
        }
      }
    });
  }

  limit(id: ItemId): void {
    const limit = this.#service.limits.find((one) => one.id === id);
    if (limit !== undefined) this.#seeingAll(() => limited(this, limit));
  }

  refusal(refusal: Refusal): void {
    if (refusal.is === "gap") return this.add(refusal.gap);
    this.add(refusal.id);
    for (const one of refusal.with) this.expression(one.value);
  }

  /** What an error's answer shows. */
  error(name: string): void {
    this.#once(`error ${name}`, () => {
      const error = this.#service.errors.find((one) => one.name === name);
      if (error === undefined) return;
      this.add(error.id);
      this.answer(error.status);
      for (const one of [...error.columns, ...error.headers]) this.answer(one.value);
      const body = this.answer(error.body);
      if (body !== undefined) this.body(body);
    });
  }

  /** A shape, view or resource as a whole body: what it shows, and its media type. */
  body(name: string, isNew = false): void {
    const shape = this.#service.shapes.find((one) => one.name === name);
    this.answer(shape?.contentType ?? this.#service.about.bodyFormat);
    const resource = shape?.viewOf ?? name;
    const tag = this.resource(resource)?.versionTag;
    if (tag !== undefined) this.add(tag.id);
    if (tag !== undefined) this.version(resource);
    this.shows(name, isNew);
  }

  /** What is seen where something is shown by name; `isNew`: nothing has fallen due for it. */
  shows(name: string, isNew = false): void {
    this.#once(`shows ${name} ${isNew}`, () => {
      const { shapes } = this.#service;
      const shape = shapes.find((one) => one.name === name);
      const owner = this.#ownerOf(name);
      if (shape === undefined && owner !== undefined) {
        this.add(owner.id);
        this.#shownFields(owner.fields);
        if (!isNew) this.#falls(name, owner.fields);
        if (owner.fields.some(isState)) this.#statesOf(name);
        return;
      }
      if (shape === undefined) return;
      this.add(shape.id);
      for (const given of shape.given) this.add(`${shape.id}/given \`${given.name}\``);
      const { taken, viewOf } = shape;
      if (taken !== undefined && viewOf !== undefined) {
        this.add(`${shape.id}/fields`);
        const fields = this.resource(viewOf)?.fields ?? [];
        const seen = fields.filter((one) => taken.fields.includes(one.name) !== taken.allBut);
        this.#shownFields(seen);
        if (!isNew) this.#falls(viewOf, seen);
        if (seen.some(isState)) this.#statesOf(viewOf);
      }
      for (const field of shape.fields) {
        this.add(field.id);
        this.type(field.type);
        this.expression(this.answer(field.value));
      }
    });
  }

  #shownFields(fields: readonly Field[]): void {
    for (const field of fields) {
      if (field.read.is === "no") continue;
      this.add(field.id);
      if (field.read.is === "gap") this.add(field.read.gap);
      if (field.read.is === "actors") {
        const { actors } = field.read;
        for (const one of this.#service.actors) if (actors.includes(one.name)) this.add(one.id);
      }
      this.type(field.type);
    }
  }

  /** What a value of the type is written and read by. */
  type({ type }: ValueType): void {
    if (isScalar(type)) {
      if (type.kind === "timestamp") this.answer(type.precision);
      if (type.kind === "schema") schemaUsed(this, this.#service.schemas, type.name);
      return;
    }
    switch (type.kind) {
      case "list":
      case "map":
        this.type(type.of);
        return;
      case "structure":
        this.shows(type.name);
        return;
      case "reference":
        if (type.view === undefined) this.add(...keyOf(this.resource(type.resource)));
        else this.shows(type.view);
        return;
      default:
        never(type);
    }
  }
}
