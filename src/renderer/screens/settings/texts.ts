import { plural } from '../../lib/plural.ts';

export const ABOUT_SECTION = {
  what: 'the components of this program',
  dataFolder: 'Data folder',
  dataFolderCopied: 'data folder',
  schema: 'Ledger schema',
  nodeJs: 'Node.js',
  sqlite: 'SQLite',
  electron: 'Electron',
  system: 'System',
  licences: (components: string) => `Licences (${components})`,
  filterComponents: 'Filter components',
  filter: 'Filter',
  component: 'Component',
  version: 'Version',
  licence: 'Licence',
  licenceTextOf: (licence: string, name: string) => `${licence}: licence text of ${name}`,
  licenceMore: (more: string) => `Licence of ${more}`,
  licenceText: 'Licence text',
  close: 'Close',
} as const;

export const BACKUP_TABLE = {
  kept: (backups: string) => `Kept (${backups})`,
  createdUtc: 'Created (UTC)',
  started: 'Started',
  size: 'Size',
  found: 'Check',
  name: 'Name',
  bySchedule: 'on schedule',
  manually: 'manually',
  sizeBytes: (size: string) => `${size} bytes`,
  nameCopied: 'name',
  verifyNamed: (backupId: string) => `Verify backup ${backupId}`,
  verify: 'Verify backup',
  passed: 'Passed',
  failed: 'Failed',
} as const;

export const BACKUPS_SECTION = {
  what: 'the backups',
  schedule: 'Schedule',
  backups: 'Backups',
  backUpNow: 'Back up now',
  lastVerified: 'Last verified',
  noneVerified: 'No backup has been verified yet',
  verified: 'Verified',
  next: 'Next',
  onlyManually: 'only manually',
  folder: 'Folder',
  folderCopied: 'folder',
  lastRun: 'Last run',
  howToKeep:
    'A backup contains the database and the secret keys. Protect a backup as you protect the keys, and store a copy on another disk. Restore a backup from the command line into a new folder, so that no ledger is ever overwritten: {command}.',
  noRun: 'none since start',
  copying: 'Copying',
  copied: '{percent} % copied',
  verifying: 'Verifying…',
  runFailed: '{what} failed: {failure}',
  runCompleted: '{what} completed {endedAt}',
  aBackup: 'A backup',
  aVerification: 'A verification',
} as const;

export const GUEST_TEXTS = {
  guest: 'Only the home organization administers this service. Your organization is a guest.',
} as const;

export const KEYS_SECTION = {
  serviceKeys: 'the service keys',
  fingerprints: 'Fingerprints',
  saveKeySet: 'Save key set (JWKS)',
  asQrCode: (kid: string) => `Fingerprint ${kid} as a QR code`,
  organizationFingerprint: 'Fingerprint of your organization {fingerprint}',
  recipients:
    'Recipients identify your service by the key and your ledger by the organization. Whoever verifies a bundle needs both fingerprints from you over a separate channel: read out or on paper. This key signs the receipts and epochs of all organizations on this service.',
  history: 'Key history',
  fingerprint: 'Fingerprint',
  state: 'State',
  signed: 'Signed by',
  sinceUtc: 'Since (UTC)',
  untilUtc: 'Until (UTC)',
  selfSigned: 'self-signed (first key)',
} as const;

export const ROTATE_KEY = {
  rotated: 'The service now signs with a new key. The old key signed the new key.',
  ask: 'Rotate key…',
  title: 'Rotate the service key',
  confirm: 'Rotate key',
  typeBeginning: (word: string) => `Type ${word}, the beginning of the current fingerprint`,
  fromNow: '{when} the new key signs receipts, epochs and exports. Agents keep submitting during the rotation.',
  now: 'From now on',
  oldTrust:
    '{effect} Whoever trusts the old fingerprint can still verify: new bundles contain the signed rotation. Send the new fingerprint to your auditors anyway.',
  oldKeySignsNew: 'The old key signs the new one.',
  staysValid: '{heading} every receipt, epoch and bundle that the old key signed verifies as before.',
  whatStays: 'What stays:',
  oldSecret:
    '{heading} the old secret key is removed from this machine and can sign nothing again. Earlier backups still contain the old secret. If the secret was stolen, delete those backups too.',
  whatGoes: 'What goes:',
  recorded:
    '{heading} The admin log of every organization on this service records the rotation. Create a backup afterwards: that backup contains the new key.',
  final: 'You cannot undo this.',
} as const;

