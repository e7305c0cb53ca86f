import { isSalted, shownPayload } from '../../protocol/index.ts';
import type { StoredOperation } from '../api/answers.ts';
import { JsonTree } from '../ui/json-tree.tsx';
import { PAYLOAD } from './texts.ts';

/** The payload of a record as far as it is shown. */
export function Payload({ operation: { eor, disclosures = [] } }: { readonly operation: StoredOperation }) {
  if (eor.payload === undefined) {
    return <p className="muted">{PAYLOAD.withheld}</p>;
  }
  const payload = shownPayload(eor.payload, disclosures);
  const withheld = isSalted(eor.payload) ? eor.payload._sd.length - disclosures.length : 0;
  return (
    <>
      {Object.keys(payload).length > 0 && <JsonTree value={payload} />}
      {withheld > 0 && <p className="muted">{PAYLOAD.membersMissing(withheld)}</p>}
    </>
  );
}
