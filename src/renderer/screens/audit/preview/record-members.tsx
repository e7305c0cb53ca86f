import { fieldOfMember, isFieldWith, printQuery, type Query } from '../../../../actions/index.ts';
import { visibleText } from '../../../../protocol/index.ts';
import type { StoredOperation } from '../../../api/answers.ts';
import { Seen } from '../../../ui/seen.tsx';
import { valueTerm } from '../terms.ts';
import { useTerms } from '../use-terms.ts';
import { RECORD_MEMBERS } from './texts.ts';

/** The term for a member that a query can name, where its value is a text. */
function termOf(member: string, value: string): Query | null {
  const name = fieldOfMember(member);
  return name !== undefined && isFieldWith(name, { form: 'text' }) ? valueTerm({ of: 'record', name }, value) : null;
}

/** The signed members of a record besides its payload, and what its receipt adds. */
export function RecordMembers({ operation: { eor, ear } }: { readonly operation: StoredOperation }) {
  const { payload: _, ...members } = eor;
  const entries = Object.entries({
    ...members,
    server_received_at: ear.server_received_at,
    chain_hash: ear.chain_hash,
  });
  return (
    <dl className="pairs">
      {entries.map(([member, value]) => {
        const text = value === null ? 'null' : String(value);
        const term = value === null ? null : termOf(member, text);
        return (
          <div key={member}>
            <dt>{member}</dt>
            <dd className="code">
              <Seen text={text} />
            </dd>
            <dd className="cluster">
              {term !== null && <Filters key={printQuery(term)} term={term} member={member} text={text} />}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

interface FiltersProps {
  readonly term: Query;
  readonly member: string;
  readonly text: string;
}

function Filters({ term, member, text }: FiltersProps) {
  const { toggle } = useTerms();
  return (
    <>
      <button
        type="button"
        className="button-small"
        aria-label={visibleText(RECORD_MEMBERS.onlyOf(member, text))}
        title={RECORD_MEMBERS.onlyHint}
        onClick={() => toggle(term, 'with')}
      >
        +
      </button>
      <button
        type="button"
        className="button-small"
        aria-label={visibleText(RECORD_MEMBERS.notOf(member, text))}
        title={RECORD_MEMBERS.notHint}
        onClick={() => toggle(term, 'without')}
      >
        −
      </button>
    </>
  );
}
