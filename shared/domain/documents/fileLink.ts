/** The link of a file and its expiry, as the API returns them. */
export interface FileLink {
  download_link: string | null;
  expires_date: string | null;
}

export const noLink: FileLink = { download_link: null, expires_date: null };
