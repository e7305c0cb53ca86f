/** Limits of the interface that are not settings. */
export const LIMITS = {
  password: { min: 8, max: 256 },
  orgName: 128,
  orgDescription: 512,
  setUpCode: 128,
  email: 256,
  personName: 256,
  displayName: 256,
  /** Of guests, from one address. */
  signUpsPerHour: 200,
  /** Mails that verify an address, in a day: to one address, and from the whole service. */
  addressMailsPerDay: { account: 3, all: 100 },
  responsibleEntity: 512,
  reason: 1024,
  kid: 256,
  keysPerAgent: 100,
  /** Keys for decisions that one person has at a time: one for each browser. */
  decisionKeys: 20,
  page: { default: 50, max: 200 },
  adminEvents: { default: 20, max: 100 },
  tokenName: 128,
  passkeyName: 128,
  passkeys: 20,
  /** Ten years, in seconds. */
  tokenTtlSeconds: 315_360_000,
  /** Of a token that registers an agent: one day. */
  enrolTtlSeconds: 86_400,
  invitationsAtOnboarding: 100,
  batch: 1000,
  /** Values that counts over time leave out, at most. */
  exclusions: 12,
  histogramBuckets: 240,
  redaction: 1000,
  /** Names and addresses of people that one question or export looks for. */
  people: 50,
  /** Kinds of places that an answer about people lists, and records that it names for each. */
  places: 500,
  recordsOfPlace: 5,
  /** Characters. */
  withholdingReason: 500,
  previewedAddresses: 100,
  /** Reports as PDF of more records than these are summaries, unless every record is asked for. */
  detailedRecords: 200,
  caseName: 200,
  caseReceiptFiles: 20,
  /** Items of a case besides the file that it was made of. */
  caseItems: 200,
  trustedKids: 100,
  /** Of a file of roots for time, in characters of PEM or base64. */
  timeRoots: 262_144,
  tag: 64,
  tagsPerRecord: 20,
  /** Tags that a list of annotations comes with. */
  tagsListed: 1000,
  note: 10_000,
  /** Records with tags, a note or a bookmark, of a case or an organization. */
  annotatedRecords: 20_000,
  /** Records that one call gives tags or a note. */
  annotatedAtOnce: 100,
  /** Chosen records that one file for another program holds; what a search finds has no limit. */
  handedRecords: 10_000,
  /** Items that need a look and were looked at, of a case or an organization, and in one call. */
  lookedAt: 100_000,
  lookedAtOnce: 100,
  /** Characters of a query (docs/query-language.md). */
  query: 4096,
  savedSearchName: 128,
  savedSearches: 200,
  /** Payloads, docs/retention.md; `holds` are those in force. */
  retention: {
    rules: 100,
    ruleName: 128,
    defaultFloorDays: 183,
    days: 36_500,
    holds: 200,
    person: 256,
    /** Of a hold on records. */
    heldRecords: 10_000,
    sweepsShown: 50,
  },
  webhookUrl: 2048,
  /** A key in ML-DSA-44 is 1,800 characters, and one in Ed25519 50, each behind a name. */
  witnessKeys: 8192,
  witnessOrganization: 200,
  /** What a witness answers at most: 15 signature lines of the longest kind. */
  witnessAnswer: 65_536,
  /** What a witness is asked: a checkpoint with all of its signatures, and the proof that leads there (protocol F87). */
  witnessRequest: 131_072,
  /** Service keys of a log, as `GET /v1/service-keys/file` has them. */
  serviceKeysFile: 262_144,
  /** Of base64: a token of 64 KiB, and what stands around it. */
  timeStampMessage: 96_000,
  /** A file that is carried is a part of a member of a bundle with 15 others (protocol F151). */
  timeStampFile: 65_536,
  notedLine: 1000,
  notedLineSource: 200,
  settingValue: 2048,
  webhookSecret: { min: 16, max: 256 },
} as const;
