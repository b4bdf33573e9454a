import type { Key } from "./key.ts";

/** An onboarding template of a service provider. */
export function templateKey(serviceProviderId: string, templateId: string): Key {
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#TEMPLATE`, sk: templateId };
}

/** A CRB's answers to its onboarding template. */
export function answersKey(crbId: string): Key {
  return { pk: `CRB#${crbId}`, sk: "ONBOARDING" };
}

/**
 * A document that waits for review, in the list of its service provider.
 *
 * @param uploadDate ISO 8601 UTC, so that the range keys sort by time
 */
export function documentToReviewKey(serviceProviderId: string, uploadDate: string, documentId: string): Key {
  return { pk: documentsToReviewPartition(serviceProviderId), sk: `${uploadDate}#${documentId}` };
}

export function documentsToReviewPartition(serviceProviderId: string): string {
  return `SERVICE_PROVIDER#${serviceProviderId}#REVIEW`;
}

/** The document's id in a range key of `documentToReviewKey`. */
export function documentIdToReview(sk: string): string {
  return sk.slice(sk.indexOf("#") + 1);
}

/**
 * A permitted upload: a file that a caller may upload directly to the file store. The uploaded file becomes the
 * document with the id `documentId`.
 */
export function uploadKey(crbId: string, documentId: string): Key {
  return { pk: `CRB#${crbId}#UPLOAD`, sk: documentId };
}

/**
 * An object in the file store that is to be removed at the time `due`.
 *
 * @param due ISO 8601 UTC, so that the range keys sort by time
 */
export function removalKey(due: string, storageKey: string): Key {
  return { pk: removalPartition, sk: `${due}#${storageKey}` };
}

export const removalPartition = "REMOVAL";

/** An upper bound for range keys that begin with a time. The bound includes the keys of `instant` (ISO 8601 UTC). */
export function maxSortKeyUntil(instant: string): string {
  return `${instant}#~`;
}

/** The storage key in a range key of `removalKey`. */
export function storageKeyOfRemoval(sk: string): string {
  return sk.slice(sk.indexOf("#") + 1);
}
