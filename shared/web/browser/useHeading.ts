import { useEffect, useRef } from "preact/hooks";

let isFirst = true;

/**
 * The heading of a part of a page that the address names. It takes the focus when the visitor comes from another part.
 *
 * @param title the title of the browser tab
 */
export function useHeading(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title;
    if (!isFirst) {
      heading.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    isFirst = false;
  }, [title]);
  return heading;
}
