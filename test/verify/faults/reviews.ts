/** What staff say of products. */
import { checked } from "./checks.ts";
import { type Context, newId, type Review, type ServedEndpoint } from "./model.ts";
import { productOf } from "./products.ts";
import * as read from "./values.ts";
import { Refused, type Reply } from "./wire.ts";

/** The review of the path, as far as the caller sees it. */
function reviewOf({ shop, caller, id }: Context): Review {
  const found = shop.reviews.get(id);
  const product = found && shop.products.get(found.product);
  const isLeft = product === undefined && shop.has("reviews stay");
  const isTheirs = product?.shop === caller.shop || isLeft;
  if (found === undefined || !isTheirs) throw new Refused("not_found");
  return found;
}

function created(context: Context): Reply {
  const { shop, caller, body } = context;
  const product = productOf(context);
  const isTwice = [...shop.reviews.values()].some(
    (one) => one.product === product.id && one.author === caller.id,
  );
  if (isTwice && !shop.has("two reviews each")) throw new Refused("reviewed");
  const within = shop.has("one row of numbers") ? "reviews" : product.id;
  const given = { text: "", ...body } as unknown as Pick<Review, "stars" | "text">;
  const review: Review = {
    id: newId("rev_"),
    product: product.id,
    author: caller.id,
    number: shop.next(within),
    ...given,
  };
  shop.reviews.set(review.id, review);
  return { status: 201, body: review };
}

function listed(context: Context): Reply {
  const { shop } = context;
  const product = productOf(context);
  const found = [...shop.reviews.values()].filter((one) => one.product === product.id);
  const best = (a: Review, b: Review): number => b.stars - a.stars || a.number - b.number;
  const newest = (a: Review, b: Review): number => b.number - a.number;
  return { status: 200, body: found.sort(shop.has("the newest review first") ? newest : best) };
}

function deleted(context: Context): Reply {
  const { shop, caller } = context;
  const review = reviewOf(context);
  const isOwn = review.author === caller.id || caller.role === "manager";
  if (!isOwn && !shop.has("reviews of others are deleted")) throw new Refused("not_yours");
  shop.reviews.delete(review.id);
  return { status: 204 };
}

export const reviewEndpoints: readonly ServedEndpoint[] = [
  {
    method: "POST",
    path: /^\/shop\/products\/([^/]+)\/reviews$/,
    done: checked(
      {
        who: "staff",
        body: (shop) => ({
          id: read.never,
          product: read.never,
          author: read.never,
          number: read.never,
          stars: { given: "must", read: read.whole(shop.has("no stars") ? 0 : 1, 5) },
          text: { given: "may", read: read.text(0, 200) },
        }),
      },
      created,
    ),
  },
  {
    method: "GET",
    path: /^\/shop\/products\/([^/]+)\/reviews$/,
    done: checked({ who: "staff" }, listed),
  },
  {
    method: "GET",
    path: /^\/shop\/reviews\/([^/]+)$/,
    done: checked({ who: "staff" }, (context) => ({ status: 200, body: reviewOf(context) })),
  },
  {
    method: "DELETE",
    path: /^\/shop\/reviews\/([^/]+)$/,
    done: checked({ who: "staff" }, deleted),
  },
];
