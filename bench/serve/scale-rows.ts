/** Fills a store of Conduit with many rows through the store's own session; the same for a seed. */
import type { Plan } from "../../src/plan/index.ts";
import type { Value } from "../../src/run/index.ts";
import { openStore } from "../../src/store/index.ts";
import { seeded } from "./figures.ts";

export interface Sizes {
  readonly users: number;
  readonly articles: number;
  readonly favorites: number;
  readonly follows: number;
  readonly comments: number;
  readonly tags: number;
}

const BATCH = 50_000;
const START = 1_750_000_000_000_000n;
const MINUTE = 60_000_000n;
const WORDS = ["river", "lantern", "engine", "market", "winter", "garden", "signal", "copper"];

type Named = Readonly<Record<string, Value>>;

/** Inserts rows given by the names of their fields, in transactions of many. */
export class Filler {
  readonly store: ReturnType<typeof openStore>;
  readonly plan: Plan;
  private count = 0;

  constructor(plan: Plan, file: string) {
    this.plan = plan;
    this.store = openStore(plan, { store: { file }, mode: "write" });
    this.store.begin("write");
  }

  /** A function that inserts a row of the resource and gives its key. */
  into(name: string): (row: Named) => number {
    const resource = this.plan.resources.find((one) => one.name === name);
    if (resource === undefined) throw new Error(`the plan has no ${name}`);
    const fields = resource.fields.map((one) => one.name);
    return (row) => {
      this.count += 1;
      if (this.count % BATCH === 0) {
        this.store.commit();
        this.store.begin("write");
      }
      return this.store.session.insert(
        name,
        fields.map((field) => row[field]),
      );
    };
  }

  close(): void {
    this.store.commit();
    this.store.close();
  }
}

/** Fewer low numbers than high ones, as some people and articles are liked more than others. */
function skewed(random: () => number, bound: number): number {
  return Math.floor(random() ** 2 * bound);
}

/** Fills the file, which must not be there yet. */
export function fill(plan: Plan, file: string, sizes: Sizes, seed: number): void {
  const random = seeded(seed);
  const below = (bound: number): number => Math.floor(random() * bound);
  const filler = new Filler(plan, file);
  const [addUser, addArticle] = [filler.into("User"), filler.into("Article")];
  const users = Array.from({ length: sizes.users }, (_, i) =>
    addUser({
      id: `u${i}`,
      username: `user${i}`,
      email: `user${i}@example.com`,
      password: "",
      bio: null,
      image: null,
    }),
  );
  const articles = Array.from({ length: sizes.articles }, (_, i) => {
    const title = `${WORDS[below(WORDS.length)]} ${WORDS[below(WORDS.length)]} ${i}`;
    const at = START + BigInt(i) * MINUTE;
    const tags = new Set(
      Array.from({ length: below(4) }, () => `tag${skewed(random, sizes.tags)}`),
    );
    return addArticle({
      id: `a${i}`,
      number: BigInt(i + 1),
      slug: title.replaceAll(" ", "-"),
      title,
      description: `About ${title}.`,
      body: `${title}. `.repeat(20),
      tagList: [...tags].sort(),
      author: users[skewed(random, users.length)],
      createdAt: at,
      updatedAt: at,
    });
  });
  addPairs(filler, random, { users, articles, sizes });
  const addComment = filler.into("Comment");
  for (let i = 0; i < sizes.comments; i++) {
    const at = START + BigInt(i) * MINUTE;
    addComment({
      id: BigInt(i + 1),
      article: articles[skewed(random, articles.length)],
      createdAt: at,
      updatedAt: at,
      body: `Comment ${i}`,
      author: users[below(users.length)],
    });
  }
  filler.close();
}

interface Pairs {
  readonly users: readonly number[];
  readonly articles: readonly number[];
  readonly sizes: Sizes;
}

/** Follows and favourites: no pair twice. */
function addPairs(filler: Filler, random: () => number, { users, articles, sizes }: Pairs): void {
  const pairs = (count: number, to: readonly number[], add: (from: number, to: number) => void) => {
    const seen = new Set<number>();
    while (seen.size < count) {
      const [from, at] = [Math.floor(random() * users.length), skewed(random, to.length)];
      const pair = from * to.length + at;
      if (seen.has(pair)) continue;
      seen.add(pair);
      add(users[from] ?? 0, to[at] ?? 0);
    }
  };
  const [addFollow, addFavorite] = [filler.into("Follow"), filler.into("Favorite")];
  pairs(sizes.follows, users, (follower, followed) => addFollow({ follower, followed }));
  pairs(sizes.favorites, articles, (user, article) => addFavorite({ user, article }));
}
