import { encodeQR } from 'qr';
import { useMemo } from 'react';
import { codesOf } from '../lib/code-parts.ts';
import { QR } from './texts.ts';

const QUIET = 4;

/** From this many modules a side on, a code takes all the width there is: a camera needs some pixels for each. */
const FINE = 60;

/** A text as a QR code (ISO/IEC 18004, level M), or as several where one does not hold it. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const codes = useMemo(() => codesOf(text), [text]);
  const [first] = codes;
  if (codes.length === 1 && first !== undefined) return <Code text={first} label={label} />;
  return (
    <div className="stack">
      <p>{QR.several(codes.length)}</p>
      {codes.map((code, n) => (
        <Code key={code} text={code} label={QR.part(label, n + 1, codes.length)} />
      ))}
    </div>
  );
}

/** One path, dark on white in dark mode too, for cameras want it so. */
function Code({ text, label }: { readonly text: string; readonly label: string }) {
  const { path, side } = useMemo(() => {
    const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET });
    const squares = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
    return { path: squares.join(''), side: rows.length };
  }, [text]);
  return (
    <svg className={side < FINE ? 'qr' : 'qr qr-fine'} role="img" aria-label={label} viewBox={`0 0 ${side} ${side}`}>
      <rect width={side} height={side} className="qr-ground" />
      <path d={path} className="qr-ink" shapeRendering="crispEdges" />
    </svg>
  );
}
