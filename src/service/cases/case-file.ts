import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { CaseReport } from '../../api/index.ts';
import { caseAnswer, caseItemVerdict } from '../../api/index.ts';
import { writeDurably } from '../../node/index.ts';
import { CHECKS, type VerificationReport } from '../../protocol/index.ts';
import type { AdminAct } from '../ledger/admin-log/admin-events.ts';
import { NAMES } from './case-folder.ts';
import type { LogOf } from './custody/custody-entry.ts';
import type { Owner } from './scope.ts';

const { shape } = caseAnswer;

const caseAction = z.enum(['case.create', 'case.rename', 'case.verify', 'case.delete']);
export type CaseAction = z.infer<typeof caseAction>;

/** Items besides the file itself, for quotas; `due` while something of them is to be done. */
const caseItems = z
  .strictObject({
    count: z.int(),
    bytes: z.int(),
    due: z.boolean(),
    /** How many are not verified. */
    unchecked: z.int().optional(),
    /** Numbers of those that contradict the file. */
    contradicting: z.array(z.int()).default([]),
    /** Numbers of those of which nothing was signed, and whose contents are read as the ledger's are. */
    found: z.array(z.int()).default([]),
  })
  // Kept since a case has no verdict before its items have one: of an older case any of them may be due.
  .transform(({ unchecked, ...items }) => ({ ...items, unchecked: unchecked ?? (items.due ? items.count : 0) }));

/** What is kept of a case besides its contents: the file case.json of its folder. */
const caseFile = z.strictObject({
  version: z.literal(1),
  case_id: z.uuid(),
  /** null: of the workstation. */
  org_id: z.string().nullable(),
  name: shape.name,
  file_name: shape.file_name,
  bytes: shape.bytes,
  sha256: shape.sha256,
  kind: shape.kind,
  receipts: shape.receipts,
  trusted_kids: shape.trusted_kids,
  created_at: z.int(),
  state: shape.state,
  failure: shape.failure,
  verified_at: z.int().nullable(),
  /** The kids that its report was made with. */
  verified_with: z.array(z.string()),
  report: shape.report,
  /** Kept since cases say what they know of a PDF's pages: an older case is verified again for it. */
  pages: shape.pages.default(null),
  /** Kept since cases say whether actions fit together: an older case is verified again for it. */
  coherence: shape.coherence.default(null),
  issuer_change: shape.issuer_change,
  /** Address of who made it; null where nobody was signed in, and in cases from before it was kept. */
  created_by: z.string().nullable().default(null),
  items: caseItems.default({ count: 0, bytes: 0, due: false, unchecked: 0, contradicting: [], found: [] }),
  /** What its index has of files that nobody signed; null where there are none. */
  found: shape.found.default(null),
  /** Of an archive: what its runs came to. */
  archive: shape.archive.default(null),
  /** Where it came as a case file: who made that, and what it says of the first item. */
  origin: z
    .strictObject({
      file_sha256: shape.sha256,
      made_at: z.string(),
      made_by: z.string().nullable(),
      sealed_with: z.string().nullable(),
      damage: z.int(),
      stated: z.strictObject({
        verdict: caseItemVerdict.nullable(),
        judgement_sha256: z.string().nullable(),
        verified_with: z.array(z.string()),
        reproduced: z.boolean().nullable(),
      }),
    })
    .nullable()
    .default(null),
  /** What was done to a case of the workstation. One of an organization has it in the administrative log. */
  history: z
    .array(
      z.strictObject({
        at: z.int(),
        action: caseAction,
        details: z.record(z.string(), z.unknown()) as z.ZodType<AdminAct['details']>,
      }),
    )
    .default([]),
});
export type CaseFile = z.infer<typeof caseFile>;

export function ownerOf({ org_id }: CaseFile): Owner {
  return org_id === null ? 'workstation' : { orgId: org_id };
}

/** Whose custody log a case has. */
export function logOf({ sha256, case_id }: CaseFile): LogOf {
  return { caseSha256: sha256, caseId: case_id };
}

/** Replaces what is kept of a case, whole or not at all. */
export function saveCaseFile(folder: string, about: CaseFile): Promise<void> {
  return writeDurably(join(folder, NAMES.about), `${JSON.stringify(about, null, 2)}\n`);
}

/** Takes away everything of a case but what case.json says of it. */
export function keepDescriptionOnly(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name !== NAMES.about) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** The cases of a folder. One whose case.json cannot be read is left out and told. */
export function loadCaseFiles(folder: string, onError: (error: unknown) => void): CaseFile[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory() || !z.uuid().safeParse(entry.name).success) return [];
    try {
      const about = caseFile.parse(JSON.parse(readFileSync(join(folder, entry.name, NAMES.about), 'utf8')));
      return about.case_id === entry.name ? [about] : [];
    } catch (error) {
      onError(error);
      return [];
    }
  });
}

/** What is known of a case that was just made: nothing of its file was verified yet. */
export function unverifiedCase(owner: Owner, trustedKids: readonly string[]) {
  return {
    version: 1,
    org_id: owner === 'workstation' ? null : owner.orgId,
    trusted_kids: [...new Set(trustedKids)],
    state: 'importing',
    failure: null,
    verified_at: null,
    verified_with: [],
    report: null,
    found: null,
    archive: null,
    pages: null,
    coherence: null,
    issuer_change: null,
    history: [],
  } satisfies Partial<CaseFile>;
}

/** What the list of cases needs of a report. */
export function summaryOf({
  verdict,
  summary,
  bundle,
  issuer,
  checks,
  finding_counts,
}: VerificationReport): CaseReport {
  const states = Object.fromEntries(CHECKS.map((check) => [check, checks[check].status])) as CaseReport['checks'];
  const findings = Object.values(finding_counts).reduce((sum, count) => sum + count, 0);
  const { service_keys, linked, ...known } = issuer;
  return {
    verdict,
    summary,
    bundle,
    // Of an attacker's bundle there may be any number: the report has them all.
    issuer: { ...known, service_keys: service_keys.slice(0, 100), linked: linked.slice(0, 100) },
    checks: states,
    findings,
  };
}
