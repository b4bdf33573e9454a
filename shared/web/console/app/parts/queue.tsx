import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { StateWords } from "../texts.ts";
import { State } from "./mark.tsx";

/** An item of a queue: its state and day, its business or number, and one line about it. */
interface Item {
  href: string;
  isOpen: boolean;
  state: StateWords;
  /** A short day. */
  day: string;
  name: string;
  line: string;
}

interface QueueProps {
  /** Names the list for screen readers. */
  label: string;
  /** Fields that choose the items, or words about their order. */
  head: ComponentChildren;
  items: readonly Item[];
  /** The open item, or the reason why there is none. */
  children: ComponentChildren;
}

/** A list at the left, and the open item next to it. */
export function Queue({ label, head, items, children }: QueueProps) {
  return (
    <div class="panes">
      <nav class="panel" aria-label={label}>
        <div class="queue-head bar">{head}</div>
        <ul class="list queue">
          {items.map(({ href, isOpen, state, day, name, line }) => (
            <li key={href}>
              <a href={href} aria-current={isOpen ? "true" : undefined}>
                <span class="line">
                  <State of={state} />
                  <span class="num">{day}</span>
                </span>
                <strong>{name}</strong>
                <span>{line}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </div>
  );
}

interface OnlyProps {
  crbId: string;
  name: string;
  /** The address of the list of all businesses. */
  all: string;
}

/** Says that a list has only one business. */
export function OnlyBusiness({ crbId, name, all }: OnlyProps) {
  return (
    <p>
      Only <a href={`#/businesses/${crbId}`}>{name}</a>. <a href={all}>Show all businesses</a>
    </p>
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
