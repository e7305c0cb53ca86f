import { type KeyboardEvent, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import { Labelled } from '../../ui/labelled.tsx';
import { CompletionList } from '../audit/bar/completion-list.tsx';
import type { Suggestion } from '../audit/bar/use-completions.ts';
import { suggestionsAt } from './rules-json.ts';
import { RULES_SCREEN } from './texts.ts';

interface RulesFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isInvalid: boolean;
  readonly area: RefObject<HTMLTextAreaElement | null>;
}

/** Rules as JSON, completed as they are typed. The arrow keys are the text's own until the list is asked for. */
export function RulesField({ value, onChange, isInvalid, area }: RulesFieldProps) {
  const id = useId();
  const [caret, setCaret] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const suggestions = useMemo(() => (isOpen ? suggestionsAt(value, caret) : []), [value, caret, isOpen]);
  const isListed = suggestions.length > 0;
  // A completion leaves the caret inside what it began.
  const caretAfter = useRef<number | null>(null);
  useEffect(() => {
    if (caretAfter.current === null) return;
    area.current?.setSelectionRange(caretAfter.current, caretAfter.current);
    caretAfter.current = null;
  });
  const close = (): void => {
    setOpen(false);
    setActive(-1);
  };
  const complete = ({ from, to, text }: Suggestion): void => {
    const [begun = ''] = /["\]}],?$/.exec(text) ?? [];
    const isEmpty = /(?:""|\[\]|\{\}),?$/.test(text);
    caretAfter.current = from + text.length - (isEmpty ? begun.length : 0);
    onChange(value.slice(0, from) + text + value.slice(to));
    setCaret(caretAfter.current);
    close();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.nativeEvent.isComposing) return;
    const chosen = suggestions[active];
    const isAsked = (event.altKey && event.key === 'ArrowDown') || (event.ctrlKey && event.key === ' ');
    if (isAsked) {
      event.preventDefault();
      setCaret(event.currentTarget.selectionStart);
      setOpen(true);
      setActive(0);
    } else if (chosen !== undefined && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : suggestions.length - 1;
      setActive((active + step) % suggestions.length);
    } else if (chosen !== undefined && (event.key === 'Enter' || event.key === 'Tab')) {
      event.preventDefault();
      complete(chosen);
    } else if (isListed && event.key === 'Escape') {
      // The first Esc closes the list, the second leaves the field (app/keyboard.ts).
      event.preventDefault();
      event.stopPropagation();
      event.nativeEvent.stopImmediatePropagation();
      close();
    }
  };
  return (
    <Labelled label={RULES_SCREEN.rulesJson} hint={RULES_SCREEN.jsonHint}>
      {(ties) => (
        <div className="rules-field">
          <textarea
            {...ties}
            ref={area}
            className="code"
            rows={26}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            aria-autocomplete="list"
            aria-invalid={isInvalid}
            {...(isListed ? { 'aria-controls': `${id}-list` } : {})}
            {...(isListed && active >= 0 ? { 'aria-activedescendant': `${id}-${active}` } : {})}
            value={value}
            onChange={({ currentTarget }) => {
              onChange(currentTarget.value);
              setCaret(currentTarget.selectionStart);
              setOpen(true);
              setActive(-1);
            }}
            onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
            onKeyDown={onKeyDown}
            onBlur={close}
          />
          {isListed && <CompletionList id={id} suggestions={suggestions} active={active} choose={complete} />}
          <p role="status" className="visually-hidden">
            {isListed ? RULES_SCREEN.suggestions(suggestions.length) : ''}
          </p>
        </div>
      )}
    </Labelled>
  );
}
