import { Fragment } from 'react';
import { fingerprintGroups } from '../../../protocol/index.ts';
import { CopyButton } from '../../components/hash.tsx';

/** The issuer's key by eye in groups of four; to a screen reader and the clipboard one word. */
export function Fingerprint({ kid }: { readonly kid: string }) {
  let offset = 0;
  return (
    <p className="cluster">
      <span className="muted">Issuer fingerprint</span>
      <span className="code">
        {fingerprintGroups(kid).map((group) => {
          const key = offset;
          offset += group.length;
          return (
            <Fragment key={key}>
              {group}
              <wbr />{' '}
            </Fragment>
          );
        })}
      </span>
      <CopyButton text={kid} what="fingerprint" />
    </p>
  );
}
