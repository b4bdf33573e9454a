import type { Key } from "./key.ts";

export const templateKey = (serviceProviderId: string, templateId: string): Key => ({
  pk: `SERVICE_PROVIDER#${serviceProviderId}#TEMPLATE`,
  sk: templateId,
});

export const answersKey = (crbId: string): Key => ({ pk: `CRB#${crbId}`, sk: "ONBOARDING" });

export const documentsToReviewPartition = (spId: string): string => `SERVICE_PROVIDER#${spId}#REVIEW`;

/**
 * A document that waits for review, in the list of its service provider.
 *
 * @param uploadDate ISO 8601 UTC, so that the range keys sort by time
 */
export const documentToReviewKey = (serviceProviderId: string, uploadDate: string, documentId: string): Key => ({
  pk: documentsToReviewPartition(serviceProviderId),
  sk: `${uploadDate}#${documentId}`,
});

export const documentIdToReview = (sk: string): string => sk.slice(sk.indexOf("#") + 1);

/** A permitted upload: a file that a caller may upload directly to the file store. It becomes the document with this id. */
export const uploadKey = (crbId: string, documentId: string): Key => ({ pk: `CRB#${crbId}#UPLOAD`, sk: documentId });

export const removalPartition = "REMOVAL";

/**
 * An object in the file store that is to be removed.
 *
 * @param due ISO 8601 UTC, so that the range keys sort by time
 */
export const removalKey = (due: string, storageKey: string): Key => ({
  pk: removalPartition,
  sk: `${due}#${storageKey}`,
});

/** An upper bound for range keys that begin with a time. The bound includes the keys of `instant` (ISO 8601 UTC). */
export const maxSortKeyUntil = (instant: string): string => `${instant}#~`;

export const storageKeyOfRemoval = (sk: string): string => sk.slice(sk.indexOf("#") + 1);
