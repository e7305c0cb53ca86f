import { useEffect, useRef, useState } from 'react';
import type { Making, Step } from './sealed-case.ts';
import { HAND_OVER } from './texts.ts';

/** One thing that is made at a time, how far it is, and the way to end it. */
export function useMaking() {
  const [step, setStep] = useState<Step | null>(null);
  const running = useRef<AbortController | null>(null);
  // Whoever closes the dialog waits for nothing any more.
  useEffect(() => () => running.current?.abort(), []);
  /** @returns whether it came to its end: false where it was cancelled @throws what `make` throws */
  const run = async (make: (means: Making) => Promise<void>): Promise<boolean> => {
    const controller = new AbortController();
    running.current = controller;
    setStep({ what: HAND_OVER.making });
    try {
      await make({ signal: controller.signal, onStep: setStep });
      return !controller.signal.aborted;
    } catch (error) {
      if (controller.signal.aborted) return false;
      throw error;
    } finally {
      setStep(null);
    }
  };
  return { step, run, cancel: () => running.current?.abort() };
}

/** What is being made, how far it is, and for how long: of one answer of the service nobody knows how far it is. */
export function MakingProgress({ step: { what, done, of } }: { readonly step: Step }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  const value = done === undefined || of === undefined ? {} : { max: of, value: done };
  return (
    <div className="field">
      <span role="status">{what}</span>
      <progress aria-label={what} {...value} />
      {seconds > 0 && <small className="muted number">{HAND_OVER.seconds(seconds)}</small>}
    </div>
  );
}
