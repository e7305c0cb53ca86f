import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import type { AuditSearch } from '../../app/search-params.ts';
import { TextField } from '../../components/field.tsx';
import { readTime } from '../../components/read-time.ts';
import { useLedger } from '../../ledger/ledger.ts';
import { ledgerScreen } from '../../ledger/places.tsx';

const route = ledgerScreen('/search');

const FIELDS = [
  { member: 'agentId', label: 'Agent', hint: '' },
  { member: 'operationType', label: 'Type', hint: 'file.write' },
  { member: 'subject', label: 'Subject', hint: '' },
  { member: 'startTime', label: 'Issued from (UTC)', hint: '2026-01-31 00:00' },
  { member: 'endTime', label: 'Issued before (UTC)', hint: '2026-02-01 00:00' },
  { member: 'beforeSeq', label: 'Before seq_no', hint: '' },
  { member: 'tag', label: 'Tag', hint: '' },
] as const;
type Member = (typeof FIELDS)[number]['member'];
type Draft = Readonly<Record<Member, string>>;

function draftOf(search: AuditSearch): Draft {
  return Object.fromEntries(FIELDS.map(({ member }) => [member, String(search[member] ?? '')])) as Draft;
}

/** What the fields say as the search's filters, or which field cannot be read. */
function read(draft: Draft): { readonly filters: Partial<AuditSearch> } | { readonly wrong: string } {
  const filters: Record<string, string | number | undefined> = {};
  for (const { member, label } of FIELDS) {
    const text = draft[member];
    if (text.trim() === '') filters[member] = undefined;
    else if (member === 'startTime' || member === 'endTime') {
      const time = readTime(text);
      if (time === null) return { wrong: `${label}: not a time` };
      filters[member] = time;
    } else if (member === 'beforeSeq') {
      if (!/^[1-9]\d{0,14}$/.test(text.trim())) return { wrong: `${label}: not a number` };
      filters[member] = Number(text);
    } else filters[member] = text;
  }
  return { filters };
}

/** The filters as fields. They apply on Enter, and live in the address. */
export function FilterBar({ search }: { readonly search: AuditSearch }) {
  const navigate = route.useNavigate();
  const { caseId, queries } = useLedger();
  const client = useQueryClient();
  const applied = JSON.stringify(draftOf(search));
  const [draft, setDraft] = useState<Draft>(() => draftOf(search));
  const [wrong, setWrong] = useState<string | null>(null);
  // What changed by another way, such as a stretch drawn in the chart, stands in the fields too.
  useEffect(() => setDraft(JSON.parse(applied) as Draft), [applied]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const result = read(draft);
    setWrong('wrong' in result ? result.wrong : null);
    if (!('filters' in result)) return;
    void client.invalidateQueries({ queryKey: queries.auditKey });
    void navigate({ search: (before) => ({ ...before, ...result.filters }) });
  };
  const hasAny = Object.values(draft).some((value) => value !== '') || search.without !== undefined;
  return (
    <form className="filters" onSubmit={submit} aria-label="Filters">
      {FIELDS.filter(({ member }) => member !== 'tag' || caseId !== null).map(({ member, label, hint }, n) => (
        <TextField
          key={member}
          label={label}
          placeholder={hint}
          spellCheck={false}
          {...(n === 0 ? { 'data-filter': true } : {})}
          className={member === 'beforeSeq' || member === 'tag' ? 'short' : ''}
          value={draft[member]}
          onChange={(value) => setDraft((before) => ({ ...before, [member]: value }))}
        />
      ))}
      <button type="submit" className="button-primary">
        Search
      </button>
      {hasAny && (
        <button type="button" onClick={() => void navigate({ search: ({ columns }) => ({ columns }) })}>
          Clear
        </button>
      )}
      {wrong !== null && (
        <span className="field-error" role="alert">
          {wrong}
        </span>
      )}
      {search.without?.map(([member, value]) => (
        <span key={`${member} ${value}`} className="chip chip-without">
          <span className="ellipsis">
            not {member}: <bdi>{value}</bdi>
          </span>
          <button
            type="button"
            aria-label={`No longer leave out ${member} ${value}`}
            onClick={() =>
              void navigate({
                search: (before) => {
                  const rest = before.without?.filter(([m, v]) => m !== member || v !== value) ?? [];
                  return { ...before, without: rest.length === 0 ? undefined : rest };
                },
              })
            }
          >
            ×
          </button>
        </span>
      ))}
    </form>
  );
}
