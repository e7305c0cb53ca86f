import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { canonicalize, type Json, makeVerificationArtifact, type VerificationReport } from '../../protocol/index.ts';
import type { ReportAnnotation } from '../../report/index.ts';
import { ServiceError } from '../errors.ts';
import { type CaseFile, NAMES } from './case-file.ts';
import { CaseRefused } from './case-source.ts';
import type { Cases } from './cases.ts';
import { runJob } from './job-thread.ts';
import type { Asker } from './scope.ts';

/** Pages of annotations that are read at a time. */
const PAGE = 200;

/** Reports of cases as files: each is made when asked for, since tags and notes change. */
export class CaseReports {
  readonly #cases: Cases;
  readonly #scratch: string;
  readonly #stop = new AbortController();
  #last: Promise<unknown> = Promise.resolve();

  constructor(cases: Cases, scratch: string) {
    this.#cases = cases;
    this.#scratch = scratch;
  }

  /** The verification report as JSON text. @throws ServiceError NOT_FOUND, CONFLICT */
  text(asker: Asker, caseId: string): Promise<string> {
    const about = this.#cases.findReady(asker, caseId);
    return readFile(this.#reportPath(about), 'utf8');
  }

  #reportPath({ case_id }: CaseFile): string {
    return join(this.#cases.folderOf(case_id), NAMES.report);
  }

  async #annotationsOf({ case_id }: CaseFile): Promise<ReportAnnotation[]> {
    const found: ReportAnnotation[] = [];
    const folder = this.#cases.folderOf(case_id);
    for (let after = '', hasMore = true; hasMore; ) {
      const page = await this.#cases.reads.ask(folder, 'annotations', after, PAGE);
      found.push(...page.data.map(({ operation_id, tags, note }) => ({ operation_id, tags, note })));
      hasMore = page.hasMore;
      after = found.at(-1)?.operation_id ?? '';
    }
    return found;
  }

  /**
   * Writes the PDF, on a thread, one after the other.
   * @returns the path of a file for this answer alone
   * @throws ServiceError NOT_FOUND, CONFLICT, also where the bundle is too large for a PDF
   */
  async pdf(asker: Asker, caseId: string): Promise<string> {
    const about = this.#cases.findReady(asker, caseId);
    const annotations = await this.#annotationsOf(about);
    const outPath = join(this.#scratch, `${randomUUID()}.pdf`);
    const task = { kind: 'pdf', file: this.#cases.storedFile(about), reportPath: this.#reportPath(about) } as const;
    const made = this.#last.then(() => runJob({ ...task, outPath, annotations }, this.#stop.signal));
    this.#last = made.catch(() => undefined);
    try {
      await made;
    } catch (error) {
      throw error instanceof CaseRefused ? new ServiceError('CONFLICT', error.message) : error;
    }
    return outPath;
  }

  /**
   * Writes the verification artifact and, beside it, the investigator's tags and notes, in canonical form.
   * @returns the path of a file for this answer alone
   * @throws ServiceError NOT_FOUND, CONFLICT
   */
  async json(asker: Asker, caseId: string): Promise<string> {
    const about = this.#cases.findReady(asker, caseId);
    const report = JSON.parse(await this.text(asker, caseId)) as VerificationReport;
    const files = {
      subject: { sha256: about.sha256, size: about.bytes },
      receipts: about.receipts.map(({ name, sha256, bytes }) => ({ name, sha256, size: bytes })),
      against: [],
    };
    const verifier = { name: packageJson.name, version: packageJson.version };
    const verification = makeVerificationArtifact(report, about.verified_with, files, verifier);
    const annotations = await this.#annotationsOf(about);
    const notice = 'Written by the investigator. No evidence: nothing signs it, and no check looks at it.';
    const value = { type: 'countersign.case-report.v1', verification, investigator: { notice, annotations } };
    const path = join(this.#scratch, `${randomUUID()}.json`);
    await writeFile(path, canonicalize(value as unknown as Json), { mode: 0o600 });
    return path;
  }

  stop(): void {
    this.#stop.abort();
  }
}
