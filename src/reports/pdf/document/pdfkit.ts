/// <reference path="./pdfkit.d.ts" />

// The one place that imports the library: the reference brings its types along to whichever layer imports this one.
export {
  default as PDFDocument,
  type OutlineItem,
  type PdfFont,
  type Reference,
  type StructureElement,
  type StructureOptions,
} from 'pdfkit';
