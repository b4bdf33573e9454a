import type { Key } from "./key.ts";

/** An onboarding template of a service provider. */
export function templateKey(serviceProviderId: string, templateId: string): Key {
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#TEMPLATE`, sk: templateId };
}

/** A CRB's answers to its onboarding template. */
export function answersKey(crbId: string): Key {
  return { pk: `CRB#${crbId}`, sk: "ONBOARDING" };
}

/** A file that a caller may upload directly to the file store, by the id of its future document. */
export function uploadKey(crbId: string, documentId: string): Key {
  return { pk: `CRB#${crbId}#UPLOAD`, sk: documentId };
}

/**
 * An object to remove from the file store when it is due.
 *
 * @param due ISO 8601 UTC, so that the range keys sort by time
 */
export function removalKey(due: string, storageKey: string): Key {
  return { pk: removalPartition, sk: `${due}#${storageKey}` };
}

export const removalPartition = "REMOVAL";

/** The last range key up to a time (ISO 8601 UTC), for items sorted by time. */
export function maxSortKeyUntil(instant: string): string {
  return `${instant}#~`;
}

/** The storage key in the range key of a removal. */
export function storageKeyOfRemoval(sk: string): string {
  return sk.slice(sk.indexOf("#") + 1);
}
