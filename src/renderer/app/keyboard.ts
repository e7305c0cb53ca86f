import { useEffect, useRef } from 'react';
import { isTyping } from '../lib/is-typing.ts';
import { NAV } from './screens-list.ts';
import { KEYBOARD } from './texts.ts';
import { TwoKeys } from './two-keys.ts';

/** A key, or two after one another, and what it does. */
export interface Shortcut {
  readonly keys: string;
  readonly what: string;
}

/** Keys that work on every screen, for the list that `?` shows. */
export const SHORTCUTS: readonly Shortcut[] = [
  { keys: KEYBOARD.ctrlK, what: KEYBOARD.commandPalette },
  { keys: '/', what: KEYBOARD.focusFilter },
  { keys: 'j', what: KEYBOARD.nextRow },
  { keys: 'k', what: KEYBOARD.previousRow },
  { keys: KEYBOARD.enterKey, what: KEYBOARD.openRow },
  { keys: 'o', what: KEYBOARD.showProofChosen },
  { keys: KEYBOARD.spaceKey, what: KEYBOARD.selectRow },
  { keys: 'm', what: KEYBOARD.filterByValue },
  { keys: 'b', what: KEYBOARD.bookmark },
  { keys: 't', what: KEYBOARD.tag },
  { keys: 'f', what: KEYBOARD.fromHere },
  { keys: 'u', what: KEYBOARD.upToHere },
  { keys: 'w', what: KEYBOARD.toldByThen },
  { keys: KEYBOARD.escapeKey, what: KEYBOARD.leave },
  ...NAV.map(({ key, label, isOfLedger }) => ({
    keys: `g ${key}`,
    what: isOfLedger === true ? KEYBOARD.inCase(label) : label,
  })),
  { keys: '?', what: KEYBOARD.thisList },
];

export interface KeyActions {
  readonly palette: () => void;
  readonly help: () => void;
  /** Goes to the screen of a letter that follows `g`, where there is one. */
  readonly go: (letter: string) => void;
}

function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"], [role="menu"]') !== null;
}

/**
 * Moves the focus to the next or previous row of the screen; rows say so with data-row. Those of long lists are not in
 * the order of Tab: it leads past the list, to what comes after it.
 */
function moveRow(step: 1 | -1): void {
  // What is folded away has a place all the same, and is not visible.
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')].filter((row) => row.checkVisibility());
  const ordered = rows.sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top);
  const { activeElement } = document;
  const at = activeElement instanceof HTMLElement ? ordered.indexOf(activeElement) : -1;
  const next = at < 0 ? (step === 1 ? ordered[0] : ordered.at(-1)) : ordered[at + step];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/** Listens to the keys that work everywhere. */
export function useKeyboard({ palette, help, go }: KeyActions): void {
  // Kept: the screen may be drawn again between the two.
  const { current: pair } = useRef(new TwoKeys());
  useEffect(() => {
    const plain: Record<string, () => void> = {
      '?': help,
      j: () => moveRow(1),
      k: () => moveRow(-1),
      o: () => document.querySelector<HTMLElement>('main [data-open]')?.click(),
      '/': () => document.querySelector<HTMLElement>('main [data-filter]')?.focus(),
    };
    const onKey = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        palette();
        return;
      }
      if (event.key === 'Escape' && isTyping(event.target) && event.target instanceof HTMLElement && !isDialogOpen()) {
        event.target.blur();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isDialogOpen()) return;
      if (pair.take(event.timeStamp)) {
        go(event.key);
        return;
      }
      if (event.key === 'g') {
        pair.begin(event.timeStamp);
        return;
      }
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] as 1 | -1 | undefined;
      const isInList = document.activeElement?.matches('[data-row], [role="table"]') === true;
      if (step !== undefined && isInList) {
        event.preventDefault();
        moveRow(step);
        return;
      }
      const act = plain[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [palette, help, go, pair]);
}
