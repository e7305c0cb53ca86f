import { joined } from '../lib/code-parts.ts';
import { AreaField } from '../ui/area-field.tsx';
import { FileField } from '../ui/file-field.tsx';
import { ScanCode } from './scan-code.tsx';
import { SCAN } from './texts.ts';

interface LinesFieldProps {
  readonly label: string;
  readonly fileLabel: string;
  readonly hint: string;
  /** Characters. */
  readonly most: number;
  /** As they were given: whoever takes them puts parts of codes together (code-parts.ts). */
  readonly lines: string;
  readonly onChange: (lines: string) => void;
}

/** Lines that cross an air gap: pasted, typed by a hand scanner, from a file, or from a code that the camera sees. */
export function LinesField({ label, fileLabel, hint, most, lines, onChange }: LinesFieldProps) {
  const { text, have, of } = joined(lines);
  return (
    <>
      <FileField
        label={fileLabel}
        accept=""
        onFile={(file) => void file?.text().then((read) => onChange(read.slice(0, most)))}
      />
      <AreaField
        label={label}
        hint={hint}
        required
        rows={4}
        spellCheck={false}
        // Parts of a text are longer than the text.
        maxLength={2 * most}
        className="code"
        problem={text === null ? SCAN.missing(have, of) : null}
        value={lines}
        onChange={onChange}
      />
      <ScanCode onText={onChange} />
    </>
  );
}
