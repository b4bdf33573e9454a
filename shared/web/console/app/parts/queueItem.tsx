import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { StateWords } from "../texts.ts";
import { State } from "./mark.tsx";

interface ItemProps {
  href: string;
  isOpen: boolean;
  state: StateWords;
  /** A short day. */
  day: string;
  name: string;
  children: ComponentChildren;
}

/** An item of a queue: its state and day, its business or number, and one line about it. */
export function QueueItem({ href, isOpen, state, day, name, children }: ItemProps) {
  return (
    <li>
      <a href={href} aria-current={isOpen ? "true" : undefined}>
        <span class="line">
          <State of={state} />
          <span class="num">{day}</span>
        </span>
        <strong>{name}</strong>
        <span>{children}</span>
      </a>
    </li>
  );
}

/**
 * The heading of the open item. It takes the focus when the address names another item, and when the open one has changed.
 *
 * @param id the item that the address names; empty without one
 */
export function useItemHeading(id: string, item?: { id: string; revision: number }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef({ id, item });
  useEffect(() => {
    const earlier = before.current;
    const hasChanged = earlier.item?.id === item?.id && earlier.item?.revision !== item?.revision;
    if ((id && earlier.id !== id) || hasChanged) (heading.current ?? document.getElementById("main"))?.focus();
    before.current = { id, item };
  }, [id, item?.id, item?.revision]);
  return heading;
}
