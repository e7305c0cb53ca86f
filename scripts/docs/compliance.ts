/**
 * Which text asks what, and what of the product answers it: the one table that docs/compliance.md is made from. Requirements are
 * in our own words; `source` leads to the text. Names of members, screens, routes and settings are checked by the compiler, those of
 * commands, profile members and documents by test/documentation/compliance.test.ts.
 */
import type { RouteName, SCREENS } from '../../src/api/index.ts';
import type { OperationRecord, ReceiptStatement } from '../../src/protocol/index.ts';

export interface Answers {
  /** Members of a record and its receipt, which are signed. */
  readonly members?: readonly (keyof OperationRecord | keyof ReceiptStatement)[];
  /** Members of the payload profile countersign.agent-action/1, which an agent or recorder fills in. */
  readonly profile?: readonly string[];
  readonly screens?: readonly (keyof typeof SCREENS)[];
  readonly commands?: readonly string[];
  readonly routes?: readonly RouteName[];
  /** Files of docs/, with or without an anchor. */
  readonly documents?: readonly string[];
}

export interface Requirement {
  /** Article, clause or criterion. */
  readonly of: string;
  readonly asks: string;
  readonly answeredBy: Answers;
  /** What of it the product does not do. */
  readonly open: string;
}

export interface Framework {
  readonly name: string;
  readonly source: string;
  /** What has to be known before reading the rows. */
  readonly note: string;
  readonly requirements: readonly Requirement[];
}

