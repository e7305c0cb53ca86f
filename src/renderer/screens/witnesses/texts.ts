import { nounFor } from '../../lib/plural.ts';

export const WITNESSES_SCREEN = {
  witnesses: 'Witnesses',
  what: 'the witnesses',
  explained:
    'A witness outside this service signs the size and the root of the log, and signs the next one only if the log still begins the same way. The service checks each cosignature when it arrives. To check cosignatures elsewhere, save a cosigned checkpoint.',
  none: 'No witness yet',
  whatFor:
    'Whoever holds the service key can sign another past. A witness notices: it sees sizes and roots of the log, and no record. Ask somebody who is independent of the operator for the keys that {command} prints.',
  askHome: 'Witnesses are added by the home organization of this service.',
  addWitness: 'Add witness',
  witness: 'Witness',
  asked: 'Asked',
  byHttp: 'By HTTPS',
  byFile: 'By file',
  newest: 'Cosigned up to',
  sizeOf: (size: string, sealed: string) => `${size} of ${sealed} sealed records`,
  cosigned: 'Cosigned',
  signatures: 'Signatures',
  state: 'State',
  nothing: 'Nothing',
  upToDate: 'Up to date',
  notAsked: 'Never cosigned',
  behind: (count: number) => `${nounFor(count, 'record')} not covered`,
  refused: 'Refused',
  noAnswer: 'No cosignature',
  nextAttempt: (ago: string) => `Next attempt ${ago}.`,
  askByFile: 'Ask by file…',
  remove: 'Remove…',
  removed: 'Witness removed.',
  removeTitle: 'Remove witness',
  removeConfirm: 'Remove witness',
  removeConsequence:
    'The service no longer asks this witness. Its cosignatures stay in the ledger’s database and in saved checkpoints.',
  cosignatures: 'Cosigned checkpoints',
  whatCosignatures: 'the cosignatures',
  noCosignature: 'No checkpoint is cosigned yet.',
  records: 'Records',
  receivedUtc: 'Received (UTC)',
  cosignedUtc: 'Cosigned (UTC)',
  save: 'Save checkpoint',
  saveOf: (size: string) => `Save checkpoint of ${size} records`,
  older: 'Older cosignatures',
  algorithms: { ed25519: 'Ed25519', 'ml-dsa-44': 'ML-DSA-44' },
} as const;

export const ADD_WITNESS = {
  title: 'Add witness',
  keys: 'Keys of the witness',
  keysHint:
    'One key in each line, as “countersign witness keys” prints them. Compare the keys with the witness through a separate channel.',
  keysExample: 'witness.example.org/w1+1a2b3c4d+BA…',
  url: 'Address (optional)',
  urlHint:
    'Where the witness answers by HTTPS. The service then asks after each epoch. Leave the address empty to ask by file. Addresses in private networks are refused unless a setting of the service allows them.',
  https: 'https://',
  add: 'Add witness',
  added: 'Witness added.',
} as const;

export const ASK_BY_FILE = {
  title: (name: string) => `Ask ${name}`,
  request: '1. Hand over the request',
  what: 'the request',
  requestExplained:
    'The request holds the newest checkpoint and the proof that the log continues the one that this witness cosigned last. It holds no record.',
  save: 'Save request',
  copied: 'request',
  showQr: 'Show QR code',
  qr: (size: string) => `The request for ${size} records as a QR code`,
  firstTime:
    'A witness that sees this log for the first time also needs the service keys, and has to trust the service key’s fingerprint.',
  saveKeys: 'Save service keys',
  answer: '2. Import the answer',
  answerLines: 'Answer of the witness',
  answerHint: 'Paste the lines of the answer, or choose its file. Each line begins with —.',
  answerFile: 'File with the answer',
  importAnswer: 'Import answer',
  imported: (name: string, size: string) => `${name} cosigned ${size} records.`,
} as const;

export const TIME_STAMPS = {
  title: 'Time stamps',
  what: 'the time stamps',
  explained:
    'An authority for time stamps (RFC 3161) signs that it saw a checkpoint, by its own clock. Its stamps go out with exports and proofs. Who verifies decides which authority to trust.',
  none: 'No time stamp yet: all times are those of this service’s own clock.',
  records: 'Records',
  existedBefore: 'Existed before (UTC)',
  authority: 'Authority',
  added: 'Imported (UTC)',
  renewed: 'Renewed since.',
  request: 'Save request',
  import: 'Import answer…',
  note: 'Note a line…',
  save: 'Save',
  saveOf: (size: string) => `Save the time stamps of ${size} records`,
  renew: 'Renew',
  renewOf: (size: string) => `Renew the time stamp of ${size} records: save a request`,
  older: 'Older time stamps',
  importTitle: 'Import the answer of an authority',
  importExplained:
    'Send the saved request to an authority for time stamps, and keep it: the answer is compared with it. The import is noted in the administrative log, so that what is sealed later is shown to be later.',
  requestFile: 'Request (.tsq)',
  answerFile: 'Answer (.tsr)',
  importVerb: 'Import answer',
  imported: (size: string, authority: string) => `${size} records are stamped by ${authority}.`,
  noteTitle: 'Note a line',
  noteExplained:
    'A line that nobody could know before a time, such as the newest round of a public beacon or a headline of the day. What is sealed from now on is shown to be later, to whoever knows when the line came out.',
  line: 'Line',
  source: 'Where it came out',
  sourceHint: 'So that readers find it, and the time.',
  noteVerb: 'Note line',
  noted: 'The line is in the administrative log.',
} as const;
