import { type Key, key, ofCrb, ofProvider } from "./key.ts";

export const templateKey = (spId: string, templateId: string): Key => key(ofProvider(spId, "TEMPLATE"), templateId);

export const answersKey = (crbId: string): Key => key(`CRB#${crbId}`, "ONBOARDING");

export const documentsToReviewPartition = (spId: string): string => ofProvider(spId, "REVIEW");

/** A document that waits for review, in the list of its service provider. */
export const documentToReviewKey = (spId: string, uploadDate: string, documentId: string): Key =>
  key(documentsToReviewPartition(spId), uploadDate, documentId);

/** A permitted upload: a file that a caller may upload directly to the file store. It becomes the document with this id. */
export const uploadKey = (crbId: string, documentId: string): Key => key(ofCrb(crbId, "UPLOAD"), documentId);

export const removalPartition = "REMOVAL";

/** An object in the file store that is to be removed. */
export const removalKey = (due: string, storageKey: string): Key => key(removalPartition, due, storageKey);
