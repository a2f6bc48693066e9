/** The endpoints of the shop. */
import type { ServedEndpoint } from "./model.ts";
import { orderEndpoints } from "./orders.ts";
import { productEndpoints } from "./products.ts";
import { reviewEndpoints } from "./reviews.ts";
import { staffEndpoints } from "./staff.ts";

export const endpoints: readonly ServedEndpoint[] = [
  ...staffEndpoints,
  ...productEndpoints,
  ...reviewEndpoints,
  ...orderEndpoints,
];
