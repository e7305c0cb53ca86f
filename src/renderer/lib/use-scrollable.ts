import { useLayoutEffect, useRef, useState } from 'react';

/**
 * Makes what scrolls only sometimes reachable by keyboard while it does: how much room its content takes depends on the
 * fonts of the machine and on the size of text. Where all of it is seen, it is no stop for the Tab key.
 */
export function useScrollable<E extends HTMLElement>() {
  const ref = useRef<E>(null);
  const [isScrollable, setScrollable] = useState(false);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const look = (): void =>
      setScrollable(element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight);
    look();
    const watcher = new ResizeObserver(look);
    watcher.observe(element);
    for (const child of element.children) watcher.observe(child);
    return () => watcher.disconnect();
  }, []);
  return { ref, ...(isScrollable ? { tabIndex: 0 } : {}) };
}
