import { LIMITS } from '../../../api/index.ts';
import { saveFile } from '../../api/save-file.ts';
import { CopyButton, Hash } from '../../components/hash.tsx';
import { fill } from '../../lib/fill.ts';
import { AreaField } from '../../ui/area-field.tsx';
import { TextField } from '../../ui/field.tsx';
import { TextBlock } from '../../ui/text-block.tsx';
import { type KeyDraft, pastedProblem } from './key-draft.ts';
import { makeKeyPair } from './key-pair.ts';
import { KEY_FIELDS } from './texts.ts';

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
        label={KEY_FIELDS.name}
        required
        maxLength={LIMITS.kid}
        dir="auto"
        hint={KEY_FIELDS.nameHint}
        value={kid}
        onChange={(value) => onChange({ kid: value })}
      />
      <fieldset className="choices">
        <legend>{KEY_FIELDS.origin}</legend>
        <label>
          <input type="radio" name="way" checked={way === 'make'} onChange={() => onChange({ way: 'make' })} />
          {KEY_FIELDS.inBrowser}
        </label>
        <label>
          <input type="radio" name="way" checked={way === 'paste'} onChange={() => onChange({ way: 'paste' })} />
          {KEY_FIELDS.paste}
        </label>
      </fieldset>
      {way === 'make' ? (
        <MadeKey draft={draft} onChange={onChange} fileName={fileName} notYet={notYet} />
      ) : (
        <AreaField
          label={KEY_FIELDS.publicKey}
          required
          rows={3}
          spellCheck={false}
          autoComplete="off"
          hint={KEY_FIELDS.formats}
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
          {KEY_FIELDS.generateKey}
        </button>
        <span className="muted">{notYet ?? KEY_FIELDS.generated}</span>
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
        <span className="label">{KEY_FIELDS.publicKey}</span>
        <Hash value={pair.publicKey} what={KEY_FIELDS.publicKeyCopied} />
      </div>
      <section className="once" aria-label={KEY_FIELDS.privateKey}>
        <strong>{KEY_FIELDS.shownOnce}</strong>
        <p className="note">{KEY_FIELDS.handling}</p>
        <TextBlock label={KEY_FIELDS.privateKeyPem} text={pair.privateKeyPem} />
        <div className="cluster">
          <button type="button" className={isSaved ? '' : 'button-primary'} onClick={save}>
            {fill(KEY_FIELDS.saveFile, { fileName })}
          </button>
          <CopyButton text={pair.privateKeyPem} what={KEY_FIELDS.privateKeyCopied} />
          {isSaved && (
            <span className="muted">
              {fill(KEY_FIELDS.downloadStarted, { fileName: <span className="code">{fileName}</span> })}
            </span>
          )}
        </div>
      </section>
    </div>
  );
}
