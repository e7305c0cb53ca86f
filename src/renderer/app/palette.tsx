import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react';
import { containsFolded, quoted } from '../../actions/index.ts';
import type { WorkSession } from '../api/answers.ts';
import { ledgerOf } from '../api/ledger/ledger.ts';
import { addressOf, caseOfPath } from '../api/ledger/places.tsx';
import { useRefusals } from '../api/permission.ts';
import { q, sessionQuery } from '../api/query.ts';
import { queryText } from '../lib/query-text.ts';
import { useRested } from '../lib/use-rested.ts';
import { Seen } from '../ui/seen.tsx';
import type { Command } from './command.ts';
import { useCommands } from './commands.ts';
import { FOUND, PALETTE } from './texts.ts';

/** So long nothing is asked after a key: each letter would be a search. */
const PAUSE_MS = 150;
/** Shorter texts are in nearly every record. */
const SHORTEST = 2;
/** Of each kind. */
const MOST = 5;

interface Found {
  readonly commands: readonly Command[];
  readonly isSearching: boolean;
}

/**
 * What the ledger or case at hand has for what was typed: entities, sessions and people of that name, on whose behalf agents acted or who are
 * members of the organization, and then what mentions it. A question that nobody waits for any more is cancelled.
 */
function useFoundInLedger(typed: string): Found {
  const navigate = useNavigate();
  const caseId = useRouterState({ select: ({ location }) => caseOfPath(location.pathname) });
  const { data: session } = useQuery(sessionQuery);
  const refusals = useRefusals();
  const word = typed.trim();
  const settled = useRested(word, PAUSE_MS);
  const ledger = useMemo(() => ledgerOf(caseId), [caseId]);
  const isAsked = settled.length >= SHORTEST && settled === word;
  const isOpen = caseId !== null || (session != null && session.orgId !== null);
  const mayAsk = (name: Parameters<typeof ledger.routeOf>[0]): boolean =>
    isAsked && isOpen && refusals(ledger.routeOf(name)) === null;
  // As one types, the last word is only begun.
  const query = `${quoted(settled)}*`;
  const records = useQuery({
    ...ledger.q('auditQuery', { body: { query, details: true, limit: MOST } }),
    enabled: mayAsk('auditQuery'),
  });
  const entities = useQuery({
    ...ledger.q('entities', { body: { contains: settled, limit: MOST } }),
    enabled: mayAsk('entities'),
  });
  const sessions = useQuery({ ...ledger.q('sessions', { body: { query, limit: MOST } }), enabled: mayAsk('sessions') });
  const persons = useQuery({
    ...ledger.q('facets', {
      body: { query: `person:*${quoted(settled)}*`, unit: 'actions', fields: ['person'], values: MOST },
    }),
    enabled: mayAsk('facets'),
  });
  const mayList = caseId === null && isAsked && isOpen && refusals('listMembers') === null;
  const members = useQuery({ ...q('listMembers'), enabled: mayList });
  // All of it comes at once: what somebody is about to choose does not move.
  const isLoading = [records, entities, sessions, persons, members].some((asked) => asked.isLoading);
  const isSearching = word.length >= SHORTEST && isOpen && (settled !== word || isLoading);
  const commands = useMemo(() => {
    if (!isAsked || isLoading) return [];
    const goTo = (place: Parameters<typeof addressOf>[1]) => () => void navigate(addressOf({ caseId }, place));
    const ofRecords = (records.data?.data ?? []).map(
      ({ seq_no: seqNo, operation_id: operationId, details, subject }): Command => ({
        label: FOUND.record(seqNo, details?.summary ?? subject),
        hint: FOUND.recordKind,
        run: goTo({ to: '/operations/$operationId', params: { operationId } }),
      }),
    );
    const ofEntities = (entities.data?.data ?? []).map(
      ({ kind, id }): Command => ({
        label: id,
        hint: kind,
        run: goTo({ to: '/entities', search: { kind, id } }),
      }),
    );
    const toSession = ({ session: name, begins_with: begins }: WorkSession): Command => ({
      label: begins === null ? name : `${name}: ${begins}`,
      hint: FOUND.sessionKind,
      run: goTo({ to: '/sessions', search: { session: name } }),
    });
    const has = (text: string): boolean => containsFolded(text, settled);
    const ofPersons = (persons.data?.facets ?? []).flatMap(({ values }) =>
      values.map(
        ({ value, count }): Command => ({
          label: value,
          hint: FOUND.actions(count),
          run: goTo({ to: '/search', search: { query: queryText({ person: value }) } }),
        }),
      ),
    );
    const people = mayList ? (members.data?.members ?? []) : [];
    const ofPeople = people
      .filter(({ email, display_name: name }) => has(email) || has(name))
      .slice(0, MOST)
      .map(
        ({ user_id: userId, email, display_name: name }): Command => ({
          label: name === email ? email : `${name} (${email})`,
          hint: FOUND.personKind,
          run: () => void navigate({ to: '/people/$userId', params: { userId } }),
        }),
      );
    const isNamed = ({ session: name }: WorkSession): boolean => has(name);
    const inSessions = sessions.data?.data ?? [];
    return [
      ...ofEntities,
      ...inSessions.filter(isNamed).map(toSession),
      ...ofPersons,
      ...ofPeople,
      ...ofRecords,
      ...(records.data?.data.length === 0
        ? []
        : [{ label: FOUND.all(settled), hint: FOUND.searchKind, run: goTo({ to: '/search', search: { query } }) }]),
      ...inSessions.filter((session) => !isNamed(session)).map(toSession),
    ];
  }, [
    isAsked,
    isLoading,
    settled,
    query,
    records.data,
    entities.data,
    sessions.data,
    persons.data,
    members.data,
    mayList,
    caseId,
    navigate,
  ]);
  return { commands, isSearching };
}

interface PaletteProps {
  readonly onClose: () => void;
  readonly showKeys: () => void;
}

/**
 * Screens, agents, commands and identifiers by typing, and what the ledger has for it: a combobox with its list, which starts over whenever
 * it is opened.
 */
export function Palette({ onClose, showKeys }: PaletteProps) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const list = useId();
  const offered = useCommands(typed, showKeys);
  const { commands: found, isSearching } = useFoundInLedger(typed);
  const commands = [...offered, ...found];
  const at = Math.min(chosen, commands.length - 1);

  useEffect(() => {
    document.getElementById(`${list}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [list, at]);

  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen((at + step + commands.length) % Math.max(1, commands.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(commands[at]);
    }
  };

  return (
    <>
      <input
        role="combobox"
        aria-label={PALETTE.goOrRun}
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={at >= 0 ? `${list}-${at}` : undefined}
        placeholder={PALETTE.placeholder}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKey}
      />
      <div id={list} role="listbox" aria-label={PALETTE.resultList} className="options" tabIndex={-1}>
        {commands.map((command, n) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
          <div
            key={`${command.hint} ${command.label}`}
            id={`${list}-${n}`}
            role="option"
            tabIndex={-1}
            aria-selected={n === at}
            onClick={() => run(command)}
            onMouseMove={() => setChosen(n)}
          >
            <Seen text={command.label} />
            <span className="muted">{command.hint}</span>
          </div>
        ))}
      </div>
      <p className="loading" role="status">
        {isSearching ? PALETTE.searching : commands.length === 0 ? PALETTE.nothing : ''}
      </p>
    </>
  );
}
