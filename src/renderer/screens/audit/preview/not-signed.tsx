import { LedgerLink } from '../../../api/ledger/places.tsx';
import { NOT_SIGNED } from './texts.ts';

/** What takes the place of the signed records of an action that was found: where to read of it. */
export function NotSigned({ operationId }: { readonly operationId: string }) {
  return (
    <>
      <h3>{NOT_SIGNED.title}</h3>
      <p className="preview-note">{NOT_SIGNED.text}</p>
      <LedgerLink to="/operations/$operationId" params={{ operationId }} className="button button-small">
        {NOT_SIGNED.whereFound}
      </LedgerLink>
    </>
  );
}
