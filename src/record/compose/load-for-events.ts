/** Loads what a recorder otherwise loads with its first event. */
export async function loadForEvents(): Promise<void> {
  await Promise.all([
    import('../content/preparer.ts'),
    import('../programs/read-hook.ts'),
    import('../programs/generic.ts'),
    import('../listen/seen-body.ts'),
    import('../otlp/receive.ts'),
    import('../otlp/answer.ts'),
  ]);
}
