/** Chooses among what a document leaves free, by a seed: the same seed chooses the same again. */

function stateOf(digest: string): Uint32Array {
  return Uint32Array.from([0, 8, 16, 24], (at) => Number.parseInt(digest.slice(at, at + 8), 16));
}

/** The generator sfc32 of the PractRand test suite, with 128 bits of state. */
function next(state: Uint32Array): number {
  const [a = 0, b = 0, c = 0, d = 0] = state;
  const sum = (a + b + d) >>> 0;
  state[0] = b ^ (b >>> 9);
  state[1] = c + (c << 3);
  state[2] = ((c << 21) | (c >>> 11)) + sum;
  state[3] = d + 1;
  return sum;
}

/** The next numbers depend on the seed and on the name of what was begun last. */
export class Chooser {
  readonly #seed: string;
  readonly #sha256: (text: string) => string;
  readonly #times: bigint;
  #name = "";
  #state: Uint32Array = new Uint32Array(4);
  #salt = 0;
  #bytes: Uint32Array | undefined;

  /** `times`: how often this was made before: bytes, of which ids are made, differ each time. */
  constructor(seed: string, sha256: (text: string) => string, times = 0n) {
    this.#seed = seed;
    this.#sha256 = sha256;
    this.#times = times;
    this.begin("");
  }

  /** Begins a request or something else that is to be the same whenever it is begun. */
  begin(name: string): void {
    const digest = this.#sha256(JSON.stringify([this.#seed, name]));
    this.#name = name;
    this.#state = stateOf(digest);
    this.#salt = Number.parseInt(digest.slice(32, 40), 16);
    this.#bytes = undefined;
  }

  /** One of 0 to `count` - 1. */
  pick(count: number): number {
    return Math.floor((next(this.#state) / 2 ** 32) * count);
  }

  /** A time of more than nothing, at most so long. */
  within(micros: bigint): bigint {
    const part = BigInt(next(this.#state));
    return micros <= 1n ? micros : 1n + ((micros - 1n) * part) / 0xffff_ffffn;
  }

  bytes(count: number): Uint8Array {
    const { length } = this.#seed;
    this.#bytes ??= stateOf(this.#sha256(`${length} ${this.#seed} ${this.#times} ${this.#name}`));
    const state = this.#bytes;
    return Uint8Array.from({ length: count }, () => next(state) >>> 24);
  }

  /** Where a thing of that name stands among others, the same until something else is begun. */
  rank(name: string): number {
    let hash = this.#salt;
    for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    return (Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35) ^ (hash >>> 16)) >>> 0;
  }

  /** Things of different names in an order that is the same until something else is begun. */
  inOrder<T>(items: readonly T[], nameOf: (item: T, at: number) => string): readonly T[] {
    const ranked = items.map((item, at) => ({ item, rank: this.rank(nameOf(item, at)) }));
    return ranked.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
  }
}
