import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { StoredOperation } from '../../api/answers.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../api/ledger/places.tsx';
import { useRefusal } from '../../api/permission.ts';
import { Form } from '../../components/form.tsx';
import { fill } from '../../lib/fill.ts';
import { listedAs } from '../../lib/listed-as.ts';
import { queryText } from '../../lib/query-text.ts';
import { TextField } from '../../ui/field.tsx';
import { PopoverMenu } from '../../ui/popover-menu.tsx';
import { Seen } from '../../ui/seen.tsx';
import { COMPARE_WITH } from './texts.ts';

const route = ledgerScreen('/operations/$operationId');
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Chooses what a record is compared with. */
export function CompareWith({ operation }: { readonly operation: StoredOperation }) {
  return (
    <PopoverMenu label={COMPARE_WITH.compare}>
      <Choices operation={operation} />
    </PopoverMenu>
  );
}

function Choices({ operation }: { readonly operation: StoredOperation }) {
  const navigate = route.useNavigate();
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const { operation_id: right } = operation.ear;
  const submit = (): void => {
    const left = typed.trim().toLowerCase();
    if (UUID.test(left)) void navigate({ to: '/difference', search: { left, right } });
    else setProblem(COMPARE_WITH.notAnId);
  };
  return (
    <>
      <Previous operation={operation} />
      <Form act={submit}>
        <TextField
          label={COMPARE_WITH.anotherOperation}
          placeholder="operation_id"
          spellCheck={false}
          value={typed}
          problem={problem}
          onChange={setTyped}
        />
        <button type="submit">{COMPARE_WITH.compareAction}</button>
      </Form>
    </>
  );
}

/** The record before this one of the same agent and tool, or of the same type where no tool is known. */
function Previous({ operation }: { readonly operation: StoredOperation }) {
  const { q, routeOf } = useLedger();
  const { eor, ear } = operation;
  const isLocked = useRefusal(routeOf('operationReading')) !== null;
  const reading = useQuery({
    ...q('operationReading', { params: { operation_id: ear.operation_id } }),
    enabled: !isLocked,
  });
  const tool = reading.data?.details.tool ?? null;
  const same = tool === null ? { type: eor.operation_type } : { tool };
  const before = useQuery({
    ...q('auditQuery', {
      body: { query: queryText({ agent: eor.agent_id, ...same }), beforeSeq: listedAs(operation), limit: 1 },
    }),
    enabled: reading.data !== undefined,
  });
  if (isLocked) return null;
  if (before.data === undefined)
    return <p className="muted">{before.error === null ? COMPARE_WITH.lookingUp : COMPARE_WITH.notFound}</p>;
  const [previous] = before.data.data;
  if (previous === undefined) return <p className="muted">{COMPARE_WITH.firstOfKind}</p>;
  return (
    <LedgerLink to="/difference" search={{ left: previous.operation_id, right: ear.operation_id }}>
      {fill(COMPARE_WITH.previousOf, { tool: <Seen text={tool ?? eor.operation_type} /> })}
    </LedgerLink>
  );
}
