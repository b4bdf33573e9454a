import type { Dice } from "../../../../shared/pos/sandbox/dice.ts";

/** Lists that are made of objects, such as a sorted one, and kept as long as no object changes. */
export class Views {
  /** puts the rows of every view that is a list into random order, each time again; none unless set */
  shuffledBy: Dice | null = null;
  /** by name, the last one that was made */
  readonly #kept = new Map<string | object, { key: string; view: unknown }>();
  readonly #handler: ProxyHandler<object> = {
    set: (target, field, value) => {
      this.#kept.clear();
      return Reflect.set(target, field, value);
    },
  };

  /** @returns an object, or a list, that is to be changed instead of this one: whatever is set of it ends all views */
  watch<Watched extends object>(watched: Watched): Watched {
    return new Proxy(watched, this.#handler as ProxyHandler<Watched>);
  }

  /**
   * A view of objects that are watched.
   *
   * @param name of the view, or the list that it is of, where several have such a one
   * @param key what the view depends on beside them, such as the filter that is asked for
   * @param make reads nothing but what is watched: no object inside of it, unless that is watched too
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
