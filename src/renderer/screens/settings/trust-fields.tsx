import { KeyFingerprint, OrgFingerprint } from '../../components/fingerprint.tsx';
import { TextField } from '../../ui/field.tsx';
import { FileField } from '../../ui/file-field.tsx';
import { KeySetRefused, readKeySetFile, type TrustDraft, type TrustWay } from './trust-draft.ts';

const WAYS: readonly (readonly [TrustWay, string])[] = [
  ['kid', 'Its fingerprint, read out or on paper'],
  ['jwks', 'A key set file (JWKS)'],
  ['qr', 'The text of a QR code'],
];

interface TrustFieldsProps {
  readonly draft: TrustDraft;
  readonly onChange: (change: Partial<TrustDraft>) => void;
  readonly onProblem: (problem: string) => void;
}

/** What somebody has of the key: its fingerprint, a file, or a code that was scanned. */
export function TrustFields({ draft, onChange, onProblem }: TrustFieldsProps) {
  const { way, kid, qr, keySet, orgId } = draft;
  return (
    <div className="stack">
      <fieldset className="choices">
        <legend>What you have of the key</legend>
        {WAYS.map(([one, label]) => (
          <label key={one}>
            <input
              type="radio"
              name="way"
              checked={way === one}
              onChange={() => onChange({ way: one, keySet: null })}
            />
            {label}
          </label>
        ))}
      </fieldset>
      {way === 'kid' && (
        <CodeField
          label="Fingerprint"
          hint="The kid (43 characters), or the 60 digits of a key that signed a bundle verified here. Get the fingerprint from whoever runs the service, through a separate channel."
          value={kid}
          onChange={(value) => onChange({ kid: value })}
        />
      )}
      {way === 'qr' && (
        <CodeField
          label="Text of the QR code"
          hint="As a reader types it, or a telephone shows it. A code that came together with the bundle proves nothing."
          value={qr}
          onChange={(value) => onChange({ qr: value })}
        />
      )}
      {way === 'jwks' && (
        <>
          <FileField
            label="Key set file"
            accept=".json,.jwks,application/json,application/jwk-set+json"
            onFile={(file) => void read(file, onChange, onProblem)}
          />
          {keySet !== null && <Compare kids={keySet.kids} />}
        </>
      )}
      <TextField
        label="Organization ID (optional)"
        hint="Whose bundles the key may verify. Without one the key is known, and each organization is confirmed on its first case."
        autoComplete="off"
        spellCheck={false}
        className="code"
        maxLength={256}
        value={orgId}
        onChange={(value) => onChange({ orgId: value })}
      />
      {orgId.trim() !== '' && orgId.isWellFormed() && (
        <p>
          Fingerprint of this organization: <OrgFingerprint orgId={orgId.trim()} />
        </p>
      )}
    </div>
  );
}

async function read(
  file: File | null,
  onChange: TrustFieldsProps['onChange'],
  onProblem: TrustFieldsProps['onProblem'],
): Promise<void> {
  onChange({ keySet: null });
  if (file === null) return;
  try {
    onChange({ keySet: await readKeySetFile(file) });
  } catch (error) {
    onProblem(error instanceof KeySetRefused ? error.message : 'This file cannot be read.');
  }
}

interface CodeFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function CodeField(field: CodeFieldProps) {
  return <TextField {...field} required autoComplete="off" spellCheck={false} className="code" />;
}

/** A file is trusted for what is in it: so that is what there is to compare. */
function Compare({ kids }: { readonly kids: readonly string[] }) {
  return (
    <section className="stack" aria-label="Keys of the file">
      <p>Compare with what the issuer told you through a separate channel before you trust:</p>
      <ul className="issuers">
        {kids.map((kid) => (
          <li key={kid}>
            <KeyFingerprint kid={kid} />
          </li>
        ))}
      </ul>
    </section>
  );
}
