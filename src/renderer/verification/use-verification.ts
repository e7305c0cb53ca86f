import { useCallback, useEffect, useRef, useState } from 'react';
import type { ChosenReportJudgement, PagesCheck, VerificationReport } from '../../protocol/index.ts';
import type { VerifyReply, VerifyRequest } from './messages.ts';
import { USE_VERIFICATION } from './texts.ts';

export type Verification =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly bytes: number; readonly records: number }
  | {
      readonly state: 'done';
      readonly report: VerificationReport;
      readonly pages: PagesCheck | null;
      readonly chosen: ChosenReportJudgement | null;
      readonly file: string;
    }
  | { readonly state: 'unreadable'; readonly message: string };

/** Verifies a bundle in a thread of this window; the file goes nowhere. */
export function useVerification() {
  const [verification, setVerification] = useState<Verification>({ state: 'idle' });
  const worker = useRef<Worker | null>(null);
  const stop = useCallback(() => {
    worker.current?.terminate();
    worker.current = null;
    setVerification({ state: 'idle' });
  }, []);
  useEffect(() => () => worker.current?.terminate(), []);

  const start = useCallback((request: VerifyRequest) => {
    worker.current?.terminate();
    const thread = new Worker(new URL('./verify-worker.ts', import.meta.url), { type: 'module' });
    worker.current = thread;
    setVerification({ state: 'running', bytes: 0, records: 0 });
    thread.onmessage = ({ data }: MessageEvent<VerifyReply>) => {
      if (data.kind === 'progress') {
        setVerification({ state: 'running', bytes: data.bytes, records: data.records });
        return;
      }
      thread.terminate();
      setVerification(
        data.kind === 'report'
          ? { state: 'done', report: data.report, pages: data.pages, chosen: data.chosen, file: request.bundle.name }
          : { state: 'unreadable', message: data.message },
      );
    };
    thread.onerror = () => {
      thread.terminate();
      setVerification({ state: 'unreadable', message: USE_VERIFICATION.verifierFailed });
    };
    thread.postMessage(request);
  }, []);
  return { verification, start, stop };
}
