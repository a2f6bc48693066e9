/** The states of a resource as a drawing (SVG) and as a list, each with what leads out of it. */
import type { Machine, Plan, State, Step, Transition, Trigger } from "../../../plan/index.ts";
import { everyStep, pathText } from "../../../plan/index.ts";
import { lineId, lineOfItem, type Page } from "../page.ts";
import { escaped } from "../text.ts";
import { type GraphEdge, layout, type Point, type Size } from "./layout.ts";

const CHAR = 7.4;
const SMALL_CHAR = 6.7;
const LINE = 16;
const DOT = { width: 16, height: 16 };
const WORDS_MAX = 34;

const clipped = (text: string): string => {
  const signs = [...text];
  return signs.length <= WORDS_MAX ? text : `${signs.slice(0, WORDS_MAX - 1).join("")}\u2026`;
};

/** What causes a transition, in a few words; nothing where a step does. */
function causeOf(on: Trigger): string | undefined {
  switch (on.is) {
    case "step":
      return undefined;
    case "time":
      return `at ${on.field}`;
    case "every":
      return `every ${on.durationText}`;
    case "transition":
      return `with ${on.transition} of ${on.resource}`;
    case "refused":
      return `${on.transition} refused`;
    case "call":
      return `${on.call} says ${on.word}`;
    case "by itself":
      return `by itself within ${on.withinText}`;
    case "gap":
      return "cause not shown";
  }
}

/** The lines of a label: its name, its cause, its guard. */
function labelOf({ name, on, when, gap }: Transition): string[] {
  const cause = causeOf(on);
  return [
    clipped(name),
    ...(cause === undefined ? [] : [clipped(cause)]),
    ...(when === undefined ? [] : [clipped(`if ${when.text.replaceAll(/\s+/g, " ")}`)]),
    ...(gap === undefined ? [] : ["in part not shown"]),
  ];
}

interface Drawn extends GraphEdge {
  readonly labels: readonly (readonly string[])[];
}

function sizeOf(labels: readonly (readonly string[])[]): Size {
  const lines = labels.flat();
  const widths = lines.map((line) => [...line].length * SMALL_CHAR);
  return { width: Math.max(...widths, 0) + 12, height: lines.length * LINE + 4 };
}

