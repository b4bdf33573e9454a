/** The `Content-Disposition` of a download (RFC 6266): an ASCII form of the file name, and the exact name in UTF-8. */
export function contentDisposition(fileName: string): string {
  const plain = fileName.replace(/[^ !#-&(-[\]-~]/g, "_");
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(fileName).replace(/[!'()*]/g, percent)}`;
}

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