export const FRAMEWORKS: readonly Framework[] = [
  {
    name: 'EU AI Act (Regulation (EU) 2024/1689)',
    source: 'https://eur-lex.europa.eu/eli/reg/2024/1689/oj',
    note: 'About high-risk AI systems. Whether a system is one, and who is provider and who deployer, is decided elsewhere.',
    requirements: [
      {
        of: 'Art. 12(1)',
        asks: 'The system can record events automatically over its lifetime.',
        answeredBy: {
          members: ['operation_id', 'issued_at', 'operation_type', 'subject', 'action', 'server_received_at', 'seq_no'],
          commands: ['record install'],
          documents: ['recorders.md', 'agent-library.md'],
        },
        open: 'That everything is recorded: an agent that signs nothing leaves nothing.',
      },
      {
        of: 'Art. 12(2)(a)',
        asks: 'Events that help to find situations with a risk, or a substantial change of the system.',
        answeredBy: {
          profile: ['phase', 'outcome', 'decision', 'actor', 'tools'],
          screens: ['dashboard', 'search', 'refused'],
          documents: ['investigating.md', 'query-language.md'],
        },
        open: 'Which situations are a risk is yours to define. Marks and rules help to search; nothing is scored.',
      },
      {
        of: 'Art. 12(2)(b)',
        asks: 'Events that serve the provider’s monitoring after the system is on the market.',
        answeredBy: {
          screens: ['sessions', 'entities', 'exports'],
          routes: ['auditQuery', 'createExport', 'registerWebhook'],
        },
        open: 'The monitoring plan, and statistics over several services.',
      },
      {
        of: 'Art. 12(2)(c), 26(5)',
        asks: 'Events by which the deployer monitors operation.',
        answeredBy: { screens: ['dashboard', 'sessions', 'search'], routes: ['activity', 'registerWebhook'] },
        open: 'Alerts on the content of actions: webhooks tell of events of the ledger, not of rules.',
      },
      {
        of: 'Art. 12(3)',
        asks: 'For remote biometric identification: begin and end of each use, reference database, input that matched, and who verified the result.',
        answeredBy: {
          profile: ['session', 'phase', 'input', 'output', 'touched', 'decision'],
          documents: ['agent-actions.md#decisions'],
        },
        open: 'No member is made for biometrics: database and match go into `touched`, `input` and `output` as the agent’s author decides.',
      },
      {
        of: 'Art. 19(1), 26(6)',
        asks: 'Logs are kept as long as fits the purpose, at least six months, unless other law says otherwise.',
        answeredBy: {
          screens: ['retention'],
          routes: ['setRetentionRules', 'placeHold', 'retentionCertificate'],
          commands: ['backup', 'restore'],
          documents: ['retention.md'],
        },
        open: 'The default floor of 183 days binds sweeps; erasing a single payload asks for no age. What holds for you is a legal question.',
      },
      {
        of: 'Art. 19(2)',
        asks: 'Financial institutions keep these logs with the documents that financial law asks for.',
        answeredBy: { commands: ['verify', 'report'], routes: ['createExport'], documents: ['report.md'] },
        open: 'No connection to an archive: exports are files that you file.',
      },
    ],
  },
  {
    name: 'ISO/IEC DIS 24970, AI system logging',
    source: 'https://www.vde.com/topics-en/artificial-intelligence/blog/eu-ai-act--ai-system-logging',
    note: 'Read from a public overview of the draft of 2025, not from the standard. Clause numbers are those of the draft.',
    requirements: [
      {
        of: 'Clause 5',
        asks: 'Purpose, scope and responsibilities of logging are defined.',
        answeredBy: {
          members: ['org_id', 'agent_id'],
          screens: ['agents', 'people'],
          documents: ['interface.md#roles'],
        },
        open: 'The definition itself: an agent has a responsible entity and a contact, and no policy document.',
      },
      {
        of: 'Clause 6',
        asks: 'The design supports traceability to decisions, data flows and controls.',
        answeredBy: {
          members: ['prev_chain_hash', 'payload_hash', 'chain_hash'],
          profile: ['cause', 'trace', 'actor', 'decision'],
          documents: ['protocol/format.md', 'what-happens.md'],
        },
        open: 'Links to design documents of your system.',
      },
      {
        of: 'Clause 7',
        asks: 'What triggers a log entry, in normal and exceptional operation.',
        answeredBy: { profile: ['phase', 'gap', 'outcome'], documents: ['recorders.md', 'agent-actions.md#phases'] },
        open: 'Triggers inside a model: what the recorder sees are calls of tools, prompts and decisions.',
      },
      {
        of: 'Clause 8',
        asks: 'Which information an entry holds.',
        answeredBy: {
          members: ['issued_at', 'agent_id', 'operation_type', 'subject', 'action'],
          profile: ['session', 'tool', 'input', 'output', 'told', 'touched', 'timing'],
          documents: ['agent-actions.md#form'],
        },
        open: 'Model weights and parameters; only name and version of the model, where the program tells them.',
      },
      {
        of: 'Storage and access',
        asks: 'Entries are stored, protected and available to those who need them.',
        answeredBy: {
          screens: ['people', 'tokens', 'retention', 'adminEvents'],
          commands: ['backup', 'verify'],
          documents: ['security.md', 'operations.md'],
        },
        open: 'Payloads are in clear text in the data folder; encrypt the disk.',
      },
    ],
  },
  {
    name: 'SOC 2 (AICPA Trust Services Criteria)',
    source: 'https://www.aicpa-cima.com/resources/download/get-the-2017-trust-services-criteria',
    note: 'A SOC 2 report is about your controls. These are criteria for which the ledger is evidence.',
    requirements: [
      {
        of: 'CC6.1 to CC6.3',
        asks: 'Access is limited, granted and removed by role.',
        answeredBy: {
          screens: ['people', 'tokens', 'adminEvents'],
          routes: ['organization', 'changeOrganization', 'listAdminEvents'],
          documents: ['interface.md#roles', 'interface.md#authentication'],
        },
        open: 'Access to the systems that agents act on.',
      },
      {
        of: 'CC7.2',
        asks: 'Systems are monitored for anomalies.',
        answeredBy: { screens: ['dashboard', 'refused', 'search'], documents: ['investigating.md'] },
        open: 'No feed to a SIEM beside webhooks and exports.',
      },
      {
        of: 'CC7.3, CC7.4',
        asks: 'Security events are evaluated and responded to.',
        answeredBy: {
          screens: ['cases'],
          routes: ['freezeAgent', 'revokeKey', 'createCase'],
          documents: ['case-room.md', 'investigating.md'],
        },
        open: 'Tickets, escalation and communication.',
      },
      {
        of: 'CC8.1',
        asks: 'Changes are authorized, tested and approved.',
        answeredBy: {
          profile: ['decision', 'presented'],
          routes: ['submitDecision'],
          documents: ['agent-actions.md#decisions'],
        },
        open: 'That an approval was required at all: that is a rule of your program.',
      },
      {
        of: 'PI1.4, PI1.5',
        asks: 'Output and stored items are complete, accurate and protected.',
        answeredBy: { commands: ['verify', 'qualify'], documents: ['what-it-proves.md', 'qualification.md'] },
        open: 'Whether the content of a record is true.',
      },
    ],
  },
  {
    name: 'SEC Rule 17a-4(f), audit-trail alternative',
    source: 'https://www.ecfr.gov/current/title-17/chapter-II/part-240/section-240.17a-4',
    note: 'For broker-dealers in the USA. Countersign is one system of several that such a record-keeping needs.',
    requirements: [
      {
        of: '(f)(2)(i)(A)',
        asks: 'A complete, time-stamped audit trail of all changes and deletions, with time and person, from which the original can be made again.',
        answeredBy: {
          members: ['issued_at', 'server_received_at', 'chain_hash', 'signature'],
          screens: ['adminEvents'],
          routes: ['listAdminEvents', 'adminChain'],
          documents: ['protocol/format.md', 'retention.md'],
        },
        open: 'Erasing a payload is recorded, and the payload cannot be made again. Where this rule applies: set no ceilings, and hold the records. A person with the role security_admin can still erase single payloads that no hold covers.',
      },
      {
        of: '(f)(2)(ii)',
        asks: 'Completeness and accuracy of storing are verified automatically.',
        answeredBy: {
          commands: ['verify', 'backup'],
          routes: ['verifyLedger'],
          documents: ['operations.md#what-a-start-checks'],
        },
        open: 'A schedule of whole verifications: backups have one, `verify --data-dir` is run by your scheduler.',
      },
      {
        of: '(f)(2)(iv)',
        asks: 'Records and audit trail can be downloaded, for people to read and in a usable electronic form.',
        answeredBy: {
          commands: ['report', 'proof'],
          routes: ['createExport', 'downloadExport'],
          documents: ['report.md', 'verify-without-countersign.md'],
        },
        open: 'Nothing known.',
      },
      {
        of: '(f)(2)(v)',
        asks: 'A backup system or other redundancy keeps the records if the original cannot be reached.',
        answeredBy: {
          commands: ['backup', 'restore'],
          routes: ['createBackup', 'verifyBackup'],
          documents: ['operations.md#backup'],
        },
        open: 'Backups are made by schedule: what was accepted after the last one is on one machine. A second disk or site is yours.',
      },
      {
        of: '(f)(3)(v)',
        asks: 'A designated officer or third party undertakes to give access.',
        answeredBy: { screens: ['people'] },
        open: 'The undertaking is a document of yours. A second system or storage is yours to provide.',
      },
    ],
  },
];
