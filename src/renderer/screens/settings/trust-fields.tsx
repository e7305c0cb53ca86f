import { KeyFingerprint, OrgFingerprint } from '../../components/fingerprint.tsx';
import { ScanCode } from '../../components/scan-code.tsx';
import { fill } from '../../lib/fill.ts';
import { TextField } from '../../ui/field.tsx';
import { FileField } from '../../ui/file-field.tsx';
import { TRUST_FIELDS } from './texts.ts';
import { KeySetRefused, readKeySetFile, type TrustDraft, type TrustWay } from './trust-draft.ts';

const WAYS: readonly (readonly [TrustWay, string])[] = [
  ['kid', TRUST_FIELDS.byFingerprint],
  ['jwks', TRUST_FIELDS.byFile],
  ['qr', TRUST_FIELDS.byQrCode],
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
        <legend>{TRUST_FIELDS.whatYouHave}</legend>
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
          label={TRUST_FIELDS.fingerprint}
          hint={TRUST_FIELDS.fingerprintHint}
          value={kid}
          onChange={(value) => onChange({ kid: value })}
        />
      )}
      {way === 'qr' && (
        <>
          <CodeField
            label={TRUST_FIELDS.qrCodeText}
            hint={TRUST_FIELDS.qrCodeHint}
            value={qr}
            onChange={(value) => onChange({ qr: value })}
          />
          <ScanCode onText={(value) => onChange({ qr: value })} />
        </>
      )}
      {way === 'jwks' && (
        <>
          <FileField
            label={TRUST_FIELDS.keySetFile}
            accept=".json,.jwks,application/json,application/jwk-set+json"
            onFile={(file) => void read(file, onChange, onProblem)}
          />
          {keySet !== null && <Compare kids={keySet.kids} />}
        </>
      )}
      <TextField
        label={TRUST_FIELDS.organizationIdOptional}
        hint={TRUST_FIELDS.organizationHint}
        autoComplete="off"
        spellCheck={false}
        className="code"
        maxLength={256}
        value={orgId}
        onChange={(value) => onChange({ orgId: value })}
      />
      {orgId.trim() !== '' && orgId.isWellFormed() && (
        <p>{fill(TRUST_FIELDS.organizationFingerprint, { fingerprint: <OrgFingerprint orgId={orgId.trim()} /> })}</p>
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
    onProblem(error instanceof KeySetRefused ? error.message : TRUST_FIELDS.unreadable);
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
    <section className="stack" aria-label={TRUST_FIELDS.keysFile}>
      <p>{TRUST_FIELDS.compareFirst}</p>
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
