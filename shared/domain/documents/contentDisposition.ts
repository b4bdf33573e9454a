/**
 * The header by which a download is saved under a file's own name (RFC 6266): plain where the name is, with the exact
 * name in UTF-8 beside it.
 */
export function contentDisposition(fileName: string): string {
  const plain = fileName.replace(/[^ !#-&(-[\]-~]/g, "_");
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(fileName).replace(/[!'()*]/g, percent)}`;
}

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
