/** Every key string of the table is built here; docs/storage.md has the table of them with their reasons. */
export interface Key {
  pk: string;
  sk: string;
}