export const SETTING_FIELD = {
  none: 'none',
  notSaved: 'not saved',
  removeValue: 'Remove value',
  useDefault: 'Use default',
  undoChange: 'Undo change',
  noneAfter: 'none after saving',
  defaultAfter: (fallback: string) => `${fallback} after saving`,
  replaceSecret: (value: string) => `set${value} – enter another value to replace the present one`,
  notSet: 'not set',
  pending: 'After a restart of the service: {value}',
  needsRestart: 'Takes effect after a restart of the service.',
} as const;

export const SETTING_TEXTS = {
  byDefault: 'default',
  listeningAddress: 'Listening address',
  addressHint:
    'An address that other machines can reach requires a certificate. You name the certificate when you start the service.',
  port: 'Port',
  portHint: '0 picks a free port at each start.',
  publicAddress: 'Public address',
  publicAddressHint: 'Where browsers reach the service, if the address differs.',
  whoMaySignUp: 'Who may sign up',
  signUpHint: 'Further organizations on this service are guests and do not administer the service.',
  signUpLocal: 'Anyone on this machine; only the first person from elsewhere',
  anyone: 'Anyone',
  onlyFirstPerson: 'Only the first person',
  weakPasswords: 'Most common passwords',
  weakPasswordsHint: 'Applies to new passwords. Existing passwords stay unchanged.',
  allowWarning: 'Allow, with a warning',
  refuse: 'Refuse',
  sealEpochAfterSeconds: 'Seal an epoch after (seconds)',
  epochSecondsHint: 'Counted from the first record of the epoch. An open epoch keeps the limit it began with.',
  sealEpochRecords: 'Seal an epoch at (records)',
  epochRecordsHint: 'Whichever limit is reached first.',
  requestLimit: 'Requests per minute for each organization',
  requestLimitHint: '“off” for no limit.',
  googleClientId: 'Google client ID',
  googleHint: 'Without a client ID, nobody can sign in with Google.',
  googleClientSecret: 'Google client secret',
  githubClientId: 'GitHub client ID',
  githubHint: 'Without a client ID, nobody can sign in with GitHub.',
  githubClientSecret: 'GitHub client secret',
  mailServer: 'Mail server',
  mailServerHint: 'smtps://account:password@mail.example.org. Account and password are never shown again.',
  sender: 'Sender',
  senderHint: 'Sender address of invitation mails.',
  schedule: 'Backup schedule',
  scheduleHint: 'A backup that was missed while the service was off runs at the next start.',
  onlyManually: 'Only manually',
  everyDay: 'Every day',
  everyMonday: 'Every Monday',
  archive: 'Archive',
  archiveHint:
    'Folder or bucket to which the service ships what it has sealed. You name it when you start the service.',
  archiveSchedule: 'Ship to the archive',
  archiveScheduleHint: '65,536 records are shipped at once. Every hour makes more and smaller files.',
  afterDay: 'When the day (UTC) is over',
  everyHour: 'Every hour',
  keepCount: 'Scheduled backups to keep',
  keepHint:
    'Older scheduled backups are deleted, but never the last one that passed its check. Backups that people started stay.',
  commandLine: 'command line',
  configurationFile: 'configuration file',
  givenAtStart: 'set at start',
  changedHere: 'changed here',
  backupHour: 'Backup hour (UTC)',
  backupHourHint: '0 to 23.',
} as const;

export const SETTINGS_FORM = {
  savedLater: 'Saved. Some changes take effect after a restart of the service.',
  savedNow: 'Saved. All changes are in effect.',
  saveSettings: 'Save settings',
  recorded: 'The admin log records each change, secrets only by name.',
} as const;

