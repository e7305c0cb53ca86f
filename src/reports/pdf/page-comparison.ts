import { type FileHandle, open } from 'node:fs/promises';
import { readerOptions, verifyTimed } from '../../node/reader/index.ts';
import {
  type CancelSignal,
  type HostCrypto,
  type PagesCheck,
  type PagesReason,
  verifyBundle,
} from '../../protocol/index.ts';
import { AgainstFile, type ComparisonProgress, Differs } from './against-file.ts';
import { openAttachedBundle, readAttachedRecipe } from './attached-bundle.ts';
import { deflateName, parseRecipe, type ReportRecipe } from './made-with.ts';
import { writePdfReport } from './pdf-report.ts';
import { ReportError } from './report-error.ts';
import { VERIFIER_FILE_NAME, verifierAttachment } from './verifier-file.ts';

export interface PageComparisonMeans {
  readonly crypto: HostCrypto;
  readonly signal?: CancelSignal;
  /** Of this product: only its own pages can be made again. */
  readonly version: string;
  /** Counts the bytes of the bundle, which is verified first, and then those of the file. */
  readonly onCompared?: ComparisonProgress;
}

/**
 * Whether the pages of a PDF report are those that this version makes of the bundle attached to it: makes the whole file
 * again, with the options that are attached, and compares it byte for byte. What the pages say of trust is the word of
 * whoever made them, also where they match.
 * @throws ExtractError where the bundle cannot be taken out; what reading the file fails with; what `signal` throws
 */
export async function comparePages(path: string, means: PageComparisonMeans): Promise<PagesCheck> {
  const { bytes, change } = await readAttachedRecipe(path);
  const recipe = bytes === null ? null : parseRecipe(bytes);
  if (change !== null) return notComparable(change, recipe?.version ?? null);
  if (recipe === null) return notComparable('options_missing', null);
  const { version, receiptFiles, otherFiles } = recipe;
  if (version !== means.version) return notComparable('other_version', version);
  if (receiptFiles + otherFiles + recipe.fonts.length > 0) return notComparable('other_files', version);
  if (recipe.attachments.some((name) => name !== VERIFIER_FILE_NAME)) {
    return notComparable('other_options', version);
  }
  const file = await open(path, 'r');
  try {
    await render(path, recipe, file, means);
    return { status: 'match', reason: null, version };
  } catch (error) {
    if (error instanceof ReportError) return notComparable('too_large', version);
    if (!(error instanceof Differs)) throw error;
    if (recipe.deflate !== deflateName()) return notComparable('other_runtime', version);
    return { status: 'differ', reason: null, version };
  } finally {
    await file.close();
  }
}

async function render(
  path: string,
  recipe: ReportRecipe,
  file: FileHandle,
  { crypto, signal, onCompared }: PageComparisonMeans,
): Promise<void> {
  const { source, size } = await openAttachedBundle(path);
  const { maker, version, details, annotations, pages, standing, trustedKeys, receiptFiles, otherFiles } = recipe;
  const total = size + (await file.stat()).size;
  const { timeRoots, ...reader } = readerOptions(trustedKeys);
  const report = await verifyTimed(timeRoots, verifyBundle, source, {
    crypto,
    ...reader,
    ...(signal && { signal }),
    onProgress: ({ bytes }) => onCompared?.(Math.min(bytes, size), total),
  });
  const out = new AgainstFile(file, { signal, onCompared: (compared) => onCompared?.(size + compared, total) });
  const attachments = recipe.attachments.length === 0 ? [] : [await verifierAttachment()];
  const madeWith = { trustedKeys, receiptFiles, otherFiles };
  const statements = { annotations, pages, standing, madeWith };
  await writePdfReport({ source, report, maker, version, details, out, attachments, ...statements });
}

function notComparable(reason: PagesReason, version: string | null): PagesCheck {
  return { status: 'not_comparable', reason, version };
}
