/**
 * What a text may hold without showing it, or to change how the rest shows: control and format characters, zero-width and
 * bidirectional ones, ends of lines and paragraphs, variation selectors, tags, halves of characters, and code points that
 * mean nothing to everybody. The last is a Braille cell without dots, which Unicode counts among the visible.
 */
const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Whether a text holds a character that does not show. */
export const hasInvisible = (text: string): boolean => text.search(invisible) >= 0;

/** A text without the characters that do not show. */
export const withoutInvisible = (text: string): string => text.replace(invisible, "");

/** A text with an escape, as in JSON, in the place of each character that does not show: `\u001b`. */
export const withEscapes = (text: string): string =>
  text.replace(invisible, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
