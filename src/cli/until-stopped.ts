/** Waits for SIGTERM or SIGINT; a second one ends the process at once. */
export function untilStopped(): Promise<void> {
  const signals = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const;
  return new Promise((resolve) => {
    const first = (): void => {
      for (const [signal, code] of signals) {
        process.off(signal, first);
        process.once(signal, () => process.exit(code));
      }
      resolve();
    };
    for (const [signal] of signals) process.once(signal, first);
  });
}
