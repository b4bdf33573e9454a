/**
 * Characters that are invisible or change how other characters are displayed: control, format, zero-width and
 * bidirectional characters, line and paragraph separators, variation selectors, tags, lone surrogates, private-use and
 * unassigned code points. `\u2800`, the Braille cell without dots, is listed separately, because Unicode counts it as
 * visible.
 */
const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

export const hasInvisible = (text: string): boolean => text.search(invisible) >= 0;

export const withoutInvisible = (text: string): string => text.replace(invisible, "");

/** Replaces each invisible character by its JSON escape, such as `\u001b`. */
export const withEscapes = (text: string): string =>
  text.replace(invisible, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
