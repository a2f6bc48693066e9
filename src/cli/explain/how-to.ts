/* data table */
/** The pages of docs/how-to: each by its name, its title and the wishes that it is about. */

interface HowTo {
  readonly title: string;
  readonly wish: string;
}

const page = (title: string, wish: string): HowTo => ({ title, wish });

export const howTos: Readonly<Record<string, HowTo>> = {
  "nested-paths": page("Paths that nest", "paths that nest: `/repos/{owner}/{repo}`"),
  "body-with-more": page(
    "A body with more in it",
    "a body that has more than the resource's own members",
  ),
  pages: page("Pages", "pages: by number, by cursor, `Link`, a count of all"),
  filters: page("Filters", "lists that are filtered and sorted as the client wishes"),
  "say-it-once": page(
    "Say it once",
    "the same at many endpoints, in many conditions, for many failures",
  ),
  totals: page(
    "Totals and groups",
    "objects that are not rows: totals, groups, a page with its rows",
  ),
  "redirects-and-texts": page(
    "Redirects and texts",
    "a redirect; a text, a page or CSV instead of JSON",
  ),
  accounts: page("Accounts", "log-in, refresh, log-out, a lost password"),
  keys: page("Keys", "API keys, keys sent as a user name, keys that the operator knows"),
  roles: page("Roles", "roles in one thing and not in another"),
  invariants: page("Invariants", "no double booking, stock never below zero"),
  time: page("Time", "a hold that runs out, a retry later, a deadline"),
  "next-one": page("The next one", "the next job for a worker, a waiting list"),
  "many-at-once": page("Many at once", "many at once, some of which may fail"),
  "other-systems": page(
    "Other systems",
    "money taken by somebody else, mail sent, work that tells how far it is",
  ),
  webhooks: page("Webhooks and streams", "webhooks for all events of an account"),
  counts: page("Counts for the caller", "unread counts, likes, a flag for the caller"),
  "set-by-the-service": page(
    "What the service sets",
    "the moment of the last edit, a number within a room",
  ),
  "in-a-pipeline": page(
    "In a pipeline",
    "a pull request that shows what its specification leaves open",
  ),
};
