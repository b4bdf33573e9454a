import type { Dice } from "../../../../shared/pos/sandbox/dice.ts";

/** Derived objects, such as sorted lists, that are kept until a watched object changes. */
export class Views {
  /** shuffles the rows of every view that is a list on each access; null for no shuffling */
  shuffledBy: Dice | null = null;
  /** by name, the last view that was created */
  readonly #kept = new Map<string | object, { key: string; view: unknown }>();
  readonly #handler: ProxyHandler<object> = {
    set: (target, field, value) => {
      this.#kept.clear();
      return Reflect.set(target, field, value);
    },
  };

  /** @returns a proxy to change instead of the object: setting one of its fields discards all views */
  watch<Watched extends object>(watched: Watched): Watched {
    return new Proxy(watched, this.#handler as ProxyHandler<Watched>);
  }

  /**
   * A view of watched objects.
   * @param name the view's name, or the list that it is based on
   * @param key everything else that the view depends on, such as a filter
   * @param make may read only watched objects, and objects inside only if they are watched too
   */
  of<View>(name: string | object, key: string, make: () => View): View {
    const kept = this.#kept.get(name);
    const view = kept?.key === key ? (kept.view as View) : make();
    this.#kept.set(name, { key, view });
    return this.shuffledBy && Array.isArray(view) ? (shuffled(view, this.shuffledBy) as View) : view;
  }
}

function shuffled<Row>(rows: readonly Row[], chance: Dice): Row[] {
  const places = rows.map((row) => ({ row, place: chance.between(0, 1_000_000) }));
  return places.sort((a, b) => a.place - b.place).map(({ row }) => row);
}
