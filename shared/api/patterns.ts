/**
 * Patterns, exactly as in the specification (docs/spec.md#patterns-and-value-lists). A pattern is added when the first
 * schema uses it.
 */
export const UUID = /^[0-9a-fA-F]{8}\b-[0-9a-fA-F]{4}\b-[0-9a-fA-F]{4}\b-[0-9a-fA-F]{4}\b-[0-9a-fA-F]{12}$/;
export const CITY = /^[a-zA-Z\s.-]+$/;
export const POSTAL_CODE = /^\d{5}(?:[-\s]?\d{4})?$/;
export const EIN = /^\d{2}-\d{7}$/;
export const PHONE = /^\(\d{3}\)\s\d{3}-\d{4}$/;
export const WEBSITE = /^(https?:\/\/)?[-a-zA-Z0-9@:%._+~#=]{1,256}\.[a-zA-Z0-9()]{1,6}\b([-a-zA-Z0-9()@:%_+.~#?&=]*)/;
export const SHORT_DATE = /^[2][0][0-9]{2}[-]([0][0-9]|[1][0-2])[-]([0-2][0-9]|[3][0-1])/;
export const LOCAL_DATE_TIME =
  /^[2][0][0-9]{2}[-]([0][0-9]|[1][0-2])[-]([0-2][0-9]|[3][0-1])\s([0-1][0-9]|[2][0-3])[:][0-5][0-9][:][0-5][0-9][.][0-9]{3}/;
export const QUERY_DATE = /^\d{4}-(0?[1-9]|1[012])-(0?[1-9]|[12][0-9]|3[01])$/;
/** A cursor of changes or of events. Its length may change in any release. */
export const CURSOR = /^[A-Za-z0-9_-]+$/;
/** The register of a license (a state, CAN or NLA), and the id of the license within it. */
export const LICENSE_ID = /^[A-Z]{2,3}-[A-Za-z0-9_-]{22}$/;
/** Visible ASCII characters. Also a license number. */
export const DEPOSIT_ID = /^[!-~]{1,64}$/;
export const FILE_NAME =
  /^[^./\\]+\.(csv|docx?|gif|jpe?g|json|odp|ods|odt|png|pdf|pptx?|rtf|svg|tiff?|txt|vsd|xlsx?|xml)$/;
