import { KeyFingerprint } from '../../components/fingerprint.tsx';

/** The fingerprint of the service that one is about to work with. */
export function Fingerprint({ kid }: { readonly kid: string }) {
  return (
    <p className="cluster">
      <span className="muted">Issuer fingerprint</span>
      <KeyFingerprint kid={kid} />
    </p>
  );
}
