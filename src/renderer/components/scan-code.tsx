import { useEffect, useRef, useState } from 'react';
import { joined } from '../lib/code-parts.ts';
import { FormError } from './form.tsx';
import { SCAN } from './texts.ts';

/** How long to wait between two looks, in milliseconds: a code is held still for longer. */
const LOOK_MS = 100;

function pause(ms: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, ms);
  });
}

/**
 * Shows what a camera sees, and tells the text of each QR code in it, as often as it sees one, until the signal.
 * @throws DOMException where there is no camera, or the page may not use it
 */
async function readCodes(video: HTMLVideoElement, signal: AbortSignal, onCode: (text: string) => void): Promise<void> {
  // Loaded only here: most people never scan.
  const { decodeQR } = await import('qr/decode.js');
  const wanted = { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } };
  const stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: wanted });
  try {
    video.srcObject = stream;
    await video.play();
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d', { willReadFrequently: true });
    while (!signal.aborted && context !== null) {
      [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
      context.drawImage(video, 0, 0);
      const text = codeIn(context.getImageData(0, 0, canvas.width, canvas.height), decodeQR);
      if (text !== null) onCode(text);
      await pause(LOOK_MS);
    }
  } finally {
    for (const track of stream.getTracks()) track.stop();
    video.srcObject = null;
  }
}

function codeIn(image: ImageData, decode: (image: ImageData) => string): string | null {
  try {
    return decode(image);
  } catch {
    // The library throws for each picture in which it finds no whole code: nearly all of them.
    return null;
  }
}

/** As many codes are kept while parts are missing: a camera may be held to anything. */
const MOST_CODES = 128;

interface ScanCodeProps {
  /** Told the text of a code, or of all parts of a text that takes several. */
  readonly onText: (text: string) => void;
}

/** Reads a QR code with the camera, in place: a button, and what the camera sees while it looks. */
export function ScanCode({ onText }: ScanCodeProps) {
  const [isOpen, setOpen] = useState(false);
  if (!isOpen) {
    return (
      <p>
        <button type="button" className="button-small" onClick={() => setOpen(true)}>
          {SCAN.scan}
        </button>
      </p>
    );
  }
  const take = (text: string): void => {
    setOpen(false);
    onText(text);
  };
  return <Camera onText={take} onStop={() => setOpen(false)} />;
}

function Camera({ onText, onStop }: ScanCodeProps & { readonly onStop: () => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const told = useRef(onText);
  useEffect(() => {
    told.current = onText;
  }, [onText]);
  const [read, setRead] = useState({ have: 0, of: 0 });
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const looking = new AbortController();
    const codes = new Set<string>();
    const onCode = (code: string): void => {
      // The camera sees each for many pictures.
      if (looking.signal.aborted || codes.has(code)) return;
      if (codes.size >= MOST_CODES) codes.clear();
      codes.add(code);
      const { text, have, of } = joined(code).of === 0 ? joined(code) : joined([...codes].join('\n'));
      setRead({ have, of });
      if (text === null) return;
      looking.abort();
      told.current(text);
    };
    if (video.current !== null) {
      // In a dialog it may stand below what is seen of it.
      video.current.scrollIntoView({ block: 'nearest' });
      readCodes(video.current, looking.signal, onCode).catch((error: unknown) => {
        if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
        setProblem(error instanceof DOMException && error.name === 'NotAllowedError' ? SCAN.notAllowed : SCAN.none);
      });
    }
    return () => looking.abort();
  }, []);
  return (
    <div className="stack scan">
      {problem === null && <video ref={video} className="scan-view" muted playsInline aria-label={SCAN.view} />}
      <p role="status">{read.of === 0 ? (problem === null ? SCAN.hold : '') : SCAN.read(read.have, read.of)}</p>
      <FormError error={problem} />
      <p>
        <button type="button" className="button-small" onClick={onStop}>
          {problem === null ? SCAN.stop : SCAN.close}
        </button>
      </p>
    </div>
  );
}
