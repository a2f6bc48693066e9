/** The flows of the RealWorld interface, by the client that `lacuna export` writes of the example. */
import assert from "node:assert/strict";
import { ApiError, Client, ok, UnstatedAnswer } from "./golden/conduit.ts";

/** A person with an account: a client that is signed in. */
interface Person {
  readonly name: string;
  readonly client: Client;
}

async function joined(baseUrl: string, name: string): Promise<Person> {
  const user = { username: name, email: `${name}@example.com`, password: `secret of ${name}` };
  const guest = new Client({ baseUrl });
  const made = await guest.postUsers({ body: { user } });
  assert.equal(made.status, 201);
  assert.equal(made.body.user.username, name);
  assert.equal(made.headers.get("content-type"), "application/json; charset=utf-8");
  const { email, password } = user;
  const { token } = (await ok(guest.postUsersLogin({ body: { user: { email, password } } }))).user;
  // A credential may be a function, asked for each request.
  const client = new Client({ baseUrl, credentials: { token: async () => token } });
  return { name, client };
}

async function accounts(baseUrl: string, { name, client }: Person): Promise<void> {
  assert.equal((await ok(client.getUser())).user.username, name);
  const changed = await client.putUser({ body: { user: { bio: "writes", image: null } } });
  assert.equal(changed.status, 200);
  assert.deepEqual([changed.body.user.bio, changed.body.user.image], ["writes", null]);
  const guest = new Client({ baseUrl });
  const refused = await guest.getUser();
  assert.equal(refused.status, 401);
  assert.ok(refused.headers.has("www-authenticate"));
  await assert.rejects(ok(guest.getUser()), (error: unknown) => {
    assert.ok(error instanceof ApiError && !(error instanceof UnstatedAnswer));
    return error.status === 401;
  });
  const user = { username: name, email: "other@example.com", password: "another secret" };
  assert.equal((await guest.postUsers({ body: { user } })).status, 409);
  const wrong = { email: `${name}@example.com`, password: "wrong" };
  // The status of a wrong password is a gap of the document, filled by the assumptions: no answer.
  await assert.rejects(guest.postUsersLogin({ body: { user: wrong } }), (error: unknown) => {
    assert.ok(error instanceof UnstatedAnswer);
    return error.status === 401;
  });
}

async function profiles(reader: Person, writer: Person): Promise<void> {
  const path = { username: writer.name };
  const following = async (): Promise<boolean> =>
    (await ok(reader.client.getProfilesByUsername({ path }))).profile.following;
  assert.equal(await following(), false);
  const { profile } = await ok(reader.client.postProfilesByUsernameFollow({ path }));
  assert.deepEqual([profile.username, profile.following], [writer.name, true]);
  assert.equal(await following(), true);
  await ok(reader.client.deleteProfilesByUsernameFollow({ path }));
  assert.equal(await following(), false);
  await ok(reader.client.postProfilesByUsernameFollow({ path }));
  const nobody = await reader.client.getProfilesByUsername({ path: { username: "no/body?#" } });
  assert.equal(nobody.status, 404);
}

async function written(client: Client, title: string, tagList: readonly string[]): Promise<string> {
  const article = { title, description: `about ${title}`, body: "text & 100% more", tagList };
  const made = await client.postArticles({ body: { article } });
  assert.equal(made.status, 201);
  assert.equal(made.body.article.body, article.body);
  return made.body.article.slug;
}

async function articles(reader: Person, writer: Person): Promise<string> {
  const first = await written(writer.client, "How to train", ["dragons", "training"]);
  const slug = await written(writer.client, "R&D in a café", ["R&D"]);
  const byTag = await ok(reader.client.getArticles({ query: { tag: "R&D" } }));
  assert.deepEqual([byTag.articlesCount, byTag.articles[0]?.slug], [1, slug]);
  const query = { author: writer.name, limit: 1, offset: 1 };
  const page = await ok(reader.client.getArticles({ query }));
  assert.deepEqual(
    page.articles.map((one) => one.slug),
    [first],
  );
  const feed = await ok(reader.client.getArticlesFeed({ query: { limit: 5 } }));
  assert.deepEqual(
    feed.articles.map((one) => one.slug),
    [slug, first],
  );
  const path = { slug };
  assert.equal(
    (await ok(reader.client.getArticlesBySlug({ path }))).article.author.following,
    true,
  );
  const article = { description: "changed" };
  const refused = await reader.client.putArticlesBySlug({ path, body: { article } });
  assert.equal(refused.status, 403);
  const changed = await ok(writer.client.putArticlesBySlug({ path, body: { article } }));
  assert.equal(changed.article.description, "changed");
  assert.deepEqual(changed.article.tagList, ["R&D"]);
  assert.deepEqual([...(await ok(reader.client.getTags())).tags].sort(), [
    ...["R&D", "dragons", "training"],
  ]);
  return slug;
}

async function favourites({ name, client }: Person, slug: string): Promise<void> {
  const path = { slug };
  const { article } = await ok(client.postArticlesBySlugFavorite({ path }));
  assert.deepEqual([article.favorited, article.favoritesCount], [true, 1]);
  const found = await ok(client.getArticles({ query: { favorited: name } }));
  assert.deepEqual(
    found.articles.map((one) => one.slug),
    [slug],
  );
  const again = await ok(client.deleteArticlesBySlugFavorite({ path }));
  assert.equal(again.article.favoritesCount, 0);
}

async function comments({ client }: Person, writer: Person, slug: string): Promise<void> {
  const path = { slug };
  const made = await ok(
    client.postArticlesBySlugComments({ path, body: { comment: { body: "Hm." } } }),
  );
  const all = await ok(client.getArticlesBySlugComments({ path }));
  assert.deepEqual(all.comments, [made.comment]);
  const one = { path: { slug, id: made.comment.id } };
  assert.equal((await writer.client.deleteArticlesBySlugCommentsById(one)).status, 403);
  await ok(client.deleteArticlesBySlugCommentsById(one));
  assert.deepEqual((await ok(client.getArticlesBySlugComments({ path }))).comments, []);
}

async function errors({ client }: Person, writer: Person, slug: string): Promise<void> {
  const article = { title: "", description: "a", body: "b" };
  const invalid = await client.postArticles({ body: { article } });
  assert.equal(invalid.status, 422);
  const failed: unknown = invalid.body;
  assert.ok(typeof failed === "object" && failed !== null && "errors" in failed);
  const path = { slug };
  const gone = await writer.client.deleteArticlesBySlug({ path });
  assert.deepEqual([gone.status, gone.body], [204, undefined]);
  assert.equal((await client.getArticlesBySlug({ path })).status, 404);
  const signal = AbortSignal.abort(new Error("not now"));
  await assert.rejects(client.getTags({}, { signal }), /not now/);
}

/** Goes through all of them at the service whose address is `baseUrl`. */
export async function flows(baseUrl: string): Promise<void> {
  const writer = await joined(baseUrl, "wendy");
  const reader = await joined(baseUrl, "rob");
  await accounts(baseUrl, reader);
  await profiles(reader, writer);
  const slug = await articles(reader, writer);
  await favourites(reader, slug);
  await comments(reader, writer, slug);
  await errors(reader, writer, slug);
}
