import { useMemo } from 'react';
import { encode } from 'uqr';

const QUIET = 4;

/** From this many modules a side on, a code takes all the width there is: a camera needs some pixels for each. */
const FINE = 60;

/** A text as a QR code (ISO/IEC 18004, level M): one path, dark on white in dark mode too, for cameras want it so. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { path, side } = useMemo(() => {
    const { data, size } = encode(text, { ecc: 'M', border: 0 });
    const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
    return { path: squares.join(''), side: size + 2 * QUIET };
  }, [text]);
  return (
    <svg
      className={side < FINE ? 'qr' : 'qr qr-fine'}
      role="img"
      aria-label={label}
      viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`}
    >
      <rect x={-QUIET} y={-QUIET} width={side} height={side} className="qr-ground" />
      <path d={path} className="qr-ink" shapeRendering="crispEdges" />
    </svg>
  );
}
