/**
 * Code behind the calls of `spec.md`, with a bank and a carrier that live in this module:
 * `lacuna serve examples/payments/spec.md --code examples/payments/calls.mjs`.
 */

/** Key of a charge to what it took; a real bank keeps this. */
const charges = new Map();

/** Whether the shop takes the risk: it asks nobody, so the same total gets the same answer. */
export const judge = ({ total }) => ({ word: Number(total) < 30_000 ? "fine" : "risky" });

/** The same key gets the first answer again. */
export function charge({ amount }, { key }) {
  if (!charges.has(key)) charges.set(key, { amount, reference: `pay-${charges.size + 1}` });
  return { word: "settled", reference: charges.get(key).reference };
}

/** Gives back what the call `undoes` took, or what a customer is owed. */
export function refund(_given, { undoes }) {
  if (undoes !== undefined) charges.delete(undoes);
  return { word: "done" };
}

/** Parcels under way, by the key of the call: the carrier is asked again until one arrives. */
const parcels = new Map();

export function deliver({ item }, { key }) {
  const asked = (parcels.get(key) ?? 0) + 1;
  parcels.set(key, asked);
  return asked < 3 ? undefined : { word: "arrived", parcel: `${item}-${parcels.size}` };
}
