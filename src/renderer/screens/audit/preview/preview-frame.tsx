import { Tabs } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import { ledgerScreen } from '../../../api/ledger/places.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { PREVIEW_FRAME } from './texts.ts';

const route = ledgerScreen('/search');

interface PreviewFrameProps {
  readonly title: string;
  /** What the tabs are about. */
  readonly label: string;
  readonly tabs: readonly { readonly value: string; readonly label: string }[];
  /** Where the address says which tab is shown: that, and how another one is. */
  readonly shown?: { readonly tab: string; readonly show: (tab: string) => void };
  /** Where it leads to from here. */
  readonly ways: ReactNode;
  /** A panel for each tab. */
  readonly children: ReactNode;
}

/** The chosen row next to the list: its name, tabs, ways from it, and the way to put it away. */
export function PreviewFrame({ title, label, tabs, shown, ways, children }: PreviewFrameProps) {
  const navigate = route.useNavigate();
  return (
    <Tabs.Root
      className="scroll-column is-filling"
      {...(shown === undefined
        ? { defaultValue: tabs[0]?.value }
        : { value: shown.tab, onValueChange: (tab: string) => shown.show(tab) })}
    >
      <header className="preview-head has-corner-close">
        <h2>{title}</h2>
        <Tabs.List className="tabs" aria-label={label} activateOnFocus>
          {tabs.map((tab) => (
            <Tabs.Tab key={tab.value} value={tab.value}>
              {tab.label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <span className="push cluster">{ways}</span>
        <button
          type="button"
          className="corner-close button-small button-plain"
          aria-label={PREVIEW_FRAME.closeDetails}
          onClick={() =>
            void navigate({
              search: (before) => ({ ...before, selected: undefined, part: undefined }),
              replace: true,
            })
          }
        >
          <Icon name="cross" />
        </button>
      </header>
      {children}
    </Tabs.Root>
  );
}