export const SETTINGS_SCREEN = {
  signIn: 'Sign-in',
  service: 'Service',
  mail: 'Mail',
  serviceKeys: 'Service keys',
  trustStore: 'Trust store',
  backups: 'Backups',
  about: 'About',
  settings: 'Settings',
  titleOf: (section: string) => `Settings: ${section}`,
  sections: 'Sections',
  what: 'the settings',
  signProviders: 'Sign-in providers',
  providersExplained:
    'Without a provider, people sign in with a password that only this service knows. The data folder stores a client secret in a file that only the service’s user can read.',
  mailExplained:
    'With a mail server, the service mails invitations. Without a mail server, the service shows the codes and you send them yourself.',
  listening: 'Listening',
  epochs: 'Epochs',
  limits: 'Limits',
  archive: 'Archive',
} as const;

export const TRUST_DRAFT = {
  tooLarge: 'This file is larger than a key set can be.',
  privateKey: 'This file contains a private key. Leave the file where it is and ask for the public key set.',
  notKeySet: 'This file is not a key set (JWKS) of Ed25519 keys.',
  weakKey: 'This file has a weak key: whoever made it could sign anything with it.',
  otherKid: 'This file calls a key by a name (kid) that is not its own: ask whoever sent it for the right one.',
  wrongLength: (what: string, expected: number, found: number) =>
    `${what} has ${expected} characters without the blanks between groups; this text has ${found}.`,
  wrongCharacters: (what: string) => `${what} has only letters, digits, - and _; this text has other characters.`,
  wrongEnd: (what: string) => `${what} cannot end like this. Check the last character.`,
  code: 'A fingerprint',
  noFile: 'Choose the key set file first.',
  kid: 'A fingerprint',
} as const;

export const TRUST_FIELDS = {
  byFingerprint: 'Fingerprint, read out or on paper',
  byQrCode: 'Text of a QR code',
  whatYouHave: 'What you have',
  fingerprint: 'Fingerprint',
  fingerprintHint:
    'The 43 characters of the fingerprint, or the 60 digits of a key that signed a bundle verified here. Get the fingerprint from whoever runs the service, over a separate channel.',
  qrCodeText: 'Text of the QR code',
  qrCodeHint:
    'As a reader types the text or a phone shows it. A code that arrived together with the bundle proves nothing.',
  keySetFile: 'Key set file',
  organizationIdOptional: 'Organization ID (optional)',
  organizationHint:
    'The organization whose bundles the key may verify. Without an organization the key is known, and you confirm each organization on its first case.',
  organizationFingerprint: 'Fingerprint of this organization: {fingerprint}',
  unreadable: 'This file cannot be read.',
  keysFile: 'Keys in the file',
  compareFirst:
    'Before you trust a key, compare each fingerprint with what the issuer told you over a separate channel:',
  byFile: 'A key set file (JWKS)',
} as const;

export const TRUST_KEY = {
  oneTrusted: 'Key trusted.',
  manyTrusted: (keys: string) => `${keys} trusted.`,
  keys: (count: number) => plural(count, 'key'),
  title: 'Trust key',
  nameOptional: 'Name (optional)',
  submitSeveral: 'Trust keys',
  submit: 'Trust key',
  trustedWithWarning: 'Key trusted. Check this before you rely on the key:',
  close: 'Close',
} as const;

