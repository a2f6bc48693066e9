/**
 * Drives `examples/github` by GitHub's official client as published: each call has what the real
 * API gives. The client is told the address of the service, and nothing else.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Calls } from "./calls.ts";
import type { Outcome } from "./outcome.ts";

// biome-ignore lint/suspicious/noExplicitAny: what is published is driven as it is.
type Client = any;

interface Driving {
  readonly calls: Calls;
  readonly ann: Client;
  readonly bob: Client;
  readonly nobody: Client;
}

const TEA = { owner: "ann", repo: "tea" };

async function users({ calls, ann, nobody }: Driving): Promise<void> {
  const { call, refused } = calls;
  const me = await call("users.getAuthenticated", () => ann.rest.users.getAuthenticated(), {
    status: 200,
    data: { login: "ann", type: "User", site_admin: false },
  });
  calls.holds("a request id", typeof me.headers["x-github-request-id"] === "string");
  calls.holds("the media type", me.headers["x-github-media-type"] === "github.v3; format=json");
  await call(
    "users.getByUsername, any case",
    () => nobody.rest.users.getByUsername({ username: "BoB" }),
    {
      data: { login: "bob" },
    },
  );
  await refused(
    "users.getByUsername, unknown",
    () => nobody.rest.users.getByUsername({ username: "x" }),
    {
      name: "HttpError",
      status: 404,
      response: { data: { message: "Not Found", status: "404" } },
    },
  );
  await refused("users.getAuthenticated, nobody", () => nobody.rest.users.getAuthenticated(), {
    status: 401,
    response: { data: { message: "Requires authentication" } },
  });
}

async function repositories({ calls, ann, bob, nobody }: Driving): Promise<void> {
  const { call, refused } = calls;
  await call(
    "repos.createForAuthenticatedUser",
    () => ann.rest.repos.createForAuthenticatedUser({ name: "tea", description: "Leaves" }),
    {
      status: 201,
      data: {
        name: "tea",
        full_name: "ann/tea",
        private: false,
        visibility: "public",
        description: "Leaves",
        default_branch: "main",
        open_issues_count: 0,
        owner: { login: "ann" },
        permissions: { admin: true },
      },
    },
  );
  await refused(
    "repos.createForAuthenticatedUser, again",
    () => ann.rest.repos.createForAuthenticatedUser({ name: "Tea" }),
    {
      status: 422,
      response: {
        data: {
          message: "Repository creation failed.",
          errors: [{ resource: "Repository", code: "custom", field: "name" }],
        },
      },
    },
  );
  await refused(
    "repos.createForAuthenticatedUser, bad name",
    () => ann.rest.repos.createForAuthenticatedUser({ name: "a b" }),
    { status: 422 },
  );
  await call("repos.get, any case", () => nobody.rest.repos.get({ owner: "ANN", repo: "TEA" }), {
    data: { full_name: "ann/tea", permissions: { admin: false } },
  });
  await call(
    "repos.update",
    () =>
      ann.rest.repos.update({ ...TEA, description: "Dry leaves", homepage: "https://tea.example" }),
    { status: 200, data: { description: "Dry leaves", homepage: "https://tea.example" } },
  );
  await refused(
    "repos.update, not the owner",
    () => bob.rest.repos.update({ ...TEA, description: "" }),
    {
      status: 403,
      response: { data: { message: "Must have admin rights to Repository." } },
    },
  );
  await ann.rest.repos.createForAuthenticatedUser({ name: "secret", private: true });
  await refused("repos.get, private", () => bob.rest.repos.get({ owner: "ann", repo: "secret" }), {
    status: 404,
  });
  await refused(
    "repos.get, private, nobody",
    () => nobody.rest.repos.get({ owner: "ann", repo: "secret" }),
    {
      status: 404,
    },
  );
  await call(
    "repos.get, private, its owner",
    () => ann.rest.repos.get({ owner: "ann", repo: "secret" }),
    {
      data: { private: true, visibility: "private" },
    },
  );
  await call(
    "repos.listForAuthenticatedUser",
    () => ann.rest.repos.listForAuthenticatedUser({ visibility: "public" }),
    { data: [{ name: "tea" }] },
  );
  await call("repos.delete", () => ann.rest.repos.delete({ owner: "ann", repo: "secret" }), {
    status: 204,
  });
  await refused(
    "repos.delete, again",
    () => ann.rest.repos.delete({ owner: "ann", repo: "secret" }),
    {
      status: 404,
    },
  );
}

async function labels({ calls, ann }: Driving): Promise<void> {
  const { call, refused } = calls;
  await call(
    "issues.createLabel",
    () => ann.rest.issues.createLabel({ ...TEA, name: "R&D", color: "ff0000" }),
    { status: 201, data: { name: "R&D", color: "ff0000", default: false, description: null } },
  );
  await refused(
    "issues.createLabel, again",
    () => ann.rest.issues.createLabel({ ...TEA, name: "r&d" }),
    {
      status: 422,
      response: {
        data: {
          message: "Validation Failed",
          errors: [{ resource: "Label", code: "already_exists", field: "name" }],
        },
      },
    },
  );
  await refused(
    "issues.createLabel, color",
    () => ann.rest.issues.createLabel({ ...TEA, name: "x", color: "red" }),
    { status: 422, response: { data: { errors: [{ field: "color" }] } } },
  );
  await ann.rest.issues.createLabel({ ...TEA, name: "bug", color: "00ff00" });
  await call("issues.getLabel", () => ann.rest.issues.getLabel({ ...TEA, name: "R&D" }), {
    data: { name: "R&D" },
  });
  await call(
    "issues.updateLabel",
    () =>
      ann.rest.issues.updateLabel({
        ...TEA,
        name: "bug",
        new_name: "defect",
        description: "It is broken",
      }),
    { data: { name: "defect", color: "00ff00", description: "It is broken" } },
  );
  await call("issues.listLabelsForRepo", () => ann.rest.issues.listLabelsForRepo(TEA), {
    data: [{ name: "defect" }, { name: "R&D" }],
  });
}

async function issues({ calls, ann, bob }: Driving): Promise<void> {
  const { call, refused } = calls;
  await call(
    "issues.create",
    () =>
      ann.rest.issues.create({ ...TEA, title: "Too hot", body: "Ouch", labels: ["defect", "new"] }),
    {
      status: 201,
      data: {
        number: 1,
        title: "Too hot",
        body: "Ouch",
        state: "open",
        state_reason: null,
        locked: false,
        comments: 0,
        closed_at: null,
        user: { login: "ann" },
        author_association: "OWNER",
        labels: [{ name: "defect" }, { name: "new" }],
      },
    },
  );
  await refused(
    "issues.create, no title",
    () => ann.request("POST /repos/ann/tea/issues", { body: "x" }),
    {
      status: 422,
      response: { data: { message: 'Invalid request.\n\n"title" wasn\'t supplied.' } },
    },
  );
  await call(
    "issues.create, another's",
    () => bob.rest.issues.create({ ...TEA, title: "Too cold" }),
    {
      status: 201,
      data: { number: 2, author_association: "NONE", labels: [], user: { login: "bob" } },
    },
  );
  await call(
    "issues.update",
    () =>
      ann.rest.issues.update({ ...TEA, issue_number: 1, title: "Far too hot", labels: ["R&D"] }),
    { data: { title: "Far too hot", body: "Ouch", labels: [{ name: "R&D" }] } },
  );
  await call(
    "issues.update, closed",
    () =>
      ann.rest.issues.update({
        ...TEA,
        issue_number: 2,
        state: "closed",
        state_reason: "not_planned",
      }),
    { data: { state: "closed", state_reason: "not_planned", closed_by: { login: "ann" } } },
  );
  await call("issues.listForRepo", () => ann.rest.issues.listForRepo(TEA), {
    data: [{ number: 1 }],
  });
  await call(
    "issues.listForRepo, closed",
    () => ann.rest.issues.listForRepo({ ...TEA, state: "closed" }),
    {
      data: [{ number: 2 }],
    },
  );
  await call(
    "issues.listForRepo, ascending",
    () => ann.rest.issues.listForRepo({ ...TEA, state: "all", direction: "asc" }),
    { data: [{ number: 1 }, { number: 2 }] },
  );
  await call(
    "issues.listForRepo, label",
    () => ann.rest.issues.listForRepo({ ...TEA, labels: "R&D", creator: "ANN" }),
    { data: [{ number: 1 }] },
  );
  await call("repos.get, open issues", () => ann.rest.repos.get(TEA), {
    data: { open_issues_count: 1 },
  });
  await call("issues.get", () => bob.rest.issues.get({ ...TEA, issue_number: 1 }), {
    data: { number: 1, title: "Far too hot" },
  });
  await refused("issues.get, unknown", () => bob.rest.issues.get({ ...TEA, issue_number: 99 }), {
    status: 404,
  });
  await call(
    "issues.addLabels",
    () => ann.rest.issues.addLabels({ ...TEA, issue_number: 1, labels: ["defect"] }),
    { data: [{ name: "R&D" }, { name: "defect" }] },
  );
  await call(
    "issues.removeLabel",
    () => ann.rest.issues.removeLabel({ ...TEA, issue_number: 1, name: "R&D" }),
    {
      data: [{ name: "defect" }],
    },
  );
  await refused(
    "issues.removeLabel, not there",
    () => ann.rest.issues.removeLabel({ ...TEA, issue_number: 1, name: "R&D" }),
    { status: 404, response: { data: { message: "Label does not exist" } } },
  );
  await ann.rest.issues.updateLabel({ ...TEA, name: "defect", new_name: "flaw" });
  await call(
    "issues.listLabelsOnIssue, renamed",
    () => ann.rest.issues.listLabelsOnIssue({ ...TEA, issue_number: 1 }),
    {
      data: [{ name: "flaw" }],
    },
  );
  await call(
    "issues.removeAllLabels",
    () => ann.rest.issues.removeAllLabels({ ...TEA, issue_number: 1 }),
    {
      status: 204,
    },
  );
  await call("issues.deleteLabel", () => ann.rest.issues.deleteLabel({ ...TEA, name: "flaw" }), {
    status: 204,
  });
}

async function comments({ calls, ann, bob, nobody }: Driving): Promise<void> {
  const { call, refused } = calls;
  const at = { ...TEA, issue_number: 1 };
  const one = await call(
    "issues.createComment",
    () => bob.rest.issues.createComment({ ...at, body: "So it is" }),
    {
      status: 201,
      data: { body: "So it is", user: { login: "bob" }, author_association: "NONE" },
    },
  );
  const comment_id = one.data?.id;
  await call("issues.getComment", () => nobody.rest.issues.getComment({ ...TEA, comment_id }), {
    data: { body: "So it is" },
  });
  await call(
    "issues.updateComment",
    () => bob.rest.issues.updateComment({ ...TEA, comment_id, body: "Is it?" }),
    {
      data: { body: "Is it?" },
    },
  );
  await call("issues.listComments", () => nobody.rest.issues.listComments(at), {
    data: [{ body: "Is it?" }],
  });
  await call("issues.get, comments", () => ann.rest.issues.get(at), { data: { comments: 1 } });
  await refused(
    "issues.createComment, nobody",
    () => nobody.rest.issues.createComment({ ...at, body: "x" }),
    {
      status: 401,
    },
  );
  await call("issues.lock", () => ann.rest.issues.lock({ ...at, lock_reason: "too heated" }), {
    status: 204,
  });
  await call("issues.get, locked", () => ann.rest.issues.get(at), {
    data: { locked: true, active_lock_reason: "too heated" },
  });
  await refused(
    "issues.createComment, locked",
    () => bob.rest.issues.createComment({ ...at, body: "x" }),
    {
      status: 403,
      response: { data: { message: "Unable to create comment because issue is locked." } },
    },
  );
  await refused("issues.lock, not the owner", () => bob.rest.issues.lock(at), { status: 403 });
  await call("issues.unlock", () => ann.rest.issues.unlock(at), { status: 204 });
  await call("issues.lock, no reason", () => ann.rest.issues.lock(at), { status: 204 });
  await call("issues.unlock, again", () => ann.rest.issues.unlock(at), { status: 204 });
  await call("issues.deleteComment", () => ann.rest.issues.deleteComment({ ...TEA, comment_id }), {
    status: 204,
  });
}

async function paging({ calls, ann }: Driving): Promise<void> {
  const { call } = calls;
  for (let i = 0; i < 7; i++) {
    await ann.rest.issues.create({ ...TEA, title: `page ${i}`, labels: ["R&D"] });
  }
  const first = await call(
    "issues.listForRepo, first page",
    () => ann.rest.issues.listForRepo({ ...TEA, labels: "R&D", per_page: 3 }),
    { data: [{ title: "page 6" }, { title: "page 5" }, { title: "page 4" }] },
  );
  const link = String(first.headers?.link);
  calls.holds("links to the next and the last page", /rel="next".*rel="last"/.test(link));
  calls.holds("links keep the query", link.includes("labels=R%26D"));
  const all = Array.from({ length: 7 }, (_, i) => ({ title: `page ${6 - i}` }));
  await call(
    "paginate to the end",
    () => ann.paginate(ann.rest.issues.listForRepo, { ...TEA, labels: "R&D", per_page: 2 }),
    all,
  );
  const last = await call(
    "issues.listForRepo, last page",
    () => ann.rest.issues.listForRepo({ ...TEA, labels: "R&D", per_page: 3, page: 3 }),
    { data: [{ title: "page 0" }] },
  );
  calls.holds("no link beyond the last", !String(last.headers?.link).includes('rel="next"'));
}

async function conditions({ calls, ann }: Driving): Promise<void> {
  const { call, refused } = calls;
  const list = await ann.rest.issues.listForRepo(TEA);
  const headers = { "if-none-match": list.headers.etag };
  await refused(
    "issues.listForRepo, unchanged",
    () => ann.rest.issues.listForRepo({ ...TEA, headers }),
    {
      status: 304,
    },
  );
  const repo = await ann.rest.repos.get(TEA);
  const own = { "if-none-match": repo.headers.etag };
  await refused("repos.get, unchanged", () => ann.rest.repos.get({ ...TEA, headers: own }), {
    status: 304,
  });
  await ann.rest.issues.create({ ...TEA, title: "one more" });
  await call(
    "issues.listForRepo, changed",
    () => ann.rest.issues.listForRepo({ ...TEA, headers }),
    {
      status: 200,
    },
  );
  await call("repos.get, changed", () => ann.rest.repos.get({ ...TEA, headers: own }), {
    status: 200,
  });
}

async function limits({ calls, bob }: Driving): Promise<void> {
  const one = await bob.rest.repos.get(TEA);
  const two = await bob.rest.repos.get(TEA);
  const left = (answer: Client): number => Number(answer.headers["x-ratelimit-remaining"]);
  calls.holds("each request counts", left(two) === left(one) - 1);
  calls.holds(
    "the rest is told",
    Number(two.headers["x-ratelimit-limit"]) === LIMIT &&
      Number(two.headers["x-ratelimit-used"]) === LIMIT - left(two) &&
      Number(two.headers["x-ratelimit-reset"]) * 1000 > Date.now() &&
      two.headers["x-ratelimit-resource"] === "core",
  );
  while (left(await bob.rest.repos.get(TEA)) > 0);
  await calls.refused("past the limit", () => bob.rest.repos.get(TEA), {
    status: 403,
    response: {
      data: { message: "API rate limit exceeded" },
      headers: { "x-ratelimit-remaining": "0" },
    },
  });
}

/** Requests that a user has in an hour. */
const LIMIT = 120;

/** The settings of the service. */
export function githubSettings(address: string): Record<string, string> {
  return { public_url: address, core_limit: String(LIMIT) };
}

/** Runs every call against the service. `installed`: the folder of the published packages. */
export async function github(installed: string, address: string): Promise<Outcome> {
  const path = join(installed, "@octokit/rest/dist-src/index.js");
  const { Octokit } = (await import(pathToFileURL(path).href)) as Client;
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const as = (auth?: string): Client => new Octokit({ baseUrl: address, auth, log });
  const calls = new Calls();
  const driving = { calls, ann: as("ann-token"), bob: as("bob-token"), nobody: as() };
  const bad = async (): Promise<void> =>
    calls.refused("a bad token", () => as("x").rest.users.getAuthenticated(), {
      status: 401,
      response: { data: { message: "Bad credentials" } },
    });
  const groups = [users, bad, repositories, labels, issues, comments, paging, conditions, limits];
  for (const group of groups) await calls.within(() => group(driving));
  return calls.outcome("GitHub, official client");
}
