import { visibleText } from '../../protocol/index.ts';
import { Icon } from '../ui/icons.tsx';
import { Seen } from '../ui/seen.tsx';
import { toast } from '../ui/toasts.tsx';
import { HASH } from './texts.ts';

export async function copyText(text: string, what: string): Promise<void> {
  try {
    // The desktop grants its pages no permission, not even this one.
    await (window.countersign?.copyText(text) ?? navigator.clipboard.writeText(text));
    toast(HASH.copied(what));
  } catch {
    toast(HASH.notCopied(what), 'failed');
  }
}

export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <button
      type="button"
      className="copy button-plain"
      aria-label={HASH.copy(what)}
      title={HASH.copy(what)}
      onClick={() => void copyText(text, what)}
    >
      <Icon name="copy" />
    </button>
  );
}

/** A digest, key or identifier: whole, and to be copied. */
export function Hash({ value, what }: { readonly value: string; readonly what: string }) {
  return (
    <span className="hash">
      <Seen className="text code" text={value} />
      <CopyButton text={value} what={what} />
    </span>
  );
}

/** The first figures of a digest, for lists; the whole one in its title. */
export function ShortHash({ value }: { readonly value: string }) {
  return <Seen className="code" title={visibleText(value)} text={value.replace(/^sha256:/, '').slice(0, 12)} />;
}
