import * as found from './case-found.ts';
import * as items from './case-items.ts';
import { caseAnswer } from './cases.ts';
import * as custody from './custody.ts';
import { noQuery, page, success } from './fields.ts';

const access = 'workstation';
const post = { method: 'POST', query: noQuery, access } as const;
const get = { method: 'GET', query: noQuery, status: 200, access } as const;
const remove = { method: 'DELETE', query: noQuery, status: 200, access } as const;
const room = { tag: 'Cases' } as const;
const CHANGES = 'compliance_auditor';

/** Items of a case, the signatures of its custody log, and the file that a case is moved as: rows of the one table. */
export const CASE_ITEM_ROUTES = {
  listItems: {
    ...get,
    ...room,
    path: '/v1/cases/:case_id/items',
    answer: items.caseItemsAnswer,
    summary: 'What is in a case, each with its digest and its own verdict',
  },
  addItem: {
    ...post,
    ...room,
    path: '/v1/cases/:case_id/items',
    memberRole: CHANGES,
    status: 202,
    body: items.addItemBody,
    answer: items.caseItem,
    summary: 'Put an upload into a case; it is verified as a job',
  },
  removeItem: {
    ...remove,
    ...room,
    path: '/v1/cases/:case_id/items/:item_no',
    memberRole: CHANGES,
    answer: success,
    summary: 'Take an item out of a case for good; its number is not given again',
  },
  itemJudgement: {
    ...get,
    ...room,
    path: '/v1/cases/:case_id/items/:item_no/judgement',
    answer: items.itemJudgement,
    summary: 'What was found about an item, whole',
  },
  itemFile: {
    ...get,
    ...room,
    path: '/v1/cases/:case_id/items/:item_no/file',
    answer: 'file',
    summary: 'The bytes of an item, to be saved and never shown',
  },
  caseFoundFiles: {
    ...get,
    ...room,
    path: '/v1/cases/:case_id/found/files',
    query: page,
    answer: found.foundFilesAnswer,
    summary:
      'Files of a case that were found on a disk, and what was read of each; nobody signed any of it when it happened',
  },
  caseFoundNotes: {
    ...get,
    ...room,
    path: '/v1/cases/:case_id/found/notes',
    query: found.foundNotesQuery,
    answer: found.foundNotesAnswer,
    summary: 'Signs that such files were altered, and what of them could not be read',
  },
  caseFoundDifferences: {
    ...get,
    ...room,
    path: '/v1/cases/:case_id/found/differences',
    query: page,
    answer: found.foundDifferencesAnswer,
    summary: 'Calls of which the ledger and a transcript do not say the same',
  },
  caseFoundAction: {
    ...get,
    ...room,
    path: '/v1/cases/:case_id/found/actions/:operation_id',
    answer: found.foundAction,
    summary: 'Where an action was found, which events of logs fit it, and what the ledger says of it',
  },
  compareItems: {
    ...post,
    ...room,
    path: '/v1/cases/:case_id/items/compare',
    status: 200,
    body: items.compareItemsBody,
    answer: items.reportComparison,
    summary: 'Hold two reports of chosen records in a case against each other',
  },
  signCustody: {
    ...post,
    ...room,
    path: '/v1/cases/:case_id/custody/signatures',
    memberRole: CHANGES,
    status: 200,
    body: custody.signCustodyBody,
    answer: custody.signCustodyAnswer,
    summary: "Sign entries of one's own in the custody log, with the key of this window",
  },
  draftCase: {
    ...post,
    ...room,
    path: '/v1/cases/:case_id/file/draft',
    memberRole: CHANGES,
    status: 200,
    answer: items.caseDraftAnswer,
    summary: 'The manifest of the file that a case would be saved as, to be signed',
  },
  saveCase: {
    ...post,
    ...room,
    path: '/v1/cases/:case_id/file',
    memberRole: CHANGES,
    status: 201,
    body: custody.saveCaseBody,
    answer: items.savedCaseAnswer,
    summary: 'Make the file that a case is moved as',
  },
  savedCase: {
    ...get,
    ...room,
    path: '/v1/cases/:case_id/file/:file_id',
    answer: 'file',
    summary: 'The file that a case was saved as',
  },
  openCase: {
    ...post,
    ...room,
    path: '/v1/cases/open',
    memberRole: CHANGES,
    status: 202,
    body: items.openCaseBody,
    answer: caseAnswer,
    summary: 'Open a case file that was uploaded: its bytes are checked, then each item is verified here',
  },
  caseCertificate: {
    ...get,
    ...room,
    path: '/v1/cases/:case_id/certificate',
    answer: 'file',
    summary: 'A draft of a certification after FRE 902(14), with the table of ISO/IEC 27037, as HTML',
  },
} as const;
