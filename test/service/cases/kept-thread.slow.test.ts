// docs/decisions/0034-what-a-start-loads.md: a thread is kept for the next job, so a job closes what it opened, whatever was in its files.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { JobThreads } from '../../../src/node/index.ts';
import { NAMES } from '../../../src/service/cases/case-folder.ts';
import type { JobProgress, JobRefusal, JobResult, JobTask } from '../../../src/service/cases/job-messages.ts';
import { BUNDLE, ISSUER } from '../../support/case-evidence.ts';
import { atEnd } from '../../support/cleanup.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { until } from '../../support/until.ts';

/** Files below a folder that this process, and so each of its threads, has open. */
function openBelow(folder: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      // It was closed meanwhile.
      return [];
    }
  });
}

it.runIf(process.platform === 'linux')('leaves no file open on a thread that stays', async () => {
  const folder = temporaryFolder();
  const threads = new JobThreads<JobTask, JobResult, JobProgress, JobRefusal>({
    url: new URL('../../../src/service/cases/case-job-worker.ts', import.meta.url),
    idleMs: 600_000,
    keptBytes: Number.POSITIVE_INFINITY,
  });
  atEnd(() => threads.close());
  const started: Worker[] = [];
  const note = (worker: Worker): void => void started.push(worker);
  process.on('worker', note);
  atEnd(() => process.off('worker', note));

  const stored = (name: string, bytes: Uint8Array) => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return { name, path, bytes: bytes.length, sha256: `sha256:${createHash('sha256').update(bytes).digest('hex')}` };
  };
  const original = stored('original', BUNDLE);
  const file = { ...original, kind: 'bundle', maxPlainBytes: 4 * BUNDLE.length } as const;
  const files = [
    BUNDLE.subarray(0, BUNDLE.length - 40),
    gzipSync(BUNDLE).subarray(0, 200),
    Buffer.from('%PDF-1.7\nno more of it'),
    Buffer.from('{"type":"record-proof"}'),
    Buffer.from('something else'),
  ].map((bytes, index) => stored(`item-${index}`, bytes));
  mkdirSync(join(folder, 'out'));
  const out = (name: string) => join(folder, 'out', name);
  const about = { trust: [ISSUER], reportPath: out('report.json'), coherencePath: out('coherence.json') };
  const report = { ...about, annotations: [], pages: null, coherencePath: null };
  const nothing = { contradicting: [], unchecked: 0 };
  const tasks: JobTask[] = [
    { kind: 'verify', file, receipts: [], hasItems: false, ...about, item: original },
    { kind: 'index', file, found: [], folder: out('next'), caseFolder: out('') },
    {
      kind: 'judge',
      items: files.map((item, index) => ({ item_no: index + 2, file: item, outPath: out(`${index}`), stated: null })),
      first: file,
      others: files,
      maxBytes: BUNDLE.length,
      trust: [ISSUER],
    },
    {
      kind: 'pdf',
      file,
      receiptFiles: 0,
      otherFiles: 0,
      details: undefined,
      standing: nothing,
      outPath: out('report.pdf'),
      ...report,
    },
    {
      kind: 'compare',
      one: { name: 'one', file, indexPath: join(out('next'), NAMES.index) },
      other: { name: 'other', file, indexPath: null },
      scratchIndex: out('scratch.sqlite'),
      trust: [ISSUER],
    },
  ];
  for (const task of tasks) {
    await threads.run(task);
    // A stream closes its file right after its end.
    await until(`the files of ${task.kind} are closed`, () => openBelow(folder).length === 0);
  }
  expect(started).toHaveLength(1);
  expect(started[0]?.threadId).toBeGreaterThan(0);
});
