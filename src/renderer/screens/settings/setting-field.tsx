import { useId } from 'react';
import type { SettingRow } from '../../api/answers.ts';
import { fill } from '../../lib/fill.ts';
import { Icon } from '../../ui/icons.tsx';
import { Seen } from '../../ui/seen.tsx';
import { fieldText, originWords, SETTING_WORDS } from './setting-words.ts';
import { SETTING_FIELD } from './texts.ts';

interface SettingFieldProps {
  readonly setting: SettingRow;
  /** What was entered and not saved; null to take the stored value away, undefined where nothing was entered. */
  readonly draft: string | null | undefined;
  readonly onChange: (draft: string | null | undefined) => void;
}

/** One setting: its value, where that comes from, and why it cannot be changed, where it cannot. */
export function SettingField({ setting, draft, onChange }: SettingFieldProps) {
  const id = useId();
  const words = SETTING_WORDS[setting.name] ?? { label: setting.name, hint: setting.help };
  const shown = draft === null ? '' : (draft ?? (setting.secret ? '' : fieldText(setting)));
  const change = (value: string): void =>
    onChange(value === (setting.secret ? '' : fieldText(setting)) ? undefined : value);
  const common = {
    id,
    value: shown,
    disabled: !setting.changeable,
    'aria-describedby': `${id}-about`,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => change(event.currentTarget.value),
  };
  return (
    <div className="setting">
      <label htmlFor={id}>{words.label}</label>
      <div className="cluster setting-value">
        {words.options === undefined ? (
          <input
            {...common}
            type={setting.secret ? 'password' : 'text'}
            inputMode={words.isNumber === true ? 'numeric' : 'text'}
            autoComplete={setting.secret ? 'new-password' : 'off'}
            spellCheck={false}
            dir="auto"
            maxLength={2048}
            placeholder={placeholderOf(setting, draft)}
          />
        ) : (
          <select {...common}>
            {words.options.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
        <span className={`origin origin-${setting.origin}`}>{originWords(setting.origin)}</span>
        {draft !== undefined && <span className="origin origin-unsaved">{SETTING_FIELD.notSaved}</span>}
        {setting.origin === 'stored' && setting.changeable && draft === undefined && (
          <button type="button" className="button-small" onClick={() => onChange(null)}>
            {setting.secret ? SETTING_FIELD.removeValue : SETTING_FIELD.useDefault}
          </button>
        )}
        {draft !== undefined && (
          <button type="button" className="button-small" onClick={() => onChange(undefined)}>
            {SETTING_FIELD.undoChange}
          </button>
        )}
      </div>
      <small id={`${id}-about`} className="muted">
        {words.hint} <About setting={setting} />
      </small>
    </div>
  );
}

function placeholderOf(
  { secret, is_set: isSet, value, default: fallback }: SettingRow,
  draft: string | null | undefined,
) {
  if (draft === null) return fallback === null ? SETTING_FIELD.noneAfter : SETTING_FIELD.defaultAfter(String(fallback));
  if (!secret) return SETTING_FIELD.none;
  return isSet ? SETTING_FIELD.replaceSecret(value === null ? '' : `: ${value}`) : SETTING_FIELD.notSet;
}

function About({ setting }: { readonly setting: SettingRow }) {
  if (setting.reason !== null) {
    return (
      <span className="with-icon">
        <Icon name="lock" /> <Seen text={setting.reason} />
      </span>
    );
  }
  if (setting.waits_for_restart) {
    return (
      <strong className="with-icon">
        <Icon name="wait" />{' '}
        {fill(SETTING_FIELD.pending, { value: <Seen text={String(setting.after_restart ?? SETTING_FIELD.none)} /> })}
      </strong>
    );
  }
  return setting.needs_restart ? SETTING_FIELD.needsRestart : null;
}