export const TRUST_SECTION = {
  withoutName: 'without a name',
  trustStore: 'the trust store',
  noStore:
    'No trust store is available to you: the service runs without one, or your organization is a guest of this service. You can trust keys for single cases.',
  removed: 'Key no longer trusted.',
  trustedRows: (rows: string) => `Trusted (${rows})`,
  trustKey: 'Trust key…',
  noneTrusted:
    'No trusted keys. A bundle is verified only for a key and an organization that you trust. First compare both fingerprints over a separate channel.',
  name: 'Name',
  fingerprint: 'Fingerprint',
  organizations: 'Organizations',
  trustedSinceUtc: 'Trusted since (UTC)',
  removeNamed: (kid: string) => `Remove ${kid}`,
  removeAsked: 'Remove…',
  removeTitle: 'Stop trusting this key',
  stopTrustingKey: 'Stop trusting key',
  consequence:
    'This workstation and the command line on this machine no longer accept bundles that this key signed. Earlier verdicts stay until you verify again. The bundles stay.',
  noneConfirmed: 'none confirmed: this key verifies no bundle yet',
  alsoSigns: 'also signs for',
  notConfirmed: ', not confirmed',
  seen: (issuers: string) => `Seen, not trusted (${issuers})`,
  organization: 'Organization',
  keysBundles: 'Keys of bundles',
  lastSeenUtc: 'Last seen (UTC)',
} as const;

export const TRUST_WITNESSES = {
  title: 'Witnesses',
  add: 'Demand witness…',
  none: 'No witnesses are demanded. With a witness here, a bundle is verified only if a checkpoint that witnesses cosigned covers its records.',
  everyLedger: 'Every ledger',
  ledger: 'Ledger of {id} ({fingerprint})',
  ofLedger: (orgId: string) => `Ledger of ${orgId}`,
  demanded: (threshold: number, of: number) => `${threshold} of ${of} demanded`,
  changeNumber: 'Change number…',
  organization: 'Organization',
  keys: 'Keys',
  since: 'Demanded since (UTC)',
  algorithm: { ed25519: 'Ed25519', 'ml-dsa-44': 'ML-DSA-44' },
  remove: 'Remove…',
  removeNamed: (name: string) => `Remove witness ${name}`,
  removeTitle: 'Remove witness',
  removeWitness: 'Remove witness',
  removeConsequence:
    'Cosignatures of this organization no longer count on this workstation and on its command line. If no witness remains, bundles are verified without witnesses. Earlier verdicts stay until you verify again.',
  removed: 'Witness removed.',
  changeTitle: 'Change how many witnesses are demanded',
  number: 'Number of organizations',
  numberHint: (most: number) => `1 to ${most}. Several keys of one organization count once.`,
  numberProblem: (most: number) => `The number of organizations must be a whole number from 1 to ${most}.`,
  saveNumber: 'Save number',
  changed: 'Number of witnesses changed. Verify your cases again to apply it.',
  addTitle: 'Demand witness',
  addVerb: 'Demand witness',
  added: 'Witness added. Verify your cases again to apply it.',
  name: 'Organization of the witness',
  nameHint: 'The verdict names this organization. Keys that you add under the same name count as one witness.',
  keysHint:
    'One key in each line, as “countersign witness keys” prints them. Get the keys from the witness over a separate channel.',
  ledgerHint:
    'The organization whose ledger the witness must cosign. Without an organization the witness is demanded of every ledger for which you name no other witnesses.',
} as const;

export const TIME_ROOTS = {
  title: 'Trusted for time',
  add: 'Trust root certificate…',
  none: 'No root certificates. Time stamps count only if they lead to a root certificate that you trust for time.',
  subject: 'Subject',
  fingerprint: 'SHA-256',
  until: 'Trusted until (UTC)',
  since: 'Trusted since (UTC)',
  withoutEnd: 'without end',
  remove: 'Remove…',
  removeNamed: (subject: string) => `Remove ${subject}`,
  removeTitle: 'Stop trusting this root certificate',
  removeRoot: 'Stop trusting certificate',
  consequence: 'Time stamps that lead to this root certificate no longer count.',
  removed: 'Root certificate no longer trusted.',
  addTitle: 'Trust root certificate',
  addVerb: 'Trust certificate',
  added: 'Root certificate trusted.',
  compare: 'Compare the SHA-256 fingerprint with what the time authority publishes over a separate channel.',
  file: 'Certificate file (PEM or DER)',
  untilOptional: 'Trusted until (optional)',
  untilHint: 'The end of this day in UTC. Later time stamps do not count unless a renewal covers them.',
  noFile: 'Choose the certificate file first.',
  tooLarge: 'This file is larger than a file of root certificates can be.',
} as const;
