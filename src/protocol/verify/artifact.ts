import type { VerificationReport } from './report.ts';

export const ARTIFACT_TYPE = 'countersign.verification-artifact.v1';

/** A file by its content, as it lies on the disk: compressed where it is. */
export interface FileIdentity {
  /** `sha256:` and 64 hexadecimal digits. */
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
}

/** A file that a bundle was compared with; `name` is how findings call it. */
export interface NamedIdentity extends FileIdentity {
  readonly name: string;
}

/** The files of one verification. */
export interface VerifiedFiles {
  readonly subject: FileIdentity;
  readonly receipts: readonly NamedIdentity[];
  readonly against: readonly NamedIdentity[];
  readonly checkpoints: readonly NamedIdentity[];
}

/**
 * A verification report as a file to keep: of which bytes, with which trust, by which verifier, and the whole report. No
 * time and no path, so that the same verification gives the same bytes anywhere.
 */
export interface VerificationArtifact {
  readonly type: typeof ARTIFACT_TYPE;
  readonly subject: FileIdentity;
  /** Trust entries, and the policy where witnesses were demanded (V188). */
  readonly trust: readonly string[];
  readonly verifier: { readonly name: string; readonly version: string };
  readonly inputs: {
    readonly receipts: readonly FileIdentity[];
    readonly against: readonly FileIdentity[];
    /** Absent where none was given. */
    readonly checkpoints?: readonly FileIdentity[];
  };
  readonly report: VerificationReport;
}

/** How checkpoints that a bundle carries are called (V187): the same on every machine. */
const CARRIED = /^edges\.(?:cosigned|stamped)\[\d+\]$/;

/** The report with digests in place of the names of files, which differ from machine to machine. */
function withoutNames(report: VerificationReport, files: VerifiedFiles): VerificationReport {
  const given = [...files.receipts, ...files.against, ...files.checkpoints];
  const digests = new Map(given.map(({ name, sha256 }) => [name, sha256]));
  const nameOf = (file: string): string => digests.get(file) ?? (CARRIED.test(file) ? file : 'another file');
  const findings = report.findings.map((finding) => {
    const { file } = finding.where;
    return file === undefined ? finding : { ...finding, where: { ...finding.where, file: nameOf(file) } };
  });
  const { witnessed } = report;
  if (witnessed === undefined) return { ...report, findings };
  const checkpoints = witnessed.checkpoints.map((one) => ({ ...one, file: nameOf(one.file) }));
  return { ...report, findings, witnessed: { ...witnessed, checkpoints } };
}

/** Makes the artifact of a verification; the same report, files, trust and verifier give the same value. */
export function makeVerificationArtifact(
  report: VerificationReport,
  trustedKids: readonly string[],
  files: VerifiedFiles,
  verifier: VerificationArtifact['verifier'],
): VerificationArtifact {
  const bare = ({ sha256, size }: FileIdentity): FileIdentity => ({ sha256, size });
  return {
    type: ARTIFACT_TYPE,
    subject: bare(files.subject),
    trust: [...new Set(trustedKids)].sort(),
    verifier,
    inputs: {
      receipts: files.receipts.map(bare),
      against: files.against.map(bare),
      ...(files.checkpoints.length > 0 && { checkpoints: files.checkpoints.map(bare) }),
    },
    report: withoutNames(report, files),
  };
}
