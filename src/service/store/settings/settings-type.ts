/** How the service runs. Times are in the unit that the name says. */
export interface Settings {
  /** Folder of the database, the service key and the exports. */
  readonly dataDir: string;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Requests a minute for each organization; null switches the limit off. */
  readonly rateLimit: number | null;
  readonly epochIntervalSeconds: number;
  readonly epochMaxLeaves: number;
  readonly maxPayloadBytes: number;
  readonly maxBodyBytes: number;
  readonly maxBatchBytes: number;
  /** Connections at once. */
  readonly maxConnections: number;
  /** PEM files; both or none. */
  readonly tlsCert: string | null;
  readonly tlsKey: string | null;
  /** Listen on another interface than loopback without TLS. */
  readonly insecure: boolean;
  readonly logLevel: string;
  /** Who may sign up; null: everybody while the service listens on loopback only, else the first user. */
  readonly signUp: 'open' | 'first-user' | null;
  /** Whether a new password may be one of the most used ones. */
  readonly commonPasswords: 'allow' | 'refuse';
  /** How browsers and providers reach the service; null for where it listens. */
  readonly publicUrl: string | null;
  readonly googleClientId: string | null;
  readonly googleClientSecret: string | null;
  /** OpenID issuer of sign-in with google. */
  readonly googleIssuer: string;
  readonly githubClientId: string | null;
  readonly githubClientSecret: string | null;
  readonly githubUrl: string;
  readonly githubApiUrl: string;
  /** smtp: or smtps: URL with the account; null sends no mail. */
  readonly smtpUrl: string | null;
  readonly smtpFrom: string;
  /** Let webhooks go to private and loopback addresses. */
  readonly webhookAllowPrivate: boolean;
  /** Where backups go; null for the folder `backups` in the data folder. */
  readonly backupDir: string | null;
  /** Weekly is on Mondays. */
  readonly backupEvery: 'off' | 'day' | 'week';
  /** Hour of the day in UTC. */
  readonly backupHour: number;
  /** How many backups of the schedule are kept. */
  readonly backupKeep: number;
  /** Where the service ships what it has sealed: a folder, or `s3://BUCKET/PREFIX`; null for nowhere. */
  readonly archiveTo: string | null;
  /** Address of an object store other than Amazon's; null for what the environment says. */
  readonly archiveEndpoint: string | null;
  /** Whose decisions about payloads in the archive are followed, each as `KEY@ORG_ID`, with commas between; null for nobody's. */
  readonly archiveKey: string | null;
  /** Whether a run may end within its day. */
  readonly archiveEvery: 'day' | 'hour';
  /** Where records are sent as syslog messages over TLS, as HOST:PORT; null for nowhere. */
  readonly syslogTo: string | null;
  /** PEM files: who the syslog server's certificate is from, and what is shown to it; null for the system's authorities, and for nothing. */
  readonly syslogCa: string | null;
  readonly syslogCert: string | null;
  readonly syslogKey: string | null;
  /** Go on with a ledger that is behind its recorded heads: the id of that one rollback, as its refusal names it. */
  readonly acceptRollback: string | null;
  /** Id of the doubt about the machine's clock that the operator answers: it is right. */
  readonly acceptClock: string | null;
  /** Id of the ledger's latest time, which the operator has set back to the machine's. */
  readonly correctClock: string | null;
  /** Start although the newest part of the ledger is damaged; the organizations concerned take no records then. */
  readonly acceptDamage: boolean;
  /** A file whose first line is the passphrase of the key files, where they are protected by one. */
  readonly keyPassphraseFile: string | null;
  /** Largest file that may be uploaded for a case, in bytes; the free space of the disk bounds it too. */
  readonly caseMaxBytes: number;
  /** How many days an export is kept; null for ever. */
  readonly exportKeepDays: number | null;
  /** What each organization may take, and how many there may be (quota-settings.ts). */
  readonly quotaOrganizations: number;
  readonly quotaWebhooks: number;
  readonly quotaDeliveries: number;
  readonly quotaInvitations: number;
  readonly quotaTokens: number;
  readonly quotaExports: number;
  readonly quotaRecordBytes: number;
  readonly quotaAgentBytes: number;
  readonly homeReserveBytes: number;
  readonly quotaExportBytes: number;
  readonly quotaUploads: number;
  readonly quotaCases: number;
  readonly quotaCaseBytes: number;
  /** File of the trust store; null for the usual place of this user, empty for none. */
  readonly trustStore: string | null;
  /** Folder of the built renderer, served at /; null serves none. */
  readonly rendererDir: string | null;
}
