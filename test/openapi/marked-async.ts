/**
 * The members of objects of AsyncAPI 2.6 and 3.0, by their specifications: words are `NAME` or
 * `NAME:KIND`, `NAME:[KIND]` for a list, `NAME:{KIND}` for an object of them under any names.
 */
import type { Inner, Members } from "../../src/openapi/survey/members/objects.ts";

type Table = Readonly<Record<string, string>>;

const ABOUT = "tags:[Tag] externalDocs:Docs";
const BINDINGS = "http ws kafka amqp mqtt";

/** JSON Schema draft 7, and what AsyncAPI adds to it. */
const SCHEMA =
  "$id $comment title description default readOnly examples multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern additionalItems:Schema items:Schema maxItems minItems uniqueItems contains:Schema maxProperties minProperties required additionalProperties:Schema definitions:{Schema} properties:{Schema} patternProperties:{Schema} dependencies propertyNames:Schema const enum type format contentMediaType contentEncoding if:Schema then:Schema else:Schema allOf:[Schema] anyOf:[Schema] oneOf:[Schema] not:Schema discriminator externalDocs:Docs deprecated";

const BOTH: Table = {
  Contact: "name url email",
  License: "name url",
  Tag: "name description externalDocs:Docs",
  Docs: "description url",
  Variable: "enum default description examples",
  Bindings: BINDINGS,
  CorrelationId: "description location",
  Schema: SCHEMA,
  Flows: "implicit:Flow password:Flow clientCredentials:Flow authorizationCode:Flow",
};

const THREE: Table = {
  ...BOTH,
  Root: "asyncapi id info:Info servers:{Server} defaultContentType channels:{Channel} operations:{Operation} components:Components",
  Info: `title version description termsOfService contact:Contact license:License ${ABOUT}`,
  Server: `host protocol protocolVersion pathname description title summary variables:{Variable} security:[Scheme] ${ABOUT} bindings:Bindings`,
  Channel: `address messages:{Message} title summary description servers parameters:{Parameter} ${ABOUT} bindings:Bindings`,
  Operation: `action channel title summary description security:[Scheme] ${ABOUT} bindings:Bindings traits:[OperationTrait] messages reply:Reply`,
  OperationTrait: `title summary description security:[Scheme] ${ABOUT} bindings:Bindings`,
  Reply: "address:ReplyAddress channel messages",
  ReplyAddress: "location description",
  Parameter: "enum default description examples location",
  Message: `headers:Schema payload:Schema correlationId:CorrelationId contentType name title summary description ${ABOUT} bindings:Bindings examples:[MessageExample] traits:[MessageTrait]`,
  MessageTrait: `headers:Schema correlationId:CorrelationId contentType name title summary description ${ABOUT} bindings:Bindings examples:[MessageExample]`,
  MessageExample: "headers payload name summary",
  Components:
    "schemas:{Schema} servers:{Server} channels:{Channel} operations:{Operation} messages:{Message} securitySchemes:{Scheme} serverVariables:{Variable} parameters:{Parameter} correlationIds:{CorrelationId} replies:{Reply} replyAddresses:{ReplyAddress} externalDocs:{Docs} tags:{Tag} operationTraits:{OperationTrait} messageTraits:{MessageTrait} serverBindings:{Bindings} channelBindings:{Bindings} operationBindings:{Bindings} messageBindings:{Bindings}",
  Scheme: "type description name in scheme bearerFormat flows:Flows openIdConnectUrl scopes",
  Flow: "authorizationUrl tokenUrl refreshUrl availableScopes",
};

const TWO: Table = {
  ...BOTH,
  Root: `asyncapi id info:Info servers:{ServerTwo} defaultContentType channels:{Channel} components:Components ${ABOUT}`,
  Info: "title version description termsOfService contact:Contact license:License",
  ServerTwo: `url protocol protocolVersion description variables:{Variable} security tags:[Tag] bindings:Bindings`,
  Channel:
    "description servers subscribe:OperationTwo publish:OperationTwo parameters:{Parameter} bindings:Bindings",
  OperationTwo: `operationId summary description security ${ABOUT} bindings:Bindings traits:[OperationTrait] message:Message`,
  OperationTrait: `operationId summary description security ${ABOUT} bindings:Bindings`,
  Parameter: "description schema:Schema location",
  Message: `messageId headers:Schema payload correlationId:CorrelationId schemaFormat contentType name title summary description ${ABOUT} bindings:Bindings examples:[MessageExample] traits:[MessageTrait]`,
  MessageTrait: `messageId headers:Schema correlationId:CorrelationId schemaFormat contentType name title summary description ${ABOUT} bindings:Bindings examples:[MessageExample]`,
  MessageExample: "headers payload name summary",
  Components:
    "schemas:{Schema} servers:{ServerTwo} channels:{Channel} messages:{Message} securitySchemes:{Scheme} serverVariables:{Variable} parameters:{Parameter} correlationIds:{CorrelationId} operationTraits:{OperationTrait} messageTraits:{MessageTrait} serverBindings:{Bindings} channelBindings:{Bindings} operationBindings:{Bindings} messageBindings:{Bindings}",
  Scheme: "type description name in scheme bearerFormat flows:Flows openIdConnectUrl",
  Flow: "authorizationUrl tokenUrl refreshUrl scopes",
};

function innerOf(what: string): Inner {
  const as = what.startsWith("[") ? "list" : what.startsWith("{") ? "names" : "one";
  return { kind: what.replaceAll(/[[\]{}]/g, ""), as };
}

function objectsIn(table: Table): ReadonlyMap<string, Members> {
  return new Map(
    Object.entries(table).map(([kind, words]) => {
      const own = words.split(" ").map((word): [string, Inner | undefined] => {
        const [name = "", what] = word.split(":");
        return [name, what === undefined ? undefined : innerOf(what)];
      });
      return [kind, { own: new Map(own) }];
    }),
  );
}

/** The objects of each version, by its name: `asyncapi 2.6.0`. */
export const ASYNCAPI: ReadonlyMap<string, ReadonlyMap<string, Members>> = new Map([
  ["asyncapi 2.6.0", objectsIn(TWO)],
  ["asyncapi 3.0.0", objectsIn(THREE)],
]);
