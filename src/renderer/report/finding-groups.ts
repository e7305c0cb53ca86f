import type { Finding } from '../../protocol/index.ts';

/** A finding that is a cause, or stands by itself, with all that follow from it, directly or not. */
export interface FindingGroup {
  readonly cause: Finding;
  readonly consequences: readonly Finding[];
}

/** Findings by their causes, in the order of the report. One whose cause is not listed stands by itself. */
export function findingGroups(findings: readonly Finding[]): FindingGroup[] {
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  const rootOf = (finding: Finding): Finding => {
    const passed = new Set([finding]);
    for (let at = finding; ; ) {
      const cause = at.caused_by === undefined ? undefined : byId.get(at.caused_by);
      if (cause === undefined) return at;
      // A report that comes from elsewhere may say anything, also that two findings cause each other.
      if (passed.has(cause)) return finding;
      passed.add(cause);
      at = cause;
    }
  };
  const groups = new Map<Finding, Finding[]>();
  for (const finding of findings) {
    const root = rootOf(finding);
    const group = groups.get(root) ?? [];
    if (root !== finding) group.push(finding);
    groups.set(root, group);
  }
  return [...groups].map(([cause, consequences]) => ({ cause, consequences })).sort((a, b) => a.cause.id - b.cause.id);
}
