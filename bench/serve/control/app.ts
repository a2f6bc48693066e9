/** The control's HTTP side, written by hand with Fastify and ajv; knows no SQL. */
import { Ajv } from "ajv";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import Fastify from "fastify";
import type { NewProduct, Page, Products } from "./products.ts";
import { changedProduct, newProduct, pageQuery, problem, product, productPage } from "./schemas.ts";

interface Fault {
  readonly instancePath: string;
  readonly params: { readonly missingProperty?: string; readonly additionalProperty?: string };
}

const METHODS: readonly (readonly [path: RegExp, allow: string])[] = [
  [/^\/products\/?$/, "GET, HEAD, POST, OPTIONS"],
  [/^\/products\/[^/]+$/, "GET, HEAD, PATCH, DELETE, OPTIONS"],
];

const refuse = (reply: FastifyReply, status: number, error: string, field: string | null = null) =>
  reply.code(status).send({ error, field });

function fieldOf(faults: readonly Fault[]): string | null {
  const [first] = faults;
  if (first === undefined) return null;
  const { missingProperty, additionalProperty } = first.params;
  return missingProperty ?? additionalProperty ?? (first.instancePath.slice(1) || null);
}

function answerError(error: FastifyError, _: FastifyRequest, reply: FastifyReply) {
  if (error.validation !== undefined) {
    return refuse(reply, 400, "invalid", fieldOf(error.validation as unknown as Fault[]));
  }
  if (error.statusCode === 415) return refuse(reply, 415, "not_json");
  if (error.statusCode === 400) return refuse(reply, 400, "invalid");
  return refuse(reply, 500, "broken");
}

function answerUnknown(request: FastifyRequest, reply: FastifyReply) {
  const path = request.url.split("?")[0] ?? "";
  const known = METHODS.find(([pattern]) => pattern.test(path));
  if (known === undefined) return refuse(reply, 404, "not_found");
  return refuse(reply.header("Allow", known[1]), 405, "no_such_method");
}

function addValidation(app: FastifyInstance): void {
  const strict = new Ajv({ coerceTypes: false, useDefaults: true });
  const coercing = new Ajv({ coerceTypes: true, useDefaults: true });
  app.setValidatorCompiler(({ schema, httpPart }) =>
    (httpPart === "querystring" ? coercing : strict).compile(schema as object),
  );
}

/** An app that serves the products and does not listen yet. */
export function makeApp(products: Products): FastifyInstance {
  const app = Fastify({ logger: false });
  addValidation(app);
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(answerUnknown);
  const errors = { "4xx": problem, "5xx": problem };

  app.post<{ Body: NewProduct }>(
    "/products",
    { schema: { body: newProduct, response: { 201: product, ...errors } } },
    (request, reply) => {
      products.create(
        request.body,
        (made) => void reply.code(201).header("Location", `/products/${made.id}`).send(made),
        () => void refuse(reply, 500, "broken"),
      );
    },
  );
  app.get<{ Querystring: Page }>(
    "/products",
    { schema: { querystring: pageQuery, response: { 200: productPage, ...errors } } },
    (request, reply) => {
      products.list(
        request.query,
        (items) => void reply.send({ items }),
        () => void refuse(reply, 500, "broken"),
      );
    },
  );
  app.get<{ Params: { id: string } }>(
    "/products/:id",
    { schema: { response: { 200: product, ...errors } } },
    (request, reply) => {
      products.get(
        request.params.id,
        (found) => {
          if (found === undefined) refuse(reply, 404, "not_found");
          else reply.send(found);
        },
        () => void refuse(reply, 500, "broken"),
      );
    },
  );
  app.patch<{ Params: { id: string }; Body: Partial<NewProduct> }>(
    "/products/:id",
    { schema: { body: changedProduct, response: { 200: product, ...errors } } },
    (request, reply) => {
      products.change(
        request.params.id,
        request.body,
        (changed) => {
          if (changed === undefined) refuse(reply, 404, "not_found");
          else reply.send(changed);
        },
        () => void refuse(reply, 500, "broken"),
      );
    },
  );
  app.delete<{ Params: { id: string } }>("/products/:id", (request, reply) => {
    products.remove(
      request.params.id,
      (isGone) => {
        if (isGone) reply.code(204).send();
        else refuse(reply, 404, "not_found");
      },
      () => void refuse(reply, 500, "broken"),
    );
  });
  return app;
}
