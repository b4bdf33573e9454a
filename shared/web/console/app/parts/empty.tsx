import type { ComponentChildren } from "preact";

/** A part without data, with the reason and the next step. Empty never means that something was not loaded. */
export function Empty({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="panel empty">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
