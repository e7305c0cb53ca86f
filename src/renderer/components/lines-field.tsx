import type { ReactNode } from 'react';
import { saveFile } from '../api/save-file.ts';
import { joined } from '../lib/code-parts.ts';
import { AreaField } from '../ui/area-field.tsx';
import { FileField } from '../ui/file-field.tsx';
import { QrCode } from '../ui/qr.tsx';
import { CopyButton } from './hash.tsx';
import { ScanCode } from './scan-code.tsx';
import { HAND_LINES, SCAN } from './texts.ts';

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
        problem={text === null ? (have === of ? SCAN.wrong : SCAN.missing(have, of)) : null}
        value={lines}
        onChange={onChange}
      />
      <ScanCode onText={onChange} />
    </>
  );
}

interface HandLinesProps {
  readonly text: string;
  /** The name of the file, and what the button that saves it says. */
  readonly file: string;
  readonly save: string;
  /** What was copied. */
  readonly copied: string;
  /** What the code is of. */
  readonly qr: string;
  /** What else is handed over with it. */
  readonly children?: ReactNode;
}

/** The other side: hands lines over as a file, to be pasted, or as a code. */
export function HandLines({ text, file, save, copied, qr, children }: HandLinesProps) {
  return (
    <>
      <p className="cluster">
        <button type="button" onClick={() => saveFile(file, text, 'text/plain')}>
          {save}
        </button>
        <CopyButton text={text} what={copied} />
        {children}
      </p>
      <details>
        <summary>{HAND_LINES.showQr}</summary>
        <QrCode text={text} label={qr} />
      </details>
    </>
  );
}
