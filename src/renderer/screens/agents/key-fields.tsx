import { LIMITS } from '../../../contract/index.ts';
import { saveFile } from '../../api/save-file.ts';
import { CopyButton, Hash } from '../../components/hash.tsx';
import { AreaField } from '../../ui/area-field.tsx';
import { TextField } from '../../ui/field.tsx';
import { TextBlock } from '../../ui/text-block.tsx';
import { type KeyDraft, pastedProblem } from './key-draft.ts';
import { makeKeyPair } from './key-pair.ts';

interface KeyFieldsProps {
  readonly draft: KeyDraft;
  readonly onChange: (change: Partial<KeyDraft>) => void;
  /** What the file of a private key is called. */
  readonly fileName: string;
  /** Why no key can be made yet; null where one can. */
  readonly notYet?: string | null;
}

/** A key's name, and the key: made in this window, or pasted. */
export function KeyFields({ draft, onChange, fileName, notYet = null }: KeyFieldsProps) {
  const { way, kid, pasted } = draft;
  return (
    <div className="stack">
      <TextField
        label="Name of the key (kid)"
        required
        maxLength={LIMITS.kid}
        dir="auto"
        hint="Records name it; it stays taken for this agent."
        value={kid}
        onChange={(value) => onChange({ kid: value })}
      />
      <fieldset className="choices">
        <legend>Where the key comes from</legend>
        <label>
          <input type="radio" name="way" checked={way === 'make'} onChange={() => onChange({ way: 'make' })} />
          Make one in this window
        </label>
        <label>
          <input type="radio" name="way" checked={way === 'paste'} onChange={() => onChange({ way: 'paste' })} />
          Paste a public key
        </label>
      </fieldset>
      {way === 'make' ? (
        <MadeKey draft={draft} onChange={onChange} fileName={fileName} notYet={notYet} />
      ) : (
        <AreaField
          label="Public key"
          required
          rows={3}
          spellCheck={false}
          autoComplete="off"
          hint="Ed25519, as countersign keygen prints it: base64url, base64, hexadecimal, SPKI in base64 or PEM."
          problem={pastedProblem(pasted)}
          value={pasted}
          onChange={(value) => onChange({ pasted: value })}
        />
      )}
    </div>
  );
}

function MadeKey({ draft: { pair, isSaved }, onChange, fileName, notYet = null }: KeyFieldsProps) {
  if (pair === null) {
    return (
      <div className="cluster">
        <button
          type="button"
          disabled={notYet !== null}
          onClick={() => onChange({ pair: makeKeyPair(), isSaved: false })}
        >
          Make a key
        </button>
        <span className="muted">{notYet ?? 'Generated in your browser. The private key is never sent.'}</span>
      </div>
    );
  }
  const save = (): void => {
    saveFile(fileName, pair.privateKeyPem, 'application/x-pem-file');
    onChange({ isSaved: true });
  };
  return (
    <div className="stack">
      <div className="field">
        <span className="label">Public key</span>
        <Hash value={pair.publicKey} what="public key" />
      </div>
      <section className="once" aria-label="Private key">
        <strong>Private key: shown this once</strong>
        <p className="note">
          It is in this window alone, and gone when you leave it. Save it where the agent runs, readable by the agent's
          user alone. Whoever has it can sign as the agent.
        </p>
        <TextBlock label="Private key as PEM" text={pair.privateKeyPem} />
        <div className="cluster">
          <button type="button" className={isSaved ? '' : 'button-primary'} onClick={save}>
            Save {fileName}
          </button>
          <CopyButton text={pair.privateKeyPem} what="private key" />
          {isSaved && (
            <span className="muted">
              Download started: <span className="code">{fileName}</span>
            </span>
          )}
        </div>
      </section>
    </div>
  );
}
