import { Menu } from '@base-ui/react/menu';
import { createContext, Fragment, type ReactNode, useCallback, useContext, useRef, useState } from 'react';
import type { Query } from '../../../actions/index.ts';
import { visibleText } from '../../../protocol/index.ts';
import { copyText } from '../../components/hash.tsx';
import { useMain } from '../../lib/use-main.ts';
import { VALUE_MENU } from './texts.ts';
import { useTerms } from './use-terms.ts';

/** A value that somebody may filter by. */
export interface ValueTarget {
  /** What the value is of, such as `Agent`. */
  readonly label: string;
  readonly text: string;
  /** What it is found by; null where it is too long for that, or nothing to search for. */
  readonly term: Query | null;
  /** Where a term finds more than this very value: what the two choices are called then. */
  readonly words?: { readonly with: string; readonly without: string };
}

/** Where a menu opens: at an element, or at a point of the window. */
type Anchor = Element | { readonly getBoundingClientRect: () => DOMRect };

interface Opened {
  readonly anchor: Anchor;
  readonly targets: readonly ValueTarget[];
}

type OpenMenu = (anchor: Anchor, targets: readonly ValueTarget[], back: HTMLElement | null) => void;

const ValueMenuContext = createContext<OpenMenu>(() => undefined);

/** Opens the menu of some values; the focus goes back to an element. */
export function useValueMenu(): OpenMenu {
  return useContext(ValueMenuContext);
}

/** Longer values are cut in the menu. */
const MAX_SHOWN = 48;

function short(text: string): string {
  const visible = visibleText(text);
  return visible.length > MAX_SHOWN ? `${visible.slice(0, MAX_SHOWN)}…` : visible;
}

/** One menu for all values of the screen: filter by one, filter it out, copy it. */
export function ValueMenuHost({ children }: { readonly children: ReactNode }) {
  const [opened, setOpened] = useState<Opened | null>(null);
  // While the menu closes, it still says what it said.
  const [shown, setShown] = useState<Opened | null>(null);
  const back = useRef<HTMLElement | null>(null);
  const main = useMain();
  const open = useCallback<OpenMenu>((anchor, targets, element) => {
    if (targets.length === 0) return;
    back.current = element;
    setOpened({ anchor, targets });
    setShown({ anchor, targets });
  }, []);
  return (
    <ValueMenuContext value={open}>
      {children}
      <Menu.Root open={opened !== null} onOpenChange={(isOpen) => (isOpen ? undefined : setOpened(null))} modal={false}>
        <Menu.Portal container={main}>
          <Menu.Positioner className="menu-place" anchor={shown?.anchor ?? null} align="start" sideOffset={2}>
            <Menu.Popup className="menu value-menu" finalFocus={back} aria-label={VALUE_MENU.filter}>
              {shown?.targets.map((target) => (
                <Fragment key={`${target.label} ${target.text}`}>
                  <TargetItems target={target} isAlone={shown.targets.length === 1} />
                </Fragment>
              ))}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </ValueMenuContext>
  );
}

interface TargetItemsProps {
  readonly target: ValueTarget;
  /** Whether the menu is of this value only: then it can be copied too. */
  readonly isAlone: boolean;
}

function TargetItems({ target: { label, text, term, words }, isAlone }: TargetItemsProps) {
  const { toggle, standing } = useTerms();
  const now = term === null ? null : standing(term);
  return (
    <Menu.Group>
      <Menu.GroupLabel className="menu-label value-menu-label">
        {visibleText(label)} <span className="code">{short(text)}</span>
      </Menu.GroupLabel>
      {term !== null && (
        <>
          <Menu.Item className="menu-item" onClick={() => toggle(term, 'with')}>
            {now === 'with' ? VALUE_MENU.notOnly : (words?.with ?? VALUE_MENU.only)}
          </Menu.Item>
          <Menu.Item className="menu-item" onClick={() => toggle(term, 'without')}>
            {now === 'without' ? VALUE_MENU.notWithout : (words?.without ?? VALUE_MENU.without)}
          </Menu.Item>
        </>
      )}
      {isAlone && (
        <Menu.Item className="menu-item" onClick={() => void copyText(text, VALUE_MENU.value)}>
          {VALUE_MENU.copy}
        </Menu.Item>
      )}
    </Menu.Group>
  );
}
