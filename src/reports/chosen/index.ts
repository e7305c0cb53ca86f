/**
 * A report of chosen records as people read it, on paper and in a browser: what is shown of a record, the words about what is
 * proven, and the HTML file. Pure; the data and their verification are in src/protocol/chosen-report.
 */
export { makeHtmlPage } from './html-page.ts';
export { type Outline, outlineOf, rowsOf } from './outline.ts';
export { type RecordView, viewRecords } from './record-view.ts';
export {
  checkCommands,
  makersWord,
  PAGES_CAN_LIE,
  PROVES_TITLE,
  statedExaminer,
  verdictMeaning,
  verdictTitle,
  whatItDoesNotProve,
  whatItProves,
  writtenBy,
} from './words.ts';
