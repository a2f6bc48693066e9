/** The media types of bodies: which are JSON, which are forms, and which have no members at all. */
import { type Endpoint, type Service, statedOf } from "../../plan/index.ts";

type Facts = { readonly service: Service };

const JSON_TYPE = /^application\/(json|[\w.-]+\+json)\s*(;|$)/i;
const FORM_TYPE = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;

/** Whether a body of the media type is JSON. */
export function isJsonType(media: string): boolean {
  return JSON_TYPE.test(media);
}

/** Whether a body of the media type is a form: names, each with one text or several. */
function isFormType(media: string): boolean {
  return FORM_TYPE.test(media);
}

/** The media type that the document states for all bodies. */
export function statedFormat({ service }: Facts): string | undefined {
  const { bodyFormat } = service.about;
  return statedOf(bodyFormat);
}

/** The media type of what the endpoint reads; undefined where it is not shown. */
export function readFormat(c: Facts, endpoint: Endpoint): string | undefined {
  return endpoint.formatGap === undefined ? (endpoint.format ?? statedFormat(c)) : undefined;
}

/** Whether what the endpoint reads is JSON, for all that is known. */
export function isJsonBody(c: Facts, endpoint: Endpoint): boolean {
  const format = readFormat(c, endpoint);
  return format === undefined || isJsonType(format);
}

/** Whether what the endpoint reads is a form. */
export function isFormBody(c: Facts, endpoint: Endpoint): boolean {
  const format = readFormat(c, endpoint);
  return format !== undefined && isFormType(format);
}

/** Whether what the endpoint reads has members by its media type, for all that is known. */
export function hasMembers(c: Facts, endpoint: Endpoint): boolean {
  return isJsonBody(c, endpoint) || isFormBody(c, endpoint);
}
