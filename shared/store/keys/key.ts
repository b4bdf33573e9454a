/**
 * The key of an item. Only this folder builds keys of the table; docs/storage.md lists all keys and the reasons for
 * their form.
 */
export interface Key {
  pk: string;
  sk: string;
}
