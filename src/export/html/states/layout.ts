/** Lays out a graph in layers from top to bottom: nodes, labels of edges, and the edges' ways. */

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface GraphEdge {
  readonly from: number;
  readonly to: number;
  /** Of its label. */
  readonly size: Size;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Layout extends Size {
  /** The middle of each node. */
  readonly nodes: readonly Point[];
  /** For each edge the points that it goes through, and the middle of its label. */
  readonly edges: readonly { readonly points: readonly Point[]; readonly label: Point }[];
}

/** A node, or a place in a layer that an edge goes through. */
interface Cell {
  layer: number;
  readonly width: number;
  readonly height: number;
  x: number;
  readonly above: number[];
  readonly below: number[];
}

const GAP_X = 28;
const GAP_Y = 26;
const MARGIN = 16;
const SWEEPS = 12;

/** Edges that go back to where the way to them came from, by a walk from the first nodes. */
function backEdges(count: number, edges: readonly GraphEdge[]): Set<number> {
  const out: number[][] = Array.from({ length: count }, () => []);
  for (const [i, { from, to }] of edges.entries()) if (from !== to) out[from]?.push(i);
  const back = new Set<number>();
  const state = new Uint8Array(count);
  for (let root = 0; root < count; root++) {
    if (state[root] !== 0) continue;
    const trail = [{ node: root, next: 0 }];
    state[root] = 1;
    for (let top = trail.at(-1); top !== undefined; top = trail.at(-1)) {
      const edge = out[top.node]?.[top.next++];
      if (edge === undefined) {
        state[top.node] = 2;
        trail.pop();
        continue;
      }
      const to = edges[edge]?.to ?? 0;
      if (state[to] === 1) back.add(edge);
      else if (state[to] === 0) {
        state[to] = 1;
        trail.push({ node: to, next: 0 });
      }
    }
  }
  return back;
}

/** Layers by the longest way from a first node, over edges of which none goes back. */
function layersOf(count: number, edges: readonly (readonly [number, number])[]): number[] {
  const layer = new Array<number>(count).fill(0);
  const out: number[][] = Array.from({ length: count }, () => []);
  const into = new Array<number>(count).fill(0);
  for (const [from, to] of edges) {
    out[from]?.push(to);
    into[to] = (into[to] ?? 0) + 1;
  }
  const open = layer.flatMap((_, node) => (into[node] === 0 ? [node] : []));
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const to of out[node] ?? []) {
      layer[to] = Math.max(layer[to] ?? 0, (layer[node] ?? 0) + 1);
      into[to] = (into[to] ?? 0) - 1;
      if (into[to] === 0) open.push(to);
    }
  }
  return layer;
}

interface Grid {
  /** The first so many cells are nodes. */
  readonly nodes: number;
  readonly cells: Cell[];
  readonly layers: number[][];
  /** For each edge its cells from top to bottom, its ends included. */
  readonly ways: (readonly number[] | undefined)[];
}

function link(cells: readonly Cell[], upper: number, lower: number): void {
  cells[upper]?.below.push(lower);
  cells[lower]?.above.push(upper);
}

/** Places that edges go through: what has more is drawn by no page. */
const PLACES_MAX = 4_000;

/** States stand in even layers; between them each edge has a cell in every layer it crosses. */
function gridOf(sizes: readonly Size[], edges: readonly GraphEdge[]): Grid | undefined {
  const back = backEdges(sizes.length, edges);
  const isLoop = ({ from, to }: GraphEdge): boolean => from === to;
  const forward = edges.map((edge, i): readonly [number, number] =>
    back.has(i) ? [edge.to, edge.from] : [edge.from, edge.to],
  );
  const real = forward.filter((_, i) => !isLoop(edges[i] as GraphEdge));
  const layer = layersOf(sizes.length, real);
  const places = real.reduce(
    (sum, [from, to]) => sum + 2 * ((layer[to] ?? 0) - (layer[from] ?? 0)),
    0,
  );
  if (places > PLACES_MAX) return undefined;
  const cell = (at: number, { width, height }: Size): Cell => ({
    ...{ layer: at, width, height, x: 0, above: [], below: [] },
  });
  const cells = sizes.map((size, i) => cell((layer[i] ?? 0) * 2, size));
  const ways = edges.map((edge, i) => {
    if (isLoop(edge)) return undefined;
    const [upper, lower] = forward[i] ?? [0, 0];
    const [first, last] = [(layer[upper] ?? 0) * 2, (layer[lower] ?? 0) * 2];
    // The label stands where the edge leaves its state, so that it is read with it.
    const labelled = back.has(i) ? last - 1 : first + 1;
    const way = [upper];
    for (let at = first + 1; at < last; at++) {
      const size = at === labelled ? edge.size : { width: 8, height: 0 };
      way.push(cells.push(cell(at, size)) - 1);
    }
    way.push(lower);
    for (let k = 1; k < way.length; k++) link(cells, way[k - 1] ?? 0, way[k] ?? 0);
    return way;
  });
  const layers: number[][] = [];
  for (const [i, { layer: at }] of cells.entries()) {
    while (layers.length <= at) layers.push([]);
    layers[at]?.push(i);
  }
  return { cells, layers, ways, nodes: sizes.length };
}

/** How much stronger than a node the next place on its way pulls a place of an edge. */
const STRAIGHT = 6;

