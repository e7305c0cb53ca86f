/**
 * What is used of pdfkit, pinned to one version. Beside its documented interface these are the font's subset, which is
 * filled glyph by glyph because pdfkit's own text layout is ten times too slow for long reports, and the way an object is
 * written, because pdfkit would hold an attachment in memory whole. `embedded-font.ts` and `attachment.ts` are the only
 * users of those.
 */
declare module 'pdfkit' {
  import type { Readable } from 'node:stream';

  export interface Reference {
    readonly id: number;
    data: unknown;
    offset: number;
    write(chunk: string | Uint8Array): void;
    end(chunk?: string | Uint8Array): void;
    toString(): string;
  }

  export interface FontGlyph {
    readonly id: number;
    readonly advanceWidth: number;
    readonly path: { readonly commands: readonly unknown[] };
  }

  export interface OpenFont {
    readonly unitsPerEm: number;
    readonly ascent: number;
    readonly descent: number;
    readonly 'OS/2'?: { readonly fsType: { readonly noEmbedding: boolean; readonly noSubsetting: boolean } };
    hasGlyphForCodePoint(codePoint: number): boolean;
    glyphForCodePoint(codePoint: number): FontGlyph;
    getGlyph(id: number): FontGlyph;
  }

  export interface PdfFont {
    readonly id: string;
    readonly font: OpenFont;
    readonly subset: { readonly glyphs: number[] };
    readonly unicode: number[][];
    readonly widths: number[];
    ref(): Reference;
  }

  export interface StructureContent {
    readonly refs: readonly unknown[];
  }

  export interface StructureElement {
    add(child: StructureElement | StructureContent): StructureElement;
    end(): void;
  }

  export interface StructureOptions {
    readonly title?: string;
    readonly alt?: string;
    readonly scope?: 'Row' | 'Column' | 'Both';
    /** Left, top, right, bottom, from the page's upper left corner. */
    readonly bbox?: readonly number[];
  }

  export interface OutlineItem {
    addItem(
      title: string,
      options?: { readonly expanded?: boolean; readonly top?: number; readonly left?: number },
    ): OutlineItem;
  }

  export interface Page {
    readonly width: number;
    readonly height: number;
    readonly dictionary: Reference;
    readonly fonts: Record<string, Reference>;
  }

  export interface DocumentOptions {
    readonly size: readonly [number, number];
    readonly margin: number;
    readonly pdfVersion: '1.7';
    readonly subset: 'PDF/A-3a';
    readonly tagged: true;
    readonly lang: string;
    readonly displayTitle: true;
    readonly autoFirstPage: false;
    readonly font: null;
    readonly info: Readonly<Record<string, string | Date>>;
  }

  export default class PDFDocument extends Readable {
    constructor(options: DocumentOptions);
    readonly page: Page;
    readonly outline: OutlineItem;
    readonly _font: PdfFont;
    readonly _root: Reference & { readonly data: { AF?: Reference[] } };
    _offset: number;
    font(source: string): this;
    addPage(): this;
    addContent(content: string): this;
    ref(data: unknown): Reference;
    end(): void;
    struct(type: string, options?: StructureOptions): StructureElement;
    addStructure(element: StructureElement): this;
    markContent(tag: 'Artifact', options: { readonly type: 'Pagination' | 'Layout' }): this;
    markStructureContent(tag: string): StructureContent;
    endMarkedContent(): this;
    addNamedEmbeddedFile(name: string, reference: Reference): void;
    _write(data: string | Uint8Array): void;
    _refEnd(reference: Reference): void;
  }
}
