import { startCompilers } from './compilers.ts';

/** Loads what a recorder otherwise loads with its first event, in the same way: what is kept compiled depends on V8's settings. */
export async function loadForEvents(): Promise<void> {
  startCompilers();
  await Promise.all([
    import('../content/preparer.ts'),
    import('../programs/read-hook.ts'),
    import('../programs/generic.ts'),
    import('../listen/seen-body.ts'),
    import('../otlp/receive.ts'),
    import('../otlp/answer.ts'),
    import('../transcripts/witness.ts'),
  ]);
}
