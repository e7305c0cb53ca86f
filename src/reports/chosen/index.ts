/**
 * A report of chosen records as people read it, on paper and in a browser: what is shown of a record, the words about what is
 * proven, and the HTML file. Pure; the data and their verification are in src/protocol/chosen-report.
 */
export {
  aboutSection,
  askedSection,
  type Block,
  type Fact,
  provesSection,
  RECORDS_SECTION,
  recordContent,
  type Section,
  shownContents,
  sumsSection,
} from './content.ts';
export { makeHtmlPage } from './html-page.ts';
export { type Outline, outlineOf, rowsOf } from './outline.ts';
export { type RecordView, viewRecords } from './record-view.ts';
export { verdictMeaning, verdictTitle, writtenBy } from './words.ts';
