/**
 * The key of an item. All keys of the table are built in this folder; docs/storage.md lists them with their reasons.
 */
export interface Key {
  pk: string;
  sk: string;
}
