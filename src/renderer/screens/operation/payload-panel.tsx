import { isSalted, shownPayload } from '../../../protocol/index.ts';
import type { StoredOperation } from '../../api/answers.ts';
import { CopyButton } from '../../components/hash.tsx';
import { JsonTree } from '../../ui/json-tree.tsx';
import { Panel } from '../../ui/panel.tsx';

/** What is missing of a salted payload, in a sentence. */
function missing(withheld: number): string {
  const members = withheld === 1 ? '1 member is' : `${withheld} members are`;
  return `${members} withheld or erased. A salted digest of each is signed, so trial and error does not find the value.`;
}

/** The payload of a record as far as it is shown. */
export function PayloadPanel({ operation: { eor, disclosures = [] } }: { readonly operation: StoredOperation }) {
  if (eor.payload === undefined) {
    return (
      <Panel title="Payload">
        <p className="muted">Withheld. Its digest is signed, and everything else is checked all the same.</p>
      </Panel>
    );
  }
  const payload = shownPayload(eor.payload, disclosures);
  const withheld = isSalted(eor.payload) ? eor.payload._sd.length - disclosures.length : 0;
  return (
    <Panel title="Payload" actions={<CopyButton text={JSON.stringify(payload, null, 2)} what="payload" />}>
      {Object.keys(payload).length > 0 && <JsonTree value={payload} />}
      {withheld > 0 && <p className="muted">{missing(withheld)}</p>}
    </Panel>
  );
}
