import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Step } from '../../api/answers.ts';
import { operationOf, useLedger } from '../../api/ledger/ledger.ts';
import { Answer } from '../../components/answer.tsx';
import { Payload } from '../../components/payload.tsx';
import { WHOLE_RECORD } from './texts.ts';

/** The records of a step as they are, for what the step shows in part. */
export function WholeRecord({ moments }: { readonly moments: Step['moments'] }) {
  const [isShown, setShown] = useState(false);
  if (isShown) return moments.map(({ operation_id: id }) => <WholePayload key={id} operationId={id} />);
  return (
    <p>
      <button type="button" className="button-small" onClick={() => setShown(true)}>
        {WHOLE_RECORD.show}
      </button>
    </p>
  );
}

function WholePayload({ operationId }: { readonly operationId: string }) {
  const ledger = useLedger();
  const operation = useQuery(operationOf(ledger, operationId));
  return (
    <Answer query={operation} what={WHOLE_RECORD.what}>
      {(found) => <Payload operation={found} />}
    </Answer>
  );
}
