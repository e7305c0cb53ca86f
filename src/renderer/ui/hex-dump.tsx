import { ScrollArea } from './scroll-area.tsx';
import { HEX_DUMP } from './texts.ts';

const PER_LINE = 16;
/** More is not drawn: whoever needs it copies or saves it. */
const MAX_LINES = 512;

function lineOf(bytes: Uint8Array): { readonly hex: string; readonly text: string } {
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
  const left = hex.slice(0, 8).join(' ').padEnd(23);
  const right = hex.slice(8).join(' ').padEnd(23);
  const text = [...bytes].map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·')).join('');
  return { hex: `${left}  ${right}`, text };
}

/** Bytes as offset, hexadecimal and text. */
export function HexDump({ bytes, label }: { readonly bytes: Uint8Array; readonly label: string }) {
  const lines = Math.min(MAX_LINES, Math.ceil(bytes.length / PER_LINE));
  return (
    <ScrollArea className="hex" label={label}>
      <pre>
        {Array.from({ length: lines }, (_, n) => {
          const offset = n * PER_LINE;
          const { hex, text } = lineOf(bytes.subarray(offset, offset + PER_LINE));
          return (
            <span key={offset}>
              <span className="offset">{offset.toString(16).padStart(6, '0')}</span> {hex} {text}
              {'\n'}
            </span>
          );
        })}
        {bytes.length > lines * PER_LINE && HEX_DUMP.moreBytes(bytes.length - lines * PER_LINE)}
      </pre>
    </ScrollArea>
  );
}
