import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { mayBeText, parseGroupedQuery, parseQuery, type QueryError, textQuery } from '../../../../actions/index.ts';
import { fill } from '../../../lib/fill.ts';
import { useDraft } from '../../../lib/use-draft.ts';
import { Icon } from '../../../ui/icons.tsx';
import { Seen } from '../../../ui/seen.tsx';
import { useQueryContext } from '../use-terms.ts';
import { CompletionList } from './completion-list.tsx';
import { PastedText, QueryNotes, QueryReading } from './query-reading.tsx';
import { QUERY_BOX, QUERY_PROBLEM } from './texts.ts';
import { type Suggestion, useCompletions } from './use-completions.ts';

interface QueryProblemProps {
  readonly id: string;
  readonly text: string;
  readonly error: QueryError;
  /** Marks the place in the query. */
  readonly show: () => void;
}

/** So much of the query is repeated on each side of the place. */
const AROUND = 32;

/** Why a query cannot be read: where, what, and what would do. */
function QueryProblem({ id, text, error: { message, at, end, expected }, show }: QueryProblemProps) {
  const from = Math.max(0, at - AROUND);
  const to = Math.min(text.length, Math.max(end, at) + AROUND);
  const meant = text.slice(at, end);
  return (
    <div id={id} className="query-problem" role="alert">
      <p>
        <Seen text={message} lines />{' '}
        {expected.length > 0 && (
          <span className="muted">
            {fill(QUERY_PROBLEM.expected, {
              expected: expected.slice(0, 4).map((form, n) => (
                <span key={form}>
                  {n > 0 && ', '}
                  <span className="code">{form}</span>
                </span>
              )),
            })}
          </span>
        )}
      </p>
      <button type="button" className="query-place code" title={QUERY_PROBLEM.goToPlace} onClick={show}>
        {from > 0 && '…'}
        <Seen text={text.slice(from, at)} lines />
        <mark className="query-wrong">{meant === '' ? '▏' : <Seen text={meant} lines />}</mark>
        <Seen text={text.slice(Math.max(end, at), to)} lines />
        {to < text.length && '…'}
      </button>
    </div>
  );
}

interface QueryBoxProps {
  /** The query of the address. */
  readonly query: string;
  /** Whether a `|` may follow with how what is found is grouped. */
  readonly mayGroup?: boolean;
  /** Takes a query that can be read; empty for none. */
  readonly apply: (query: string) => void;
  /** Told at each try whether the query could not be read: what is shown is then of the one before. */
  readonly onUnreadable: (isUnreadable: boolean) => void;
}

interface Draft {
  readonly text: string;
  readonly error: QueryError | null;
  /** What was pasted and put in quotes, as long as nothing else was typed. */
  readonly pasted?: string;
}