const mean = (values: readonly number[], otherwise: number): number =>
  values.length === 0 ? otherwise : values.reduce((sum, one) => sum + one, 0) / values.length;

/** Orders each layer by the middle of what its cells are joined to, down and up in turn. */
function orderLayers({ cells, layers }: Grid): void {
  const place = new Array<number>(cells.length).fill(0);
  const note = (layer: readonly number[]): void => {
    for (const [i, one] of layer.entries()) place[one] = i;
  };
  for (const layer of layers) note(layer);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isDown = sweep % 2 === 0;
    for (const layer of isDown ? layers : layers.toReversed()) {
      const key = new Map(
        layer.map((one) => {
          const joined = isDown ? cells[one]?.above : cells[one]?.below;
          return [
            one,
            mean(
              (joined ?? []).map((each) => place[each] ?? 0),
              place[one] ?? 0,
            ),
          ];
        }),
      );
      layer.sort((a, b) => (key.get(a) ?? 0) - (key.get(b) ?? 0));
      note(layer);
    }
  }
}

/** Moves cells towards what they are joined to, never nearer to one another than may be. */
function placeCells({ cells, layers, nodes }: Grid): void {
  const near = (a: number, b: number): number =>
    ((cells[a]?.width ?? 0) + (cells[b]?.width ?? 0)) / 2 + GAP_X;
  for (const layer of layers) {
    let x = 0;
    for (const [i, one] of layer.entries()) {
      if (i > 0) x += near(layer[i - 1] ?? 0, one);
      (cells[one] as Cell).x = x;
    }
  }
  for (let sweep = 0; sweep < SWEEPS * 2; sweep++) {
    for (const layer of sweep % 2 === 0 ? layers : layers.toReversed()) {
      const wish = layer.map((one) => {
        const { above, below, x } = cells[one] as Cell;
        const pulls = [...above, ...below].flatMap((each) => {
          const times = one >= nodes && each >= nodes ? STRAIGHT : 1;
          return new Array<number>(times).fill(cells[each]?.x ?? 0);
        });
        return mean(pulls, x);
      });
      // From both sides; the middle of two ways that keep the distances keeps them too.
      const left = [...wish];
      for (let i = 1; i < left.length; i++) {
        const least = (left[i - 1] ?? 0) + near(layer[i - 1] ?? 0, layer[i] ?? 0);
        left[i] = Math.max(left[i] ?? 0, least);
      }
      const right = [...wish];
      for (let i = right.length - 2; i >= 0; i--) {
        const most = (right[i + 1] ?? 0) - near(layer[i] ?? 0, layer[i + 1] ?? 0);
        right[i] = Math.min(right[i] ?? 0, most);
      }
      for (const [i, one] of layer.entries()) {
        (cells[one] as Cell).x = ((left[i] ?? 0) + (right[i] ?? 0)) / 2;
      }
    }
  }
}

/**
 * Lays out nodes of those sizes: edges go down, those that go back go up again; a label stands
 * beside its node where an edge leads from a node to itself. Undefined: too much to be drawn.
 */
export function layout(sizes: readonly Size[], edges: readonly GraphEdge[]): Layout | undefined {
  // A loop needs room at the right of its node, as much on both sides.
  const loops = new Map<number, GraphEdge[]>();
  for (const edge of edges) {
    if (edge.from === edge.to) loops.set(edge.from, [...(loops.get(edge.from) ?? []), edge]);
  }
  const wide = sizes.map((size, i) => {
    const own = (loops.get(i) ?? []).map(({ size: { width } }) => width + 34);
    return { ...size, width: size.width + 2 * Math.max(0, ...own) };
  });
  const grid = gridOf(wide, edges);
  if (grid === undefined) return undefined;
  orderLayers(grid);
  placeCells(grid);
  const { cells, layers, ways } = grid;
  const tops: number[] = [];
  let y = MARGIN;
  for (const layer of layers) {
    const height = Math.max(6, ...layer.map((one) => cells[one]?.height ?? 0));
    tops.push(y + height / 2);
    y += height + GAP_Y;
  }
  const low = cells.reduce((least, { x, width: own }) => Math.min(least, x - own / 2), 1e9);
  const point = (i: number): Point => {
    const { x, layer } = cells[i] as Cell;
    return { x: x - low + MARGIN, y: tops[layer] ?? 0 };
  };
  const looped = new Map<number, number>();
  const placed = edges.map((edge, i) => {
    const way = ways[i];
    if (way === undefined) {
      const middle = point(edge.from);
      const count = looped.get(edge.from) ?? 0;
      looped.set(edge.from, count + 1);
      const x = middle.x + (sizes[edge.from]?.width ?? 0) / 2;
      const label = { x: x + 26 + edge.size.width / 2, y: middle.y + count * 34 };
      return { points: [middle], label };
    }
    const isBack = way[0] !== edge.from;
    const ordered = isBack ? way.toReversed() : way;
    return { points: ordered.map(point), label: point(ordered[1] ?? 0) };
  });
  const far = cells.reduce((most, { x, width: own }) => Math.max(most, x + own / 2), -1e9);
  const width = far - low + 2 * MARGIN;
  return { width, height: y - GAP_Y + MARGIN, nodes: sizes.map((_, i) => point(i)), edges: placed };
}
