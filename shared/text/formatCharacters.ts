/**
 * Characters without a shape of their own: soft hyphen, zero-width spaces and joiners, bidirectional marks, byte order
 * mark, variation selectors, tags, interlinear annotations, and the Braille cell without dots.
 */
const format = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB\u2800]/gu;

/**
 * Removes invisible characters, so that texts that look the same are the same. Only for texts that are compared
 * and not shown: some scripts and emoji need joiners and variation selectors.
 */
export const withoutFormatCharacters = (text: string): string => text.replace(format, "");
