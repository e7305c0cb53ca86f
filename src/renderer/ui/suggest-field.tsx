import { Autocomplete } from '@base-ui/react/autocomplete';
import { type ComponentProps, type ReactNode, useRef, useState } from 'react';
import { Labelled } from './labelled.tsx';
import { Seen } from './seen.tsx';

/** A value that is offered, with what tells it from others like it. */
export interface Suggestion {
  readonly value: string;
  readonly note?: string;
}

interface SuggestFieldProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'ref'> {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What fits the value so far, the likeliest first. */
  readonly suggestions: readonly Suggestion[];
  readonly hint?: ReactNode;
}

/** A text that can be typed, with what fits it below: chosen with the arrow keys and Enter, or by a click. */
export function SuggestField({ label, value, onChange, suggestions, hint, ...input }: SuggestFieldProps) {
  // Within the dialog or part of the page that the field is in: elsewhere no landmark would lead to the list.
  const place = useRef<HTMLDivElement>(null);
  // What is typed already is not offered: the list would be in the way of what is below.
  const offered = suggestions.length === 1 && suggestions[0]?.value === value ? [] : suggestions;
  const [isOpen, setOpen] = useState(false);
  return (
    <Labelled label={label} hint={hint}>
      {(ties) => (
        <div ref={place} className="suggest">
          <Autocomplete.Root
            items={offered}
            open={isOpen && offered.length > 0}
            onOpenChange={setOpen}
            mode="none"
            openOnInputClick
            value={value}
            itemToStringValue={(one: Suggestion) => one.value}
            onValueChange={onChange}
          >
            {/* Named once more: while the list is open, the label is not read out. */}
            <Autocomplete.Input {...ties} {...input} aria-label={label} />
            <Autocomplete.Portal container={place}>
              <Autocomplete.Positioner className="menu-place" align="start" sideOffset={2}>
                <Autocomplete.Popup className="menu suggestions">
                  <Autocomplete.List aria-label={label}>
                    {(one: Suggestion) => (
                      <Autocomplete.Item key={one.value} value={one} className="menu-item">
                        <Seen className="suggestion" text={one.value} />
                        {one.note !== undefined && <Seen className="muted" text={one.note} />}
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.List>
                </Autocomplete.Popup>
              </Autocomplete.Positioner>
            </Autocomplete.Portal>
          </Autocomplete.Root>
        </div>
      )}
    </Labelled>
  );
}