/** Transitions between the same two states share an edge. */
function edgesOf({ states, transitions }: Machine): Drawn[] {
  const index = new Map(states.map(({ name }, i) => [name, i]));
  const joined = new Map<string, { from: number; to: number; labels: string[][] }>();
  for (const each of transitions) {
    const to = index.get(each.to);
    if (to === undefined) continue;
    for (const name of each.from) {
      const from = index.get(name);
      if (from === undefined) continue;
      const key = `${from} ${to}`;
      const edge = joined.get(key) ?? { from, to, labels: [] };
      edge.labels.push(labelOf(each));
      joined.set(key, edge);
    }
  }
  return [...joined.values()].map((edge) => ({ ...edge, size: sizeOf(edge.labels) }));
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** A smooth line through points, from the border of one node to the border of another. */
function wayOf(points: readonly Point[], from: Size, to: Size): string {
  const cut = (end: Point, next: Point, { height }: Size): Point => ({
    x: end.x + Math.max(-1, Math.min(1, (next.x - end.x) / 400)) * 14,
    y: end.y + (next.y > end.y ? 1 : -1) * (height / 2),
  });
  const [first, last] = [points[0], points.at(-1)];
  const [second, before] = [points[1], points.at(-2)];
  if (!first || !last || !second || !before) return "";
  const all = [cut(first, second, from), ...points.slice(1, -1), cut(last, before, to)];
  let path = `M${round(all[0]?.x ?? 0)} ${round(all[0]?.y ?? 0)}`;
  for (let i = 1; i < all.length; i++) {
    const [a, b] = [all[i - 1] as Point, all[i] as Point];
    const half = (b.y - a.y) / 2;
    path +=
      `C${round(a.x)} ${round(a.y + half)} ${round(b.x)} ${round(b.y - half)} ` +
      `${round(b.x)} ${round(b.y)}`;
  }
  return path;
}

function labelSvg(at: Point, { labels, size }: Drawn): string {
  const { width, height } = size;
  const [left, top] = [round(at.x - width / 2), round(at.y - height / 2)];
  let y = top + 13;
  const lines = labels.flatMap((one) =>
    one.map((line, i) => {
      const text =
        `<text class="${i === 0 ? "name" : "cause"}" x="${round(at.x)}" ` +
        `y="${round(y)}">${escaped(line)}</text>`;
      y += LINE;
      return text;
    }),
  );
  return (
    `<rect class="label" x="${left}" y="${top}" width="${round(width)}" ` +
    `height="${round(height)}" rx="4"/>${lines.join("")}`
  );
}

function loopOf(middle: Point, label: Point, { width }: Size): string {
  const x = middle.x + width / 2;
  const [up, down] = [label.y - 8, label.y + 8];
  return (
    `M${round(x)} ${round(up)}C${round(x + 30)} ${round(up - 8)} ${round(x + 30)} ` +
    `${round(down + 8)} ${round(x)} ${round(down)}`
  );
}

/** The drawing. Dots above states are where rows begin; a second border marks the last states. */
function drawing(machine: Machine, id: string): string | undefined {
  const { states, resource } = machine;
  const initial = states.flatMap(({ initial: is }, i) => (is ? [i] : []));
  const boxes: Size[] = states.map(({ name }) => ({
    ...{ width: Math.max(64, [...clipped(name)].length * CHAR + 28), height: 34 },
  }));
  const sizes = [...boxes, ...initial.map(() => DOT)];
  const edges: Drawn[] = [
    ...initial.map((to, i) => ({
      ...{ from: states.length + i, to, labels: [], size: { width: 8, height: 0 } },
    })),
    ...edgesOf(machine),
  ];
  const laid = layout(sizes, edges);
  if (laid === undefined) return undefined;
  const { width, height, nodes, edges: ways } = laid;
  const lines = edges.map((edge, i) => {
    const { points = [], label = { x: 0, y: 0 } } = ways[i] ?? {};
    const [from, to] = [sizes[edge.from] ?? DOT, sizes[edge.to] ?? DOT];
    const [middle] = points;
    const path =
      edge.from === edge.to && middle !== undefined
        ? loopOf(middle, label, from)
        : wayOf(points, from, to);
    return {
      way: `<path class="way" d="${path}" marker-end="url(#${id}--tip)"/>`,
      label: edge.labels.length === 0 ? "" : labelSvg(label, edge),
    };
  });
  const shapes = states.map(({ name, final }, i) => stateSvg(name, final, nodes[i], boxes[i]));
  const dots = initial.map((_, i) => {
    const { x, y } = nodes[states.length + i] ?? { x: 0, y: 0 };
    return `<circle class="start" cx="${round(x)}" cy="${round(y)}" r="7"/>`;
  });
  const [w, h] = [Math.ceil(width), Math.ceil(height)];
  const title = `States of ${resource}`;
  const says = `${states.length} states, drawn; the list below says the same in words.`;
  return (
    `<svg viewBox="0 0 ${w} ${h}" width="${w}" height="${h}" role="img" ` +
    `aria-labelledby="${id}--title ${id}--desc"><title id="${id}--title">` +
    `${escaped(title)}</title>` +
    `<desc id="${id}--desc">${says}</desc>` +
    `<defs><marker id="${id}--tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" ` +
    `markerHeight="7" orient="auto-start-reverse"><path class="tip" d="M0 0L10 5L0 10z"/>` +
    `</marker></defs>` +
    `${lines.map(({ way }) => way).join("")}${lines.map(({ label }) => label).join("")}` +
    `${dots.join("")}${shapes.join("")}</svg>`
  );
}

function stateSvg(
  name: string,
  final: boolean,
  at: Point = { x: 0, y: 0 },
  { width, height }: Size = DOT,
): string {
  const [x, y] = [at.x - width / 2, at.y - height / 2];
  const box = (by: number, kind: string): string =>
    `<rect class="${kind}" x="${round(x + by)}" y="${round(y + by)}" ` +
    `width="${round(width - 2 * by)}" height="${height - 2 * by}" rx="${10 - by}"/>`;
  return (
    `${box(0, "state")}${final ? box(3.5, "last") : ""}` +
    `<text class="word" x="${round(at.x)}" y="${round(at.y + 4.5)}">` +
    `${escaped(clipped(name))}</text>`
  );
}

/** The steps, with those of the routines that they do. */
function withRoutines({ routines }: Plan, steps: readonly Step[]): Step[] {
  const byName = new Map(routines.map((one) => [one.name, one]));
  const all = everyStep(steps);
  const done = new Set<string>();
  // The list grows while it is walked.
  for (const step of all) {
    if (step.kind !== "do" || done.has(step.routine)) continue;
    done.add(step.routine);
    all.push(...everyStep(byName.get(step.routine)?.steps ?? []));
  }
  return all;
}

type Firing = ReadonlyMap<string, ReadonlySet<string>>;

/** The endpoints whose steps take a transition, by its name, where no other has that name. */
function firingOf(plan: Plan): Firing {
  const machines = new Map<string, number>();
  for (const { transitions } of plan.machines) {
    for (const name of new Set(transitions.map((one) => one.name))) {
      machines.set(name, (machines.get(name) ?? 0) + 1);
    }
  }
  const found = new Map<string, Set<string>>();
  for (const { method, path, steps } of plan.endpoints) {
    for (const step of withRoutines(plan, steps)) {
      if (step.kind !== "fire") continue;
      for (const name of step.transitions) {
        if (machines.get(name) !== 1) continue;
        const all = found.get(name) ?? new Set<string>();
        found.set(name, all.add(`${method} ${pathText(path)}`));
      }
    }
  }
  return found;
}

function transitionHtml(page: Page, each: Transition, firing: Firing): string {
  const by = [...(firing.get(each.name) ?? [])];
  const line = lineOfItem(page, each.id);
  const name = `<code>${escaped(each.name)}</code>`;
  const link = line === undefined ? name : `<a class="ref" href="#${lineId(line)}">${name}</a>`;
  const ends = by.map((one) => {
    const place = page.names.get(one);
    const code = `<code>${escaped(one)}</code>`;
    return place === undefined ? code : `<a class="ref" href="#${escaped(place)}">${code}</a>`;
  });
  const cause = causeOf(each.on) ?? (ends.length === 0 ? "by a step" : `by ${ends.join(", ")}`);
  const words = each.on.is === "step" ? cause : escaped(cause);
  return `<li>${link} to <code>${escaped(each.to)}</code> <span class="met">${words}</span></li>`;
}

function stateHtml(
  page: Page,
  { name, initial, final }: State,
  out: readonly string[],
  resource: string,
): string {
  const kind = [...(initial ? ["first"] : []), ...(final ? ["last"] : [])].join(", ");
  const tag = kind === "" ? "" : ` <span class="tag">${kind}</span>`;
  const list =
    out.length === 0
      ? ` <span class="met">nothing leads out of it</span>`
      : `<ul role="list">${out.join("")}</ul>`;
  const code = `<code>${escaped(name)}</code>`;
  const own = escaped(page.ids.take(`state-${resource}-${name}`));
  return `<li id="${own}"><a class="name" href="#${own}">${code}</a>${tag}${list}</li>`;
}

const TOO_MANY = "<p>These are too many transitions to draw.</p>";

function figureHtml(drawn: string, resource: string): string {
  return (
    `<figure class="drawing"><div class="scroll" role="region" tabindex="0" ` +
    `aria-label="States of ${escaped(resource)}, drawn">${drawn}</div>` +
    `<figcaption>A dot leads to the first state. A double border marks a last one.</figcaption>` +
    `</figure>`
  );
}

/** What draws a machine and says its states in words; `id` is the place of its section. */
export function machinesOf(page: Page): (machine: Machine, id: string) => string {
  const firing = firingOf(page.plan);
  return (machine, id) => {
    const place = escaped(id);
    const out = new Map<string, string[]>();
    for (const each of machine.transitions) {
      const html = transitionHtml(page, each, firing);
      for (const from of each.from) {
        const all = out.get(from);
        if (all === undefined) out.set(from, [html]);
        else all.push(html);
      }
    }
    if (machine.states.length === 0) return "";
    const states = machine.states.map((one) => {
      return stateHtml(page, one, out.get(one.name) ?? [], machine.resource);
    });
    const drawn = drawing(machine, place);
    return (
      `${drawn === undefined ? TOO_MANY : figureHtml(drawn, machine.resource)}` +
      `<section class="panel" aria-labelledby="${place}--states">` +
      `<h4 id="${place}--states">Each state</h4>` +
      `<ul class="states" role="list">${states.join("")}</ul></section>`
    );
  };
}
