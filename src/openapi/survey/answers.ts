/** What can be asked of an answer by its status. */
import type { Operation, Response } from "../model/index.ts";

/** `2` of `200` and of `2XX`; `default` has none. */
export const classOf = ({ status }: Response): string | undefined =>
  /^([1-5])(\d\d|XX)$/i.exec(status)?.[1];

/** 2xx. */
export const isSuccess = (each: Response): boolean => classOf(each) === "2";

/** 4xx. */
export const isClientError = (each: Response): boolean => classOf(each) === "4";

/** The answer that stands for every status that is not listed. */
export const isDefault = (each: Response): boolean => each.status === "default";

/** Whether one of the operation's answers has that status, or the class of it. */
export function answers({ responses }: Operation, status: string): boolean {
  const family = `${status[0]}XX`;
  return responses.some((each) => each.status === status || each.status.toUpperCase() === family);
}

/** Statuses whose answers have no body: RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5. */
const BODILESS = new Set(["204", "205", "304"]);

/** Whether HTTP allows it a body. */
export const mayHaveBody = ({ status }: Response): boolean => !BODILESS.has(status);
