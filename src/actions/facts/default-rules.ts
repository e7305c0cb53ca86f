/** A way in which a payload says what became of a call. */
interface OutcomeDefault {
  at: string;
  like?: (string | number | boolean)[];
  is: 'ok' | 'failed' | 'refused' | 'unknown';
}

interface EntityDefault {
  kind: string;
  at: string;
  like?: string;
}

/** Which kind of entity the record's own subject is. */
interface SubjectDefault {
  kind: string;
  like?: string;
}

const FAILED_TEXTS = ['Error', 'Error:*', 'Error *', 'ERROR:*', 'error:*', 'Traceback (most recent call last)*'];
const FAILED_STATES = ['error', 'failed', 'failure', 'timeout', 'timed_out'];
const REFUSED_STATES = ['denied', 'refused', 'blocked', 'rejected', 'forbidden'];
const OK_STATES = ['ok', 'success', 'succeeded', 'completed'];

/** Members that say how a call ended, whatever else they hold. */
const STATES = ['/outcome', '/outcome/status', '/status'];
const OUTPUTS = ['/result', '/output', '/response', '/tool_response', '/return_value'];

const outcomes: OutcomeDefault[] = [
  ...STATES.flatMap((at): OutcomeDefault[] => [
    { at, like: FAILED_STATES, is: 'failed' },
    { at, like: REFUSED_STATES, is: 'refused' },
  ]),
  ...['/is_error', '/isError', '/result/isError', '/result/is_error', '/output/isError'].map(
    (at): OutcomeDefault => ({ at, like: [true], is: 'failed' }),
  ),
  ...['/ok', '/success'].map((at): OutcomeDefault => ({ at, like: [false], is: 'failed' })),
  ...['/exit_code', '/result/exit_code'].map((at): OutcomeDefault => ({ at, like: [0], is: 'ok' })),
  ...['/exit_code', '/result/exit_code'].map((at): OutcomeDefault => ({ at, is: 'failed' })),
  ...['/error', '/result/error', '/output/error'].map((at): OutcomeDefault => ({ at, is: 'failed' })),
  ...OUTPUTS.map((at): OutcomeDefault => ({ at, like: FAILED_TEXTS, is: 'failed' })),
  ...STATES.map((at): OutcomeDefault => ({ at, like: OK_STATES, is: 'ok' })),
  ...OUTPUTS.map((at): OutcomeDefault => ({ at, is: 'ok' })),
];

const MEMBERS_OF_KINDS: Readonly<Record<string, readonly string[]>> = {
  user: ['user_id', 'userId', 'username', 'user_name'],
  customer: ['customer_id', 'customerId', 'client_id'],
  account: ['account', 'account_id', 'accountId', 'account_number', 'iban'],
  reservation: ['reservation_id', 'reservationId', 'reservations', 'booking_id'],
  order: ['order_id', 'orderId', 'order_ids'],
  flight: ['flight_number', 'flightNumber'],
  payment_method: ['payment_id', 'payment_method_id', 'payment_methods.*.id'],
  payment: ['transaction_id', 'transfer_id', 'invoice_id'],
  ticket: ['ticket_id', 'issue_id', 'case_id'],
  file: ['path', 'paths', 'file', 'file_path', 'filePath', 'filename', '*_path', 'absolute_path'],
  host: ['host', 'hostname', 'domain', 'url', 'uri', '*_url'],
};

/** An address is of one kind wherever it stands. */
const ADDRESS = { kind: 'email', like: '*?@?*' };

const entities: EntityDefault[] = [
  ...Object.entries(MEMBERS_OF_KINDS).flatMap(([kind, members]) => members.map((at) => ({ kind, at }))),
  ...['email', '*_email', 'to', 'cc', 'bcc', 'from', 'recipient', 'recipients'].map((at) => ({
    ...ADDRESS,
    at,
  })),
];

/** What is the organization's own, where nobody has said it. */
export const NOTHING_OWN = { domains: [], hosts: [], networks: [], people: [] };

/** The rules that the product brings along. */
export const DEFAULT_RULES = {
  sessions: [
    ...['/session', '/session/id', '/session_id', '/sessionId', '/conversation_id', '/conversationId', '/thread_id'],
    ...['/run_id', '/trace_id'],
  ],
  parents: ['/session/parent', '/parent_session', '/parent_session_id', '/parent_run_id'],
  tools: ['/tool', '/tool/name', '/tool_name', '/toolName', '/function/name', '/function'],
  inputs: ['/arguments', '/input', '/args', '/parameters', '/params', '/tool_input'],
  outputs: OUTPUTS,
  people: ['/on_behalf_of', '/actor/on_behalf_of', '/requested_by', '/approved_by'],
  durations: ['/duration_ms', '/durationMs', '/latency_ms', '/elapsed_ms', '/timing/duration_ms'],
  outcomes,
  subjects: [ADDRESS, { kind: 'subject' }] as SubjectDefault[],
  entities,
  /** Verbs in the names of tools: the first word of a name that is one of them says what the tool does to its input. */
  verbs: {
    read: [
      ...['get', 'read', 'list', 'search', 'find', 'fetch', 'show', 'look', 'lookup', 'view', 'check', 'query', 'grep'],
      ...['glob', 'count', 'describe', 'browse', 'open', 'download', 'calculate', 'think'],
    ],
    write: [
      ...['write', 'edit', 'multiedit', 'update', 'create', 'add', 'set', 'put', 'insert', 'change', 'modify', 'patch'],
      ...['book', 'reserve', 'order', 'buy', 'pay', 'charge', 'refund', 'transfer', 'move', 'rename', 'copy', 'save'],
      ...['approve', 'grant', 'apply', 'merge', 'commit', 'upload', 'append', 'replace', 'return', 'exchange'],
    ],
    delete: ['delete', 'remove', 'cancel', 'drop', 'purge', 'erase', 'revoke', 'clear', 'unlink', 'rm'],
    send: ['send', 'email', 'mail', 'post', 'publish', 'notify', 'push', 'share', 'forward', 'reply', 'submit'],
  },
};
