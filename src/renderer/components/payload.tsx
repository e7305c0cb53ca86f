import { shownPayload, withheldNames } from '../../protocol/index.ts';
import type { StoredOperation } from '../api/answers.ts';
import { JsonTree } from '../ui/json-tree.tsx';
import { Seen } from '../ui/seen.tsx';
import { PAYLOAD } from './texts.ts';

/** The payload of a record as far as it is shown. */
export function Payload({ operation: { eor, disclosures } }: { readonly operation: StoredOperation }) {
  if (eor.payload === undefined) {
    return <p className="muted">{PAYLOAD.withheld}</p>;
  }
  const payload = shownPayload(eor.payload, disclosures);
  const withheld = withheldNames(eor.payload, disclosures);
  return (
    <>
      {Object.keys(payload).length > 0 && <JsonTree value={payload} />}
      {withheld.length > 0 && (
        <>
          <p className="muted">{PAYLOAD.membersMissing(withheld.length)}</p>
          <ul className="bullets">
            {withheld.map((name) => (
              <li key={name}>
                <Seen text={name} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
