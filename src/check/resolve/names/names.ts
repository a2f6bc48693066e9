/** Names in scope as a map that grows without being copied; older scopes stay as they are. */
import type { Type } from "../../../expr/index.ts";

type Layer = ReadonlyMap<string, Type>;

/** An immutable map in layers, the newest last; a name means what its newest layer says. */
export class Names implements ReadonlyMap<string, Type> {
  readonly #layers: readonly Layer[];

  private constructor(layers: readonly Layer[]) {
    this.#layers = layers;
  }

  static of(entries: Iterable<readonly [string, Type]>): Names {
    return entries instanceof Names ? entries : new Names([new Map(entries)]);
  }

  /** For a short while: the new names are one layer more. */
  over(entries: Iterable<readonly [string, Type]>): Names {
    return new Names([...this.#layers, new Map(entries)]);
  }

  /** For good: layers of one size become one, so that there are few (logarithm of the names). */
  with(name: string, type: Type): Names {
    const layers = [...this.#layers];
    let last: Layer = new Map([[name, type]]);
    for (let before = layers.at(-1); before !== undefined && before.size <= last.size; ) {
      last = new Map([...before, ...last]);
      layers.pop();
      before = layers.at(-1);
    }
    return new Names([...layers, last]);
  }

  get(name: string): Type | undefined {
    for (let i = this.#layers.length - 1; i >= 0; i--) {
      const type = this.#layers[i]?.get(name);
      if (type !== undefined) return type;
    }
    return undefined;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  #whole(): Layer {
    return new Map(this.#layers.flatMap((layer) => [...layer]));
  }

  get size(): number {
    return this.#whole().size;
  }

  /** Not made whole: of many names one or two are looked at. */
  *keys(): MapIterator<string> {
    for (const [i, layer] of this.#layers.entries()) {
      const before = this.#layers.slice(0, i);
      for (const name of layer.keys()) {
        if (!before.some((one) => one.has(name))) yield name;
      }
    }
  }

  values(): MapIterator<Type> {
    return this.#whole().values() as MapIterator<Type>;
  }

  entries(): MapIterator<[string, Type]> {
    return this.#whole().entries() as MapIterator<[string, Type]>;
  }

  [Symbol.iterator](): MapIterator<[string, Type]> {
    return this.entries();
  }

  forEach(each: (type: Type, name: string, map: ReadonlyMap<string, Type>) => void): void {
    for (const [name, type] of this.#whole()) each(type, name, this);
  }
}
