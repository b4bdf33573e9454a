/** A document of a customer: its number, and its last valid day as yyyy-MM-dd. */
interface CustomerDocument {
  number: string | null;
  expires: string | null;
}

/**
 * Chooses one of several documents of the same kind. POS systems keep earlier ones in an unknown order, so the document that
 * expires last counts. One without an expiry may be the present one, so it counts as the last: the expiry is then unknown.
 *
 * @returns a document without values if there is none
 */
export function chooseDocument(documents: readonly CustomerDocument[]): CustomerDocument {
  const endOf = ({ expires }: CustomerDocument) => expires ?? "9999-12-31";
  return documents
    .filter(({ number, expires }) => number !== null || expires !== null)
    .reduce((one, other) => (one === none || endOf(other) > endOf(one) ? other : one), none);
}

const none: CustomerDocument = { number: null, expires: null };
