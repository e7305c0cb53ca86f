import { createDeflate } from 'node:zlib';
import type { PDFDocument, Reference } from './pdfkit.ts';

/** A file that goes into the PDF (ISO 32000-1 §7.11.4, ISO 19005-3 §6.8). */
export interface EmbeddedFile {
  /** File name, ASCII without path. */
  readonly name: string;
  /** MIME type. */
  readonly type: string;
  readonly description: string;
  /** Source: what the pages were made from. Supplement: what helps to check them. */
  readonly relationship: 'Source' | 'Supplement';
  readonly size: number;
  /** 16 bytes. */
  readonly md5: Uint8Array;
  readonly modified: Date;
  readonly read: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

function hex(bytes: Uint8Array): string {
  return `<${Buffer.from(bytes).toString('hex')}>`;
}

function date(time: Date): string {
  return `(D:${time.toISOString().replace(/\D/g, '').slice(0, 14)}Z)`;
}

/**
 * Writes an embedded file's stream piece by piece. Nothing else may be written to the document until it is done.
 * @param breathe awaited between pieces, so that what was made can be written out
 */
async function writeStream(
  document: PDFDocument,
  file: EmbeddedFile,
  breathe: () => Promise<void>,
): Promise<Reference> {
  // How long the compressed stream is comes after it, in a separate object.
  const length = document.ref(0);
  const stream = document.ref({});
  const params = `<< /Size ${file.size} /CheckSum ${hex(file.md5)} /ModDate ${date(file.modified)} >>`;
  const subtype = file.type.replace(
    /[^A-Za-z0-9.+-]/g,
    (sign) => `#${sign.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  stream.offset = document._offset;
  document._write(`${stream.id} 0 obj`);
  document._write(
    `<< /Type /EmbeddedFile /Subtype /${subtype} /Filter /FlateDecode /Length ${length} /Params ${params} >>`,
  );
  document._write('stream');
  let written = 0;
  const deflate = createDeflate({ chunkSize: 256 * 1024 });
  const feed = (async (): Promise<void> => {
    try {
      for await (const chunk of file.read()) {
        if (!deflate.write(chunk)) await new Promise((resolve) => deflate.once('drain', resolve));
      }
      deflate.end();
    } catch (error) {
      deflate.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  })();
  for await (const chunk of deflate as AsyncIterable<Buffer>) {
    written += chunk.length;
    document._write(chunk);
    await breathe();
  }
  await feed;
  document._write('\nendstream');
  document._write('endobj');
  document._refEnd(stream);
  length.data = written;
  length.end();
  return stream;
}

/** Attaches a file to the document as a whole. */
export async function attachFile(
  document: PDFDocument,
  file: EmbeddedFile,
  breathe: () => Promise<void>,
): Promise<void> {
  const stream = await writeStream(document, file, breathe);
  const specification = document.ref({
    Type: 'Filespec',
    AFRelationship: file.relationship,
    // pdfkit writes a String object as a PDF string, and a string as a name.
    F: new String(file.name),
    UF: new String(file.name),
    Desc: new String(file.description),
    EF: { F: stream, UF: stream },
  });
  specification.end();
  document.addNamedEmbeddedFile(file.name, specification);
  document._root.data.AF = [...(document._root.data.AF ?? []), specification];
}
