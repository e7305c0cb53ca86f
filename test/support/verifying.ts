import {
  type BundleSource,
  type FindingCode,
  type NamedSource,
  utf8,
  type VerificationReport,
  type VerifyOptions,
  verifyBundle,
} from '../../src/protocol/index.ts';

/** A file held in memory, as the verifier reads it. */
export function sourceOf(file: string | Uint8Array): BundleSource {
  const bytes = typeof file === 'string' ? utf8(file) : file;
  return () => [bytes];
}

/** The same, in chunks of the given sizes, over and over. */
export function chunkedSource(file: string | Uint8Array, sizes: readonly number[]): BundleSource {
  const bytes = typeof file === 'string' ? utf8(file) : file;
  return function* () {
    for (let from = 0, turn = 0; from < bytes.length; turn++) {
      const size = sizes[turn % sizes.length] ?? 1;
      // A chunk of its own memory: a reader that keeps a view must not depend on what stands around it.
      yield bytes.slice(from, from + size);
      from += size;
    }
  };
}

export function named(name: string, file: string | Uint8Array): NamedSource {
  return { name, source: sourceOf(file) };
}

export function verifyFile(file: string | Uint8Array, options: VerifyOptions = {}): Promise<VerificationReport> {
  return verifyBundle(sourceOf(file), options);
}

/** What an investigator is shown as causes: the errors that no other finding explains. */
export function rootCauses(report: VerificationReport): readonly FindingCode[] {
  return report.findings
    .filter(({ severity, caused_by }) => severity === 'error' && caused_by === undefined)
    .map(({ code }) => code);
}
