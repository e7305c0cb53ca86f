import { PAGE } from '../layout/theme.ts';
import type { PDFDocument } from './pdfkit.ts';

/** What a document says of itself. */
export interface DocumentInfo {
  readonly title: string;
  readonly subject: string;
  /** Version of the product. */
  readonly version: string;
  readonly made: Date;
}

/** What may stand in metadata: pdfkit writes it into XML as it is. Letters lose their accents, and what else is not ASCII has a mark in its place. */
export function plain(text: string): string {
  const unaccented = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/\p{Pd}/gu, '-');
  return unaccented.replace(/[^A-Za-z0-9 ._:@-]+/g, '_').slice(0, 200);
}

/** A document of no pages yet: PDF/A-3, tagged. */
export async function newDocument({ title, subject, version, made }: DocumentInfo): Promise<PDFDocument> {
  // Loaded where a report is made: a service has this module for other things, and starts without the library.
  const { PDFDocument } = await import('./pdfkit.ts');
  return new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    pdfVersion: '1.7',
    subset: 'PDF/A-3a',
    tagged: true,
    lang: 'en',
    displayTitle: true,
    autoFirstPage: false,
    font: null,
    info: {
      Title: plain(title),
      Subject: plain(subject),
      Creator: plain(`Countersign ${version}`),
      Producer: 'pdfkit',
      CreationDate: made,
    },
  });
}
