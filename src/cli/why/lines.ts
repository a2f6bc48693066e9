/** Takes an endpoint and perhaps a status, gives the items whose lines determine the answer. */
import { type Causes, type Endpoint, type ItemId, itemOf, type Service } from "../../plan/index.ts";

/** Items under one heading. */
export interface Chapter {
  readonly title: string;
  readonly items: readonly ItemId[];
  /** Whether the items act in this order; else they stand in the order of the document. */
  readonly inOrder: boolean;
}

const STEP = /\/step /;

/**
 * The lines of a request that ends in a status, or in any: its endpoint's own, the steps, what they
 * rest on.
 */
export function chaptersOf(
  service: Service,
  endpoint: Endpoint | undefined,
  { causes, status }: { readonly causes: Causes; readonly status: number | undefined },
): Chapter[] {
  const isOwn = (id: ItemId): boolean =>
    id === endpoint?.id || (id.startsWith(`${endpoint?.id}/`) && !STEP.test(id));
  const isStep = (id: ItemId): boolean => STEP.test(id);
  const rows = new Set([...service.errors, ...service.failures].map((one) => one.id));
  const { failuresReported } = service;
  const reported = itemOf(failuresReported);
  if (reported !== undefined) rows.add(reported);
  const isError = (id: ItemId): boolean => rows.has(id);
  const { before, shown } = causes;
  const met = new Set(causes.ends);
  // What stands in the line of an end is shown there.
  const isMet = (id: ItemId): boolean => met.has(id) || met.has(id.replace(/\/else$/, ""));
  const all = [...before, ...shown];
  const rest = (id: ItemId): boolean => !isOwn(id) && !isStep(id) && !isError(id);
  // Without a status a step ends some requests, and is on the way of the others.
  const isEnd = (id: ItemId): boolean => status !== undefined && isMet(id);
  const onTheWay = before.filter((id) => isStep(id) && !isEnd(id));
  const ends = status === undefined ? "What ends it" : `Ends in ${status}`;
  const chapters: Chapter[] = [
    { title: "The endpoint", items: all.filter((id) => isOwn(id) && !isMet(id)), inOrder: false },
    { title: "On the way", items: onTheWay, inOrder: true },
    { title: ends, items: causes.ends, inOrder: true },
    { title: "What that rests on", items: before.filter(rest), inOrder: false },
    {
      title: "Errors",
      items: [...before, ...shown].filter((id) => isError(id) && !met.has(id)),
      inOrder: false,
    },
    {
      title: "What is sent",
      items: shown.filter((id) => rest(id) || (isStep(id) && !met.has(id))),
      inOrder: false,
    },
  ];
  return chapters.filter((chapter) => chapter.items.length > 0);
}
