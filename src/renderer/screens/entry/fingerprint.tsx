import { KeyFingerprint } from '../../components/fingerprint.tsx';
import { FINGERPRINT } from './texts.ts';

/** The fingerprint of the service that one is about to work with. */
export function Fingerprint({ kid }: { readonly kid: string }) {
  return (
    <div className="porch-fingerprint">
      <span className="muted">{FINGERPRINT.issuerFingerprint}</span>
      <KeyFingerprint kid={kid} of="own" />
    </div>
  );
}
