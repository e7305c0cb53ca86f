import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLedger } from '../../api/ledger/ledger.ts';
import { ledgerScreen } from '../../api/ledger/places.tsx';
import { type FilterDraft, type FilterField, FilterForm } from '../../components/filter-form.tsx';
import type { AuditSearch } from '../../lib/search-params.ts';
import { Seen } from '../../ui/seen.tsx';
import { AgentOptions } from './agent-options.tsx';

const route = ledgerScreen('/search');

type Member = 'agentId' | 'operationType' | 'subject' | 'startTime' | 'endTime' | 'beforeSeq' | 'tag';

const AGENTS_LIST = 'search-agents';

const FIELDS: readonly FilterField<Member>[] = [
  { member: 'agentId', label: 'Agent', hint: '', list: AGENTS_LIST },
  { member: 'operationType', label: 'Type', hint: 'file.write' },
  { member: 'subject', label: 'Subject', hint: '' },
  { member: 'startTime', label: 'Issued from (UTC)', hint: '10:00 or -15m', kind: 'time' },
  { member: 'endTime', label: 'Issued before (UTC)', hint: 'now', kind: 'time' },
  { member: 'beforeSeq', label: 'Before seq_no', hint: '', kind: 'number', isShort: true },
];
const TAG: FilterField<Member> = { member: 'tag', label: 'Tag', hint: '', isShort: true };

function draftOf(search: AuditSearch): FilterDraft {
  return Object.fromEntries([...FIELDS, TAG].map(({ member }) => [member, String(search[member] ?? '')]));
}

interface FilterBarProps {
  readonly search: AuditSearch;
  /** Told whether the filters cannot be read: what is shown is of those before. */
  readonly onUnreadable: (isUnreadable: boolean) => void;
}

/** The filters of the search. */
export function FilterBar({ search, onUnreadable }: FilterBarProps) {
  const [isChoosing, setChoosing] = useState(false);
  const navigate = route.useNavigate();
  const { caseId, queries } = useLedger();
  const client = useQueryClient();
  return (
    <>
      <AgentOptions id={AGENTS_LIST} isWanted={isChoosing} />
      <FilterForm
        onUnreadable={onUnreadable}
        onFocus={() => setChoosing(true)}
        fields={caseId === null ? FIELDS : [...FIELDS, TAG]}
        applied={draftOf(search)}
        verb="Search"
        apply={(filters) => {
          void client.invalidateQueries({ queryKey: queries.auditKey });
          void navigate({ search: (before) => ({ ...before, ...filters }) });
        }}
        clear={() => void navigate({ search: ({ columns }) => ({ columns }) })}
        hasOthers={search.without !== undefined}
      >
        {search.without?.map(([member, value]) => (
          <span key={`${member} ${value}`} className="chip chip-without">
            <span className="ellipsis">
              not {member}: <Seen text={value} />
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
      </FilterForm>
    </>
  );
}
