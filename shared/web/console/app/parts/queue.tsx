import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Notice } from "../../../browser/parts.tsx";
import type { StateWords } from "../texts.ts";
import { BusinessFrame } from "./businessFrame.tsx";
import { Head, type HeadProps } from "./layout.tsx";
import { State } from "./marks.tsx";

interface QueueScreenProps extends HeadProps {
  /** The business whose items are listed; empty for all businesses. */
  crbId: string;
  part: string;
  /** The decision that was saved last. */
  saved: Decided | undefined;
  children: ComponentChildren;
}

/** The frame of a queue: that of a business, or a head of its own. */
export function QueueScreen({ crbId, part, saved, children, ...head }: QueueScreenProps) {
  const before = useRef(saved?.id);
  useEffect(() => {
    // The form or the button of a decision can be gone, and the focus with it.
    if (before.current !== saved?.id && document.activeElement === document.body) focusItem();
    before.current = saved?.id;
  }, [saved?.id]);
  const content = (
    <>
      {crbId && head.lead && <p>{head.lead}</p>}
      <div role="status">
        {saved?.place === location.hash && (
          <Notice key={saved.id} kind="good">
            <div class="bar">
              <strong>Saved: {saved.words}</strong> {saved.next}
            </div>
          </Notice>
        )}
      </div>
      {children}
    </>
  );
  if (!crbId) return [<Head key="head" {...head} />, content];
  return (
    <BusinessFrame crbId={crbId} part={part}>
      {() => content}
    </BusinessFrame>
  );
}

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
        <div class="pad bar faint small">{head}</div>
        <ul class="list queue">
          {items.map(({ href, isOpen, state, day, name, line }) => (
            <li key={href}>
              <a href={href} aria-current={isOpen ? "true" : undefined}>
                <span class="line">
                  <State of={state} />
                  {day}
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

/** A decision that was saved. */
export interface Decided {
  /** Distinguishes decisions with the same words. */
  id: string;
  /** The address that was opened after it, and that confirms it. */
  place: string;
  /** The item and the decision. */
  words: string;
  /** The link to the item, or the button that takes the decision back. */
  next: ComponentChildren;
}

/** Moves the focus to the heading of the open item; without one, to the content. */
const focusItem = (): void =>
  (document.querySelector<HTMLElement>("article h2") ?? document.getElementById("main"))?.focus();

/**
 * Moves the focus to the heading of the open item when the address names another one, and when the open one has changed.
 *
 * @param id the item that the address names; empty without one
 */
export function useItemFocus(id: string, item?: { id: string; revision: number }): void {
  const before = useRef({ id, item });
  useEffect(() => {
    const earlier = before.current;
    const hasChanged = earlier.item?.id === item?.id && earlier.item?.revision !== item?.revision;
    if ((id && earlier.id !== id) || hasChanged) focusItem();
    before.current = { id, item };
  }, [id, item?.id, item?.revision]);
}
