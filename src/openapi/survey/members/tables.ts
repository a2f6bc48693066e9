/* data table */
/**
 * The members that each object of a language has, by its version: the names of the official JSON
 * Schemas (spec.openapis.org) and of the specifications. A word is `NAME` or `NAME:WHAT`; WHAT is
 * an object's kind, `[KIND]` a list of them, `{KIND}` an object of them under any names. `*:KIND`
 * stands for all other names that are no extension.
 */

/** The words of each kind of object. */
export type Table = Readonly<Record<string, string>>;

const METHODS =
  "get:Operation put:Operation post:Operation delete:Operation options:Operation head:Operation patch:Operation";

const COMMON: Table = {
  Contact: "name url email",
  Docs: "description url",
  Paths: "*:PathItem",
  Responses: "*:Response",
  Xml: "name namespace prefix attribute wrapped",
};

const NUMBERS =
  "multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems enum default type format";

/** Swagger 2.0. */
export const SWAGGER: Table = {
  ...COMMON,
  Root: "swagger info:Info host basePath schemes consumes produces paths:Paths definitions:{Schema} parameters:{Parameter} responses:{Response} securityDefinitions:{Scheme} security tags:[Tag] externalDocs:Docs",
  Info: "title description termsOfService contact:Contact license:License version",
  License: "name url",
  PathItem: `$ref ${METHODS} parameters:[Parameter]`,
  Operation:
    "tags summary description externalDocs:Docs operationId consumes produces parameters:[Parameter] responses:Responses schemes deprecated security",
  Parameter: `name in description required schema:Schema allowEmptyValue items:Items collectionFormat ${NUMBERS}`,
  Items: `items:Items collectionFormat ${NUMBERS}`,
  Header: `description items:Items collectionFormat ${NUMBERS}`,
  Response: "description schema:Schema headers:{Header} examples",
  Tag: "name description externalDocs:Docs",
  Schema: `$ref title description maxProperties minProperties required items:Schema allOf:[Schema] properties:{Schema} additionalProperties:Schema discriminator readOnly xml:Xml externalDocs:Docs example ${NUMBERS}`,
  Scheme: "type description name in flow authorizationUrl tokenUrl scopes",
};

/** OpenAPI 3.0. */
export const OPENAPI_30: Table = {
  ...COMMON,
  Root: "openapi info:Info servers:[Server] paths:Paths components:Components security tags:[Tag] externalDocs:Docs",
  Info: "title description termsOfService contact:Contact license:License version",
  License: "name url",
  Server: "url description variables:{Variable}",
  Variable: "enum default description",
  Components:
    "schemas:{Schema} responses:{Response} parameters:{Parameter} examples:{Example} requestBodies:{Body} headers:{Header} securitySchemes:{Scheme} links:{Link} callbacks:{Callback}",
  PathItem: `$ref summary description ${METHODS} trace:Operation servers:[Server] parameters:[Parameter]`,
  Operation:
    "tags summary description externalDocs:Docs operationId parameters:[Parameter] requestBody:Body responses:Responses callbacks:{Callback} deprecated security servers:[Server]",
  Parameter:
    "name in description required deprecated allowEmptyValue style explode allowReserved schema:Schema example examples:{Example} content:{Media}",
  Body: "description content:{Media} required",
  Media: "schema:Schema example examples:{Example} encoding:{Encoding}",
  Encoding: "contentType headers:{Header} style explode allowReserved",
  Response: "description headers:{Header} content:{Media} links:{Link}",
  Callback: "*:PathItem",
  Example: "summary description value externalValue",
  Link: "operationRef operationId parameters requestBody description server:Server",
  Header:
    "description required deprecated allowEmptyValue style explode allowReserved schema:Schema example examples:{Example} content:{Media}",
  Tag: "name description externalDocs:Docs",
  Schema: `$ref title description maxProperties minProperties required allOf:[Schema] oneOf:[Schema] anyOf:[Schema] not:Schema items:Schema properties:{Schema} additionalProperties:Schema nullable discriminator:Discriminator readOnly writeOnly xml:Xml externalDocs:Docs example deprecated ${NUMBERS}`,
  Discriminator: "propertyName mapping",
  Scheme: "type description name in scheme bearerFormat flows:Flows openIdConnectUrl",
  Flows: "implicit:Flow password:Flow clientCredentials:Flow authorizationCode:Flow",
  Flow: "authorizationUrl tokenUrl refreshUrl scopes",
};

/** Every keyword of the vocabularies of JSON Schema 2020-12, and OpenAPI's own four. */
const SCHEMA_2020 = `$id $schema $ref $anchor $dynamicRef $dynamicAnchor $vocabulary $comment $defs:{Schema} definitions:{Schema} dependencies prefixItems:[Schema] items:Schema contains:Schema additionalProperties:Schema properties:{Schema} patternProperties:{Schema} dependentSchemas:{Schema} propertyNames:Schema if:Schema then:Schema else:Schema allOf:[Schema] anyOf:[Schema] oneOf:[Schema] not:Schema unevaluatedItems:Schema unevaluatedProperties:Schema const maxContains minContains maxProperties minProperties required dependentRequired title description deprecated readOnly writeOnly examples contentEncoding contentMediaType contentSchema:Schema discriminator:Discriminator xml:Xml externalDocs:Docs example ${NUMBERS}`;

/** OpenAPI 3.1. */
export const OPENAPI_31: Table = {
  ...OPENAPI_30,
  Root: `${OPENAPI_30["Root"]} jsonSchemaDialect webhooks:{PathItem}`,
  Info: `${OPENAPI_30["Info"]} summary`,
  License: "name identifier url",
  Components: `${OPENAPI_30["Components"]} pathItems:{PathItem}`,
  Schema: SCHEMA_2020,
};

/** OpenAPI 3.2. */
export const OPENAPI_32: Table = {
  ...OPENAPI_31,
  Root: `${OPENAPI_31["Root"]} $self`,
  Server: "url description name variables:{Variable}",
  Components: `${OPENAPI_31["Components"]} mediaTypes:{Media}`,
  PathItem: `${OPENAPI_31["PathItem"]} query:Operation additionalOperations:{Operation}`,
  Media:
    "description schema:Schema itemSchema:Schema example examples:{Example} encoding:{Encoding} prefixEncoding:[Encoding] itemEncoding:Encoding",
  Encoding:
    "contentType headers:{Header} style explode allowReserved encoding:{Encoding} prefixEncoding:[Encoding] itemEncoding:Encoding",
  Response: "summary description headers:{Header} content:{Media} links:{Link}",
  Example: "summary description dataValue serializedValue value externalValue",
  Tag: "name summary description externalDocs:Docs parent kind",
  Discriminator: "propertyName mapping defaultMapping",
  Xml: "nodeType name namespace prefix attribute wrapped",
  Scheme: `${OPENAPI_31["Scheme"]} oauth2MetadataUrl deprecated`,
  Flows: `${OPENAPI_31["Flows"]} deviceAuthorization:Flow`,
  Flow: `${OPENAPI_31["Flow"]} deviceAuthorizationUrl`,
};