/** The query as one line, completed as it is typed; below it stands what is wrong with it, or how it was read. */
export function QueryBox({ query, mayGroup = false, apply, onUnreadable }: QueryBoxProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const context = useQueryContext();
  const [draft, setDraft] = useDraft<Draft>({ text: query, error: null }, query);
  const [caret, setCaret] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const suggestions = useCompletions(draft.text, caret, isOpen);
  const isListed = isOpen && suggestions.length > 0;
  // After a completion the caret stands behind it.
  const caretAfter = useRef<number | null>(null);
  useEffect(() => {
    if (caretAfter.current === null) return;
    input.current?.setSelectionRange(caretAfter.current, caretAfter.current);
    caretAfter.current = null;
  });

  const problemOf = (text: string): QueryError | null => {
    if (text.trim() === '') return null;
    const read = mayGroup ? parseGroupedQuery : parseQuery;
    const parsed = read(text, { now: Date.now(), ...context });
    return parsed.ok ? null : (parsed.errors[0] ?? null);
  };
  const change = (text: string, at: number): void => {
    // What was wrong is looked at again as it is mended; what is only half typed is not wrong yet.
    setDraft({ text, error: draft.error === null ? null : problemOf(text) });
    setCaret(at);
    setActive(-1);
  };
  const complete = ({ from, to, text }: Suggestion): void => {
    const completed = draft.text.slice(0, from) + text + draft.text.slice(to);
    caretAfter.current = from + text.length;
    change(completed, from + text.length);
    setOpen(true);
  };
  const submit = (next: Draft = draft): void => {
    setOpen(false);
    const error = problemOf(next.text);
    setDraft({ ...next, error });
    onUnreadable(error !== null);
    if (error === null) apply(next.text.trim());
  };
  const queryIn = (text: string): string => {
    const read = mayGroup ? parseGroupedQuery(text, { now: Date.now(), ...context }) : null;
    return read?.ok === true ? read.query : text;
  };
  const isDoubtful = (text: string): boolean => mayBeText(queryIn(text), { now: Date.now(), ...context });
  const paste = (event: ClipboardEvent<HTMLInputElement>): void => {
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    const pasted = event.clipboardData.getData('text/plain').trim();
    const text = textQuery(pasted);
    const isWhole = selectionStart === 0 && selectionEnd === value.length;
    if (!isWhole || text === null || !isDoubtful(pasted)) return;
    event.preventDefault();
    setDraft({ text, error: null, pasted });
    setOpen(false);
  };
  const asText = textQuery(draft.text);
  const isReadingShown = asText !== null && (draft.error !== null || (draft.text === query && isDoubtful(draft.text)));
  const showPlace = (): void => {
    const { error } = draft;
    if (error === null) return;
    input.current?.focus();
    input.current?.setSelectionRange(error.at, Math.max(error.at, error.end));
  };

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing) return;
    const chosen = suggestions[active];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!isListed) setOpen(true);
      else setActive(stepped(active, event.key === 'ArrowDown' ? 1 : -1, suggestions.length));
    } else if (event.key === 'Tab' && !event.shiftKey && isListed) {
      const first = chosen ?? suggestions[0];
      if (first === undefined) return;
      event.preventDefault();
      complete(first);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (isListed && chosen !== undefined) complete(chosen);
      else submit();
    } else if (event.key === 'Escape' && isListed) {
      // The first Esc closes the list, the second leaves the field (app/keyboard.ts).
      event.preventDefault();
      event.stopPropagation();
      event.nativeEvent.stopImmediatePropagation();
      setOpen(false);
      setActive(-1);
    }
  };

  return (
    <div className="query">
      <div className={draft.error === null ? 'query-field' : 'query-field is-wrong'}>
        <Icon name="search" />
        <input
          ref={input}
          role="combobox"
          aria-label={QUERY_BOX.query}
          aria-expanded={isListed}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-invalid={draft.error !== null}
          {...(isListed && active >= 0 ? { 'aria-activedescendant': `${id}-${active}` } : {})}
          {...(draft.error === null ? {} : { 'aria-describedby': `${id}-problem` })}
          data-filter
          className="code"
          placeholder={QUERY_BOX.placeholder}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={draft.text}
          onChange={({ currentTarget }) => {
            change(currentTarget.value, currentTarget.selectionStart ?? currentTarget.value.length);
            setOpen(true);
          }}
          onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart ?? 0)}
          onKeyDown={onKeyDown}
          onPaste={paste}
          onBlur={() => setOpen(false)}
        />
        {draft.text !== '' && (
          <button
            type="button"
            className="button-plain query-clear"
            aria-label={QUERY_BOX.clearQuery}
            onClick={() => {
              setDraft({ text: '', error: null });
              onUnreadable(false);
              apply('');
              input.current?.focus();
            }}
          >
            <Icon name="cross" />
          </button>
        )}
        {isListed && <CompletionList id={id} suggestions={suggestions} active={active} choose={complete} />}
      </div>
      {draft.error !== null && (
        <QueryProblem id={`${id}-problem`} text={draft.text} error={draft.error} show={showPlace} />
      )}
      {draft.pasted !== undefined && (
        <PastedText readAsQuery={() => submit({ text: draft.pasted ?? '', error: null })} />
      )}
      {draft.error === null && draft.text === query && <QueryNotes text={draft.text} context={context} />}
      {isReadingShown && (
        <QueryReading
          text={queryIn(draft.text)}
          context={context}
          searchText={() => submit({ text: asText, error: null })}
        />
      )}
    </div>
  );
}

/** The next place in a list that goes around; -1 is the field itself. */
export function stepped(at: number, step: 1 | -1, length: number): number {
  const next = at + step;
  if (next >= length) return -1;
  return next < -1 ? length - 1 : next;
}
