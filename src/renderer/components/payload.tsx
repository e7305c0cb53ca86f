import { isSalted, shownPayload } from '../../protocol/index.ts';
import type { StoredOperation } from '../api/answers.ts';
import { JsonTree } from '../ui/json-tree.tsx';

/** What is missing of a salted payload, in a sentence. */
function missing(withheld: number): string {
  const members = withheld === 1 ? '1 member is' : `${withheld} members are`;
  return `${members} withheld or erased. A salted digest of each is signed, so trial and error does not find the value.`;
}

/** The payload of a record as far as it is shown. */
export function Payload({ operation: { eor, disclosures = [] } }: { readonly operation: StoredOperation }) {
  if (eor.payload === undefined) {
    return <p className="muted">Withheld. Its digest is signed, and everything else is checked all the same.</p>;
  }
  const payload = shownPayload(eor.payload, disclosures);
  const withheld = isSalted(eor.payload) ? eor.payload._sd.length - disclosures.length : 0;
  return (
    <>
      {Object.keys(payload).length > 0 && <JsonTree value={payload} />}
      {withheld > 0 && <p className="muted">{missing(withheld)}</p>}
    </>
  );
}
