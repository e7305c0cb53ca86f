import * as found from './case-found.ts';
import * as items from './case-items.ts';
import { caseAnswer } from './cases.ts';
import * as custody from './custody.ts';
import { page, success } from './fields.ts';
import { rowsOf } from './route.ts';

const room = rowsOf({ tag: 'Cases', access: 'workstation' });
const changes = rowsOf({ tag: 'Cases', access: 'workstation', memberRole: 'compliance_auditor' });

/** Items of a case, the signatures of its custody log, and the file that a case is moved as: rows of the one table. */
export const CASE_ITEM_ROUTES = {
  listItems: {
    ...room.get,
    path: '/v1/cases/:case_id/items',
    answer: items.caseItemsAnswer,
    summary: 'What is in a case, each with its digest and its own verdict',
  },
  addItem: {
    ...changes.post,
    path: '/v1/cases/:case_id/items',
    status: 202,
    body: items.addItemBody,
    answer: items.caseItem,
    summary: 'Put an upload into a case; it is verified as a job',
  },
  removeItem: {
    ...changes.remove,
    path: '/v1/cases/:case_id/items/:item_no',
    answer: success,
    summary: 'Take an item out of a case for good; its number is not given again',
  },
  itemJudgement: {
    ...room.get,
    path: '/v1/cases/:case_id/items/:item_no/judgement',
    answer: items.itemJudgement,
    summary: 'What was found about an item, whole',
  },
  itemFile: {
    ...room.get,
    path: '/v1/cases/:case_id/items/:item_no/file',
    answer: 'file',
    summary: 'The bytes of an item, to be saved and never shown',
  },
  caseFoundFiles: {
    ...room.get,
    path: '/v1/cases/:case_id/found/files',
    query: page,
    answer: found.foundFilesAnswer,
    summary:
      'Files of a case that were found on a disk, and what was read of each; nobody signed any of it when it happened',
  },
  caseFoundNotes: {
    ...room.get,
    path: '/v1/cases/:case_id/found/notes',
    query: found.foundNotesQuery,
    answer: found.foundNotesAnswer,
    summary: 'Signs that such files were altered, and what of them could not be read',
  },
  caseFoundDifferences: {
    ...room.get,
    path: '/v1/cases/:case_id/found/differences',
    query: page,
    answer: found.foundDifferencesAnswer,
    summary: 'Calls of which the ledger and a transcript do not say the same',
  },
  caseFoundAction: {
    ...room.get,
    path: '/v1/cases/:case_id/found/actions/:operation_id',
    answer: found.foundAction,
    summary: 'Where an action was found, which events of logs fit it, and what the ledger says of it',
  },
  compareItems: {
    ...room.post,
    path: '/v1/cases/:case_id/items/compare',
    status: 200,
    body: items.compareItemsBody,
    answer: items.reportComparison,
    summary: 'Hold two reports of chosen records in a case against each other',
  },
  signCustody: {
    ...changes.post,
    path: '/v1/cases/:case_id/custody/signatures',
    status: 200,
    body: custody.signCustodyBody,
    answer: custody.signCustodyAnswer,
    summary: "Sign entries of one's own in the custody log, with the key of this window",
  },
  draftCase: {
    ...changes.post,
    path: '/v1/cases/:case_id/file/draft',
    status: 200,
    answer: items.caseDraftAnswer,
    summary: 'The manifest of the file that a case would be saved as, to be signed',
  },
  saveCase: {
    ...changes.post,
    path: '/v1/cases/:case_id/file',
    status: 201,
    body: custody.saveCaseBody,
    answer: items.savedCaseAnswer,
    summary: 'Make the file that a case is moved as',
  },
  savedCase: {
    ...room.get,
    path: '/v1/cases/:case_id/file/:file_id',
    answer: 'file',
    summary: 'The file that a case was saved as',
  },
  openCase: {
    ...changes.post,
    path: '/v1/cases/open',
    status: 202,
    body: items.openCaseBody,
    answer: caseAnswer,
    summary: 'Open a case file that was uploaded: its bytes are checked, then each item is verified here',
  },
  caseCertificate: {
    ...room.get,
    path: '/v1/cases/:case_id/certificate',
    answer: 'file',
    summary: 'A draft of a certification after FRE 902(14), with the table of ISO/IEC 27037, as HTML',
  },
} as const;
