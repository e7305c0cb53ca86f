import { concatBytes } from '../../protocol/index.ts';
import { findAttachedData, looksLikeHtml, readHtmlReport } from '../reading/index.ts';
import { hostOf } from './open-bundle.ts';

/** The data of a report of chosen records by themselves begin so. */
const DATA_HEAD = '{"digest":"sha256:';

const HEAD_BYTES = 64;

/**
 * Takes the data out of a report of chosen records: a PDF, an HTML file, or the data by themselves. Whoever sent the file wrote all of
 * it, and its pages are not looked at: only the data are to be verified.
 * @returns null where the file is something else, such as a bundle or a report of one
 * @throws ExtractError for HTML that is no report, and a PDF that carries none
 */
export async function openChosenReport(file: Blob): Promise<Uint8Array | null> {
  const bytes = async (end?: number): Promise<Uint8Array> => new Uint8Array(await file.slice(0, end).arrayBuffer());
  const head = await bytes(HEAD_BYTES);
  const text = String.fromCharCode(...head);
  if (looksLikeHtml(head)) return readHtmlReport(await bytes()).data;
  if (text.startsWith(DATA_HEAD)) return bytes();
  if (!text.startsWith('%PDF-')) return null;
  const { kind, source } = await findAttachedData(hostOf(file));
  if (kind === 'bundle') return null;
  const chunks: Uint8Array[] = [];
  for await (const chunk of source()) chunks.push(chunk);
  return concatBytes(...chunks);
}
