/** Lists that are made of objects, such as a sorted one, and kept as long as no object changes. */
export class Views {
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
    if (kept?.key === key) return kept.view as View;
    const view = make();
    this.#kept.set(name, { key, view });
    return view;
  }
}
