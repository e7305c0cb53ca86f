import type { JsonObject } from '../../protocol/light.ts';
import type { Access } from '../fields/codes.ts';
import type { RecordOutcome } from './record-facts.ts';

/** A way in which a payload says what became of a call. */
interface OutcomeRule {
  readonly at: string | readonly string[];
  /** The value is one of these. Without it, and without bounds, that there is a value is enough. */
  readonly like?: readonly (string | number | boolean)[];
  /** The value is a number, or a text of digits, from this one on, and up to that one. */
  readonly from?: number;
  readonly to?: number;
  readonly is: RecordOutcome;
}

interface EntityRule {
  readonly kind: string;
  readonly at: string | readonly string[];
  readonly like?: string;
  readonly access?: Access;
}

/** An object that is a call by the members it has. Pointers are relative to it. */
interface CallRule {
  /** Where it stands: `*` is any element of an array, the first that fits counts; the empty pointer is the payload itself. */
  readonly at: string | readonly string[];
  /** Of each group it has at least one member. */
  readonly has?: readonly (readonly string[])[];
  readonly like?: Readonly<Record<string, readonly string[]>>;
  /** Of records of this type alone. */
  readonly type?: string;
  /** Where the tool's name stands: a pointer, or the record's own action. */
  readonly tool?: string;
  /** What the tool is called where no member says it. */
  readonly named?: string;
  /** A prefix that is left out of the tool's name. */
  readonly prefix?: string;
  /** Where its id stands, where it is not in a member of `ids`. */
  readonly id?: string;
  readonly inputs?: readonly string[];
  readonly outputs?: readonly string[];
  /** Where a word stands that says what is done, such as an HTTP method. */
  readonly verb?: readonly string[];
}

/** What rules can say; each member is a list of the reading rules (docs/interface.md, Investigation). */
export interface RuleLists {
  readonly sessions: readonly string[];
  readonly parents: readonly string[];
  readonly tools: readonly string[];
  readonly within: readonly string[];
  readonly calls: readonly CallRule[];
  readonly ids: readonly string[];
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly people: readonly string[];
  readonly durations: readonly string[];
  readonly outcomes: readonly OutcomeRule[];
  readonly subjects: readonly { readonly kind: string; readonly like?: string }[];
  readonly entities: readonly EntityRule[];
  readonly commands: readonly string[];
}

/** A rule with a payload that it reads, and what is read there. */
interface TableRule extends Partial<RuleLists> {
  readonly verbs?: Partial<Record<'read' | 'write' | 'delete' | 'send', readonly string[]>>;
  readonly example: JsonObject;
  /** Members of the record around it, where they matter. */
  readonly head?: { readonly operation_type?: string; readonly action?: string; readonly subject?: string };
  readonly expected: {
    readonly session?: string;
    readonly parentSession?: string;
    readonly call?: string;
    readonly tool?: string | null;
    readonly outcome?: RecordOutcome | null;
    readonly error?: string;
    readonly person?: string;
    readonly duration?: number;
    readonly hosts?: readonly string[];
    /** As `access kind id`: these are among the entities. */
    readonly entities?: readonly string[];
    readonly summary?: string;
  };
}

/** Each word as programs write it: in lowercase, in capitals, and with one. */
const cases = (...words: readonly string[]): string[] =>
  words.flatMap((word) => [word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)]);

/** Each member below each of some objects; the empty one is the payload itself. */
const below = (objects: readonly string[], members: readonly string[]): string[] =>
  objects.flatMap((object) => members.map((member) => `${object}/${member}`));

const STATES = [
  ...below(
    [''],
    ['outcome', 'status', 'state', 'executionStatus', 'execution_status', 'resultType', 'decision', 'conclusion'],
  ),
  ...below(
    [''],
    ['result_status', 'resultStatus', 'ResultStatus', 'Status', 'state_type', 'phase', 'completion_status'],
  ),
  ...['/outcome/status', '/outcome/result', '/toolResult/status', '/status/code', '/state/type', '/status/status'],
  ...['/status/state', '/result/state', '/event_outcome', '/event/outcome', '/status/phase', '/EXECUTION_STATUS'],
];
/** How severe a line of a log is. */
const LEVELS = ['/level', '/@level', '/log_level', '/severity', '/error_severity', '/levelname', '/severityText'];
/** What an event is called; its last word may say how something ended. */
const EVENT_NAMES = [
  ...['/type', '/event', '/event_type', '/eventType', '/event_name', '/eventName', '/RecordType', '/event/type'],
  ...['/event/event_type', '/kind'],
];
/** Each word as the last one of a name, however that is written. */
const lastWords = (...words: readonly string[]): string[] =>
  words.flatMap((word) => [
    ...[`*_${word}`, `*.${word}`, `*-${word}`, `*:${word}`, `*/${word}`],
    ...[`*_${word.toUpperCase()}`, `*.${word.toUpperCase()}`],
    `*${word.charAt(0).toUpperCase()}${word.slice(1)}`,
  ]);
/** What an event of an audit log is called, and who or from where, of which such an event has one. */
const EVENTS = [
  ...['eventType', 'event_type', 'event_name', 'eventName', 'operation', 'Operation', 'activity', 'event_action'],
  ...['eventAction', 'audit_action', 'actionType', 'action_type'],
];
const ACTORS = [
  ...['/actor', '/user', '/userId', '/UserId', '/user_id', '/username', '/user_name', '/principal', '/initiator'],
  ...['/agent', '/outcome', '/target', '/client_ip', '/ClientIP', '/ip_address', '/resource_type'],
];
const OUTPUTS = ['/result', '/output', '/response', '/tool_response', '/return_value'];
const HTTP_STATUS = [
  ...below(
    ['', '/response', '/result', '/output'],
    ['http_status', 'http_status_code', 'status_code', 'statusCode', 'httpStatusCode'],
  ),
  ...[
    '/status',
    '/response/status',
    '/responseStatus/code',
    '/output/status',
    '/httpRequest/status',
    '/error/status_code',
  ],
];
/** Where an exit code says how a command ended: in the payload, in its call, and in what it put out. */
export const EXIT_CODES = below(
  ['', '/result', '/output', '/outputs', '/response', '/action', '/metadata', '/extras/metadata'],
  ['exit_code', 'exitCode', 'exit_status', 'exitStatus', 'returncode', 'return_code', 'rc'],
);
/** An address is of one kind wherever it stands. */
const ADDRESS = { kind: 'email', like: '*?@?*' } as const;
const COMMANDS = ['command', 'cmd', 'argv', 'command_line', 'commandLine', 'shell_command', 'bash_command', 'args'];

/**
 * How payloads are read that are of no profile: common members, the calls of common frameworks, and plain shapes. Within a list the first
 * rule that fits counts, so the order of the table is theirs. Each rule has an example, which a test reads.
 */
export const RULE_TABLE: readonly TableRule[] = [
  // Members that say it themselves.
  {
    sessions: [
      ...['/session', '/session/id', '/session_id', '/sessionId', '/conversation_id', '/conversationId', '/thread_id'],
      ...['/threadId', '/run_id', '/runId', '/trace_id', '/traceId', '/context/session_id', '/metadata/session_id'],
      ...['/chat_id', '/conversation/id', '/execution_id', '/executionId', '/workflow_run_id', '/invocation_id'],
      ...['/attributes/gen_ai.conversation.id', '/attributes/session.id'],
    ],
    example: { conversationId: 'c-17', text: 'hello' },
    expected: { session: 'c-17' },
  },
  {
    parents: [
      ...['/session/parent', '/parent_session', '/parent_session_id', '/parent_run_id', '/parentRunId'],
      ...['/parent_thread_id', '/parent_execution_id'],
    ],
    example: { run_id: 'r2', parent_run_id: 'r1' },
    expected: { session: 'r2', parentSession: 'r1' },
  },
  {
    tools: [
      ...['/tool', '/tool/name', '/tool_name', '/toolName', '/function/name', '/function', '/function_name'],
      ...['/functionName', '/attributes/gen_ai.tool.name', '/gen_ai.tool.name', '/attributes/tool.name'],
      ...['/tool_call_metadata/function_name', '/toolCallName', '/tool_call_name', '/tool_call/name', '/toolCall/name'],
    ],
    inputs: [
      ...['/arguments', '/input', '/args', '/parameters', '/params', '/tool_input', '/tool_args', '/tool_kwargs'],
      ...['/toolInput', '/function/arguments', '/raw_input', '/kwargs', '/attributes/gen_ai.tool.call.arguments'],
      ...['/attributes/input.value', '/gen_ai.tool.call.arguments'],
    ],
    outputs: [
      ...OUTPUTS,
      ...['/tool_output', '/toolOutput', '/raw_output', '/observation', '/observations', '/returns'],
      ...['/attributes/gen_ai.tool.call.result', '/attributes/output.value', '/gen_ai.tool.call.result'],
    ],
    example: { tool_name: 'lookup_order', tool_args: { order_id: 'W7' }, tool_output: '{"state":"sent"}' },
    expected: { tool: 'lookup_order', outcome: 'ok', entities: ['read order W7'] },
  },
  {
    people: [
      ...['/on_behalf_of', '/actor/on_behalf_of', '/requested_by', '/requestedBy', '/approved_by', '/initiated_by'],
      ...['/triggered_by', '/performed_by', '/performedBy', '/actor/email', '/actor/alternateId', '/actor/user/email'],
      ...['/actor/login', '/actor/username', '/actor/name', '/actor/id', '/actor', '/principal/email', '/principal'],
      ...['/user/email', '/user/username', '/user/name', '/user/login', '/userIdentity/userName', '/userIdentity/arn'],
      ...['/userIdentity/email', '/initiatedBy/user/userPrincipalName', '/userPrincipalName', '/USER_NAME'],
      ...['/authenticationInfo/principalEmail', '/protoPayload/authenticationInfo/principalEmail', '/caller'],
      ...[
        '/user_username',
        '/sender/login',
        '/sender/name',
        '/attributes/enduser.id',
        '/attributes/user.id',
        '/actor_name',
      ],
      ...[
        '/actor_email',
        '/actor/display_name',
        '/actor/displayName',
        '/actor/user_id',
        '/actor/user/name',
        '/auth/display_name',
      ],
      ...['/initiator/email', '/initiator/name', '/initiator', '/created_by', '/createdBy', '/executed_by'],
      ...['/executedBy', '/started_by', '/startedBy', '/author/email', '/author/name', '/agent/summary'],
      // A name says more than an id.
      ...['/username', '/userName', '/user_name', '/UserId', '/userId', '/user_id'],
    ],
    example: { actor: { type: 'User', alternateId: 'mia@corp.example' }, action: 'group.leave' },
    expected: { person: 'mia@corp.example' },
  },
  {
    durations: [
      ...['/duration_ms', '/durationMs', '/latency_ms', '/latencyMs', '/elapsed_ms', '/timing/duration_ms', '/took_ms'],
      ...['/executionTime', '/execution_time_ms', '/response_time_ms', '/metrics/latencyMs'],
    ],
    example: { tool: 'ping', args: {}, latencyMs: 41 },
    expected: { duration: 41 },
  },

  // What became of it. What says that it failed comes before what says that it is over.
  {
    outcomes: [
      {
        at: STATES,
        like: [
          ...cases('error', 'failed', 'failure', 'timeout', 'timed_out', 'aborted', 'crashed', 'errored', 'fail'),
          ...cases('incomplete', 'unsuccessful', 'undelivered', 'bounced', 'declined'),
          ...['output-error', 'STATUS_CODE_ERROR', 'TimedOut', 'timedOut', 'PartiallySucceeded'],
        ],
        is: 'failed',
      },
      {
        at: STATES,
        like: [...cases('denied', 'refused', 'blocked', 'rejected', 'reject', 'forbidden', 'deny'), 'output-denied'],
        is: 'refused',
      },
    ],
    example: { tool: 'export', args: { list: 'a' }, status: 'FAILURE', reason: 'no such list' },
    expected: { tool: 'export', outcome: 'failed', error: 'no such list' },
  },
  {
    outcomes: [
      { at: LEVELS, like: cases('error', 'fatal', 'panic'), is: 'failed' },
      {
        at: EVENT_NAMES,
        like: lastWords('failed', 'failure', 'errored', 'bounce', 'bounced', 'aborted'),
        is: 'failed',
      },
      { at: EVENT_NAMES, like: lastWords('denied', 'rejected', 'refused', 'blocked', 'forbidden'), is: 'refused' },
    ],
    example: { type: 'job.step_failed', job: 7, message: 'no space left' },
    expected: { outcome: 'failed', error: 'no space left' },
  },
  {
    outcomes: [
      { at: ['/blocked', '/denied', '/refused', '/rejected'], like: [true], is: 'refused' },
      { at: ['/approved', '/allowed', '/permitted'], like: [false], is: 'refused' },
    ],
    example: { tool: 'wire', args: { amount: 9 }, approved: false, reason: 'over the limit' },
    expected: { outcome: 'refused', error: 'over the limit' },
  },
  {
    outcomes: [
      {
        at: [
          ...['/is_error', '/isError', '/result/isError', '/result/is_error', '/output/isError'],
          ...['/tool_call_error', '/has_error', '/hasError'],
        ],
        like: [true],
        is: 'failed',
      },
      { at: ['/ok', '/success', '/succeeded', '/result/success', '/result/ok'], like: [false, 'false'], is: 'failed' },
    ],
    example: { tool: 'parse', args: { id: 1 }, success: false, message: 'bad date' },
    expected: { outcome: 'failed', error: 'bad date' },
  },
  {
    outcomes: [
      { at: EXIT_CODES, like: [0, '0'], is: 'ok' },
      { at: EXIT_CODES, is: 'failed' },
    ],
    example: { tool: 'build', args: ['all'], returncode: 2, result: 'linker: no such file' },
    expected: { outcome: 'failed', error: 'linker: no such file' },
  },
  {
    outcomes: [{ at: HTTP_STATUS, from: 400, to: 599, is: 'failed' }],
    example: { tool: 'post_invoice', args: { n: 1 }, http_status: 500, response: 'upstream is down' },
    expected: { outcome: 'failed', error: 'upstream is down' },
  },
  {
    outcomes: [
      { at: ['/protoPayload/status/code', '/status/errorCode'], from: 1, is: 'failed' },
      {
        at: [
          ...['/error', '/result/error', '/output/error', '/response/error', '/errorCode', '/error_code', '/exception'],
          ...['/error_message', '/errorMessage', '/traceback'],
        ],
        is: 'failed',
      },
      { at: '/part_kind', like: ['retry-prompt'], is: 'failed' },
    ],
    example: { tool: 'fetch', args: { n: 1 }, error: { code: 'ENOTFOUND', message: 'no such name' } },
    expected: { outcome: 'failed', error: 'no such name' },
  },
  {
    outcomes: [
      {
        at: [...OUTPUTS, '/observation', '/observations', '/tool_output', '/toolOutput'],
        like: [
          ...['Error', 'Error:*', 'Error *', 'ERROR:*', 'error:*', 'Traceback (most recent call last)*'],
          ...cases('failed', 'failure', 'error', 'fail', 'timeout', 'timed_out', 'unsuccessful'),
        ],
        is: 'failed',
      },
      { at: '/result', like: cases('denied', 'refused', 'blocked', 'rejected', 'forbidden'), is: 'refused' },
    ],
    example: { tool: 'cancel', args: { id: 1 }, result: 'Error: already shipped' },
    expected: { outcome: 'failed', error: 'Error: already shipped' },
  },
  {
    outcomes: [
      { at: HTTP_STATUS, from: 100, to: 399, is: 'ok' },
      {
        at: STATES,
        like: [
          ...cases('ok', 'success', 'succeeded', 'completed', 'complete', 'done', 'allow', 'allowed', 'finished'),
          ...['output-available', 'STATUS_CODE_OK', 'passed', 'delivered', 'sent'],
        ],
        is: 'ok',
      },
      { at: EVENT_NAMES, like: lastWords('completed', 'complete', 'succeeded', 'finished', 'success'), is: 'ok' },
      { at: ['/ok', '/success', '/succeeded', '/approved', '/allowed'], like: [true, 'true'], is: 'ok' },
      { at: ['/is_error', '/isError'], like: [false], is: 'ok' },
    ],
    example: { tool: 'ship', args: { id: 1 }, status_code: 204 },
    expected: { outcome: 'ok' },
  },
  {
    outcomes: [
      {
        at: [
          ...OUTPUTS,
          ...['/tool_output', '/toolOutput', '/raw_output', '/observation', '/observations', '/returns'],
          ...['/attributes/gen_ai.tool.call.result', '/attributes/output.value', '/gen_ai.tool.call.result'],
        ],
        is: 'ok',
      },
    ],
    example: { tool: 'count', args: {}, result: 0 },
    expected: { outcome: 'ok' },
  },

  // Calls of frameworks, by the members that their objects have.
  {
    within: [
      ...['/data', '/payload', '/body', '/event', '/json', '/detail', '/record', '/message', '/item', '/part'],
      ...['/content_block', '/kwargs', '/tool_call', '/toolCall', '/protoPayload', '/function_call', '/call'],
      ...['/tool_result', '/request_body', '/orchestrationTrace', '/trace', '/invocationInput', '/attributes'],
      ...[
        '/span_data',
        '/step_details',
        '/value',
        '/request',
        '/events/0',
        '/observation',
        '/span',
        '/action',
        '/input',
      ],
      ...['/client_tool_call', '/job', '/notificationItems/0/NotificationRequestItem'],
    ],
    example: { event: 'tool.ran', data: { tool: 'archive', arguments: { file: 'a.txt' }, result: 'ok' } },
    expected: { tool: 'archive', outcome: 'ok' },
  },
  {
    calls: [
      {
        at: ['/tool_calls/*', '/choices/*/message/tool_calls/*', '/messages/*/tool_calls/*', ''],
        has: [['/function/name'], ['/function/arguments']],
        tool: '/function/name',
        inputs: ['/function/arguments'],
        id: '/id',
      },
    ],
    ids: [
      ...['/tool_call_id', '/toolCallId', '/call_id', '/callId', '/tool_use_id', '/toolUseId', '/function_call_id'],
      ...['/attributes/gen_ai.tool.call.id', '/gen_ai.tool.call.id'],
    ],
    example: {
      role: 'assistant',
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'get_rate', arguments: '{"pair":"EURUSD"}' } }],
    },
    expected: { call: 'call_1', tool: 'get_rate', outcome: null },
  },
  {
    calls: [
      ...['name', 'task_name', 'taskName', 'step_name', 'stepName', 'job_name', 'activity_name'].map((of) => ({
        at: '',
        has: [
          [`/${of}`],
          ['/state', '/state_type', '/status', '/phase', '/conclusion'],
          [
            ...['/started_at', '/startedAt', '/start_time', '/startTime', '/start_date', '/finished_at', '/finishedAt'],
            ...['/completed_at', '/completedAt', '/end_time', '/endTime', '/end_date', '/duration_ms', '/duration'],
            ...['/exit_status', '/exit_code'],
          ],
        ],
        tool: `/${of}`,
      })),
    ],
    example: { name: 'Deploy', status: 'completed', conclusion: 'failure', completed_at: '2026-01-02T10:01:00Z' },
    expected: { tool: 'Deploy', outcome: 'failed' },
  },
  {
    calls: [
      {
        at: '',
        has: [['/action'], ['/observation'], ['/thought']],
        named: 'shell',
        inputs: ['/action'],
        outputs: ['/observation'],
      },
      {
        at: '',
        has: [['/observation'], ['/extras/command']],
        tool: '/observation',
        inputs: ['/extras'],
        outputs: ['/content'],
      },
    ],
    example: {
      observation: 'run',
      content: 'cp: no such file',
      extras: { command: 'cp a.txt b.txt', metadata: { exit_code: 1 } },
    },
    expected: { tool: 'run', outcome: 'failed' },
  },
  {
    calls: [
      {
        at: ['', '/output/*'],
        like: { '/type': ['function_call', 'custom_tool_call', 'mcp_call', 'mcp_tool_call'] },
        has: [['/name']],
        tool: '/name',
        id: '/id',
        inputs: ['/arguments', '/input'],
        outputs: ['/output'],
      },
      {
        at: ['', '/output/*'],
        like: { '/type': ['local_shell_call', 'shell_call'] },
        has: [['/action']],
        named: 'shell',
        inputs: ['/action'],
        outputs: ['/output'],
      },
      {
        at: ['', '/output/*'],
        like: { '/type': ['*_call'] },
        has: [['/action', '/queries', '/code', '/query']],
        tool: '/type',
        inputs: ['/action', '/queries', '/code', '/query'],
        outputs: ['/results', '/outputs'],
      },
    ],
    example: {
      id: 'resp_1',
      output: [{ type: 'reasoning' }, { type: 'function_call', name: 'refund', arguments: '{}' }],
    },
    expected: { tool: 'refund', outcome: null },
  },
  {
    calls: [
      {
        at: ['', '/content/*', '/messages/*/content/*'],
        like: { '/type': ['tool_use', 'server_tool_use', 'mcp_tool_use'] },
        has: [['/name']],
        tool: '/name',
        id: '/id',
        inputs: ['/input'],
      },
      {
        at: ['', '/content/*'],
        like: { '/type': ['tool_result', '*_tool_result', 'tool-return', 'function_call_output'] },
        has: [['/content', '/output']],
        tool: '/tool_name',
        outputs: ['/content', '/output'],
      },
      { at: ['', '/messages/*'], has: [['/tool_call_id'], ['/content']], tool: '/name', outputs: ['/content'] },
      {
        at: '',
        like: { '/type': ['function'] },
        has: [['/name'], ['/input', '/output']],
        tool: '/name',
        inputs: ['/input'],
        outputs: ['/output'],
      },
    ],
    example: {
      role: 'assistant',
      content: [
        { type: 'text', text: 'ok' },
        { type: 'tool_use', name: 'move', input: { x: 1 } },
      ],
    },
    expected: { tool: 'move', outcome: null },
  },
  {
    calls: ['functionCall', 'function_call'].map((name) => ({
      at: ['', '/parts/*', '/content/parts/*', '/candidates/*/content/parts/*'],
      has: [[`/${name}/name`]],
      tool: `/${name}/name`,
      id: `/${name}/id`,
      inputs: [`/${name}/args`, `/${name}/arguments`],
    })),
    example: { role: 'model', parts: [{ functionCall: { name: 'find_room', args: { floor: 3 } } }] },
    expected: { tool: 'find_room', outcome: null },
  },
  {
    calls: ['functionResponse', 'function_response'].map((name) => ({
      at: ['', '/parts/*', '/content/parts/*'],
      has: [[`/${name}/name`]],
      tool: `/${name}/name`,
      id: `/${name}/id`,
      outputs: [`/${name}/response`],
    })),
    example: { parts: [{ functionResponse: { name: 'find_room', response: { result: 'R3' } } }] },
    expected: { tool: 'find_room', outcome: 'ok' },
  },
  {
    calls: [
      {
        at: '',
        like: { '/method': ['tools/call'] },
        has: [['/params/name']],
        tool: '/params/name',
        inputs: ['/params/arguments'],
        outputs: ['/result/structuredContent', '/result/content', '/result'],
      },
    ],
    example: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'read_file', arguments: { path: '/w/a' } },
    },
    expected: { tool: 'read_file', entities: ['read file /w/a'] },
  },
  {
    calls: [
      {
        at: ['', '/content/*', '/output/message/content/*'],
        has: [['/toolUse/name']],
        tool: '/toolUse/name',
        id: '/toolUse/toolUseId',
        inputs: ['/toolUse/input'],
      },
      {
        at: ['', '/content/*'],
        has: [['/toolResult/content']],
        outputs: ['/toolResult/content'],
        id: '/toolResult/toolUseId',
      },
      {
        at: ['/actionGroupInvocationInput', '/invocationInput/actionGroupInvocationInput', ''],
        has: [['/actionGroupName', '/actionGroup'], ['/function']],
        tool: '/function',
        inputs: ['/parameters', '/requestBody'],
      },
      {
        at: ['/actionGroupInvocationInput', '/invocationInput/actionGroupInvocationInput', ''],
        has: [['/actionGroupName', '/actionGroup'], ['/apiPath']],
        tool: '/apiPath',
        inputs: ['/parameters', '/requestBody'],
        verb: ['/verb', '/httpMethod'],
      },
    ],
    example: {
      role: 'assistant',
      content: [{ toolUse: { toolUseId: 't1', name: 'top_song', input: { sign: 'WZPZ' } } }],
    },
    expected: { tool: 'top_song', outcome: null },
  },
  {
    calls: [
      {
        at: ['', '/parts/*', '/messages/*/parts/*'],
        like: { '/part_kind': ['tool-call', 'builtin-tool-call'] },
        has: [['/tool_name']],
        tool: '/tool_name',
        inputs: ['/args'],
      },
      {
        at: ['', '/parts/*'],
        like: { '/part_kind': ['tool-return', 'retry-prompt', 'builtin-tool-return'] },
        has: [['/content']],
        tool: '/tool_name',
        outputs: ['/content'],
      },
    ],
    example: { part_kind: 'retry-prompt', tool_name: 'pay', content: 'amount is missing' },
    expected: { tool: 'pay', outcome: 'failed', error: 'amount is missing' },
  },
  {
    calls: [
      {
        at: ['', '/content/*', '/toolCalls/*', '/toolResults/*', '/steps/*/toolCalls/*'],
        has: [['/toolName']],
        tool: '/toolName',
        inputs: ['/input', '/args'],
        outputs: ['/output', '/result'],
      },
      {
        at: ['', '/parts/*', '/messages/*/parts/*'],
        like: { '/type': ['tool-*'] },
        has: [['/toolCallId'], ['/input', '/output', '/errorText', '/state']],
        tool: '/type',
        prefix: 'tool-',
        inputs: ['/input'],
        outputs: ['/output', '/errorText'],
      },
    ],
    example: {
      role: 'assistant',
      parts: [{ type: 'tool-weather', toolCallId: 'c1', state: 'output-available', output: '7 C' }],
    },
    expected: { tool: 'weather', outcome: 'ok' },
  },
  {
    calls: [
      {
        at: '',
        like: { '/event': ['on_tool_*'] },
        has: [['/name']],
        tool: '/name',
        inputs: ['/data/input'],
        outputs: ['/data/output'],
      },
      {
        at: '',
        like: { '/run_type': ['tool'] },
        has: [['/name']],
        tool: '/name',
        inputs: ['/inputs'],
        outputs: ['/outputs'],
      },
      {
        at: '',
        has: [['/serialized/name'], ['/input_str', '/inputs']],
        tool: '/serialized/name',
        inputs: ['/inputs', '/input_str'],
        outputs: ['/output'],
      },
      { at: ['/origin'], has: [['/tool_name']], tool: '/tool_name', inputs: ['/arguments'] },
      { at: '', like: { '/event': ['action'] }, has: [['/name'], ['/policy', '/confidence']], tool: '/name' },
    ],
    outputs: ['/outputs'],
    example: { event: 'on_tool_end', name: 'search_docs', data: { input: { q: 'leave' }, output: '3 pages' } },
    expected: { tool: 'search_docs', outcome: 'ok' },
  },
  {
    calls: [
      {
        at: '/data',
        has: [['/node_type', '/nodeType'], ['/title']],
        tool: '/title',
        inputs: ['/inputs'],
        outputs: ['/outputs'],
      },
    ],
    example: { run_type: 'tool', name: 'sum', inputs: { a: 1 }, outputs: { output: 1 }, error: null },
    expected: { tool: 'sum', outcome: 'ok' },
  },
  {
    calls: [
      {
        at: [
          ...['/tool_calls/*', '/messages/*/tool_calls/*', '/content/*', '/items/*', '/function_calls/*'],
          ...['/toolCallList/*', ''],
        ],
        has: [['/name'], ['/arguments', '/args', '/call_id']],
        tool: '/name',
        id: '/id',
        inputs: ['/arguments', '/args'],
        outputs: ['/content'],
      },
      {
        at: ['/items/*', '/content/*'],
        has: [['/functionName'], ['/arguments']],
        tool: '/functionName',
        id: '/id',
        inputs: ['/arguments'],
      },
      {
        at: ['/items/*', '/content/*'],
        has: [['/function_name'], ['/arguments']],
        tool: '/function_name',
        inputs: ['/arguments'],
      },
      {
        at: ['/content/*/tool_call', '/tool_calls/*'],
        has: [['/tool_name']],
        tool: '/tool_name',
        inputs: ['/arguments', '/tool_kwargs'],
      },
    ],
    example: { type: 'ToolCallRequestEvent', content: [{ id: 'c1', name: 'lock_door', arguments: '{"door":"2"}' }] },
    expected: { tool: 'lock_door', outcome: null },
  },

  {
    calls: [
      ...['type', 'kind', 'span_type', 'spanType', 'span_kind', 'observation_type', 'node_type', 'category'].map(
        (of) => ({
          at: '',
          like: { [`/${of}`]: [...cases('tool', 'tool_call', 'function'), 'toolCall', 'ToolCall', 'tool-call'] },
          has: [['/name']],
          tool: '/name',
          outputs: ['/content'],
        }),
      ),
    ],
    example: {
      span_type: 'TOOL',
      name: 'fetch_invoice',
      input: { invoice_id: 'RE-1' },
      level: 'ERROR',
      message: 'not found',
    },
    expected: { tool: 'fetch_invoice', outcome: 'failed', error: 'not found' },
  },

  // Audit logs and webhooks.
  {
    calls: [
      {
        at: '',
        has: [['/verb'], ['/objectRef']],
        tool: '/verb',
        inputs: ['/requestObject', '/objectRef'],
        outputs: ['/responseObject'],
      },
      {
        at: '',
        has: [['/eventName'], ['/eventSource', '/userIdentity']],
        tool: '/eventName',
        inputs: ['/requestParameters'],
        outputs: ['/responseElements'],
      },
      {
        at: '',
        has: [['/methodName'], ['/serviceName', '/resourceName']],
        tool: '/methodName',
        inputs: ['/request'],
        outputs: ['/response'],
      },
      {
        at: '',
        has: [['/actionName'], ['/serviceName', '/userIdentity']],
        tool: '/actionName',
        inputs: ['/requestParams'],
        outputs: ['/response'],
      },
      {
        at: '',
        has: [['/activityDisplayName'], ['/initiatedBy', '/targetResources']],
        tool: '/activityDisplayName',
        inputs: ['/targetResources'],
      },
      { at: '', has: [['/eventCode'], ['/success', '/pspReference']], tool: '/eventCode' },
      ...['taskFailed', 'taskScheduled', 'taskSubmitted', 'taskSucceeded', 'taskTimedOut'].map((event) => ({
        at: `/${event}EventDetails`,
        has: [['/resource'], ['/resourceType']],
        tool: '/resource',
        inputs: ['/parameters'],
        outputs: ['/output'],
      })),
      { at: '', has: [['/operationName'], ['/resourceId', '/caller', '/resultType']], tool: '/operationName/value' },
      { at: '', has: [['/operationName'], ['/resourceId', '/caller', '/resultType']], tool: '/operationName' },
      ...EVENTS.map((name) => ({ at: '', has: [[`/${name}`], ACTORS], tool: `/${name}` })),
    ],
    example: {
      eventName: 'PutObject',
      eventSource: 's3',
      requestParameters: { bucketName: 'backups' },
      errorCode: 'AccessDenied',
    },
    expected: { tool: 'PutObject', outcome: 'failed', entities: ['write bucket backups'] },
  },
  {
    calls: [
      {
        at: '',
        has: [['/node/name'], ['/node/type', '/executionStatus']],
        tool: '/node/name',
        inputs: ['/node/parameters'],
        outputs: ['/output'],
      },
      {
        at: ['', '/step'],
        has: [['/app'], ['/action']],
        tool: '/action',
        inputs: ['/fields', '/params', '/inputs'],
        outputs: ['/output'],
      },
      {
        at: '',
        has: [['/action'], ['/actor', '/performed_by', '/actor_id', '/actor_ip']],
        tool: '/action',
        inputs: ['/changes', '/target', '/resource', '/object'],
      },
      { at: '', has: [['/type'], ['/data/object']], tool: '/type', inputs: ['/data/object'] },
      { at: '', has: [['/object_kind']], tool: '/object_kind', inputs: ['/object_attributes'] },
      { at: '', has: [['/specversion'], ['/type'], ['/source']], tool: '/type', inputs: ['/data'] },
    ],
    example: { specversion: '1.0', id: 'e1', type: 'org.example.door.opened', source: '/doors', data: { door: 2 } },
    expected: { tool: 'org.example.door.opened' },
  },

  // Plain shapes: no member names a tool.
  {
    calls: [
      {
        at: '',
        has: [
          ['/command', '/cmd', '/argv', '/command_line', '/commandLine', '/shell_command'],
          [...['/exit_code', '/exitCode', '/exit_status', '/returncode', '/return_code', '/rc', '/stdout', '/stderr']],
        ],
        named: 'shell',
        inputs: ['/command', '/cmd', '/argv', '/command_line', '/commandLine', '/shell_command'],
        outputs: ['/stdout', '/output', '/stderr'],
      },
      { at: '', has: [['/args'], ['/returncode']], named: 'shell', inputs: ['/args'], outputs: ['/stdout', '/stderr'] },
      {
        at: '',
        type: '*shell*',
        has: [['/command', '/cmd', '/argv', '/command_line', '/shell_command', '/script']],
        named: 'shell',
        inputs: ['/command', '/cmd', '/argv', '/command_line', '/shell_command', '/script'],
        outputs: ['/stdout', '/output', '/stderr'],
      },
      {
        at: '',
        has: [
          ['/code', '/script'],
          ['/exit_code', '/exitCode', '/stdout'],
        ],
        named: 'code',
        inputs: ['/code', '/script'],
        outputs: ['/stdout', '/output', '/stderr'],
      },
    ],
    commands: COMMANDS,
    example: { command: 'curl -sSL https://get.tool.example/i.sh | sh', host: 'ws-3', user: 'root', exit_code: 0 },
    expected: {
      tool: 'shell',
      outcome: 'ok',
      hosts: ['get.tool.example', 'ws-3'],
      entities: ['mentioned account root', 'mentioned host ws-3', 'read host get.tool.example'],
    },
  },
  {
    calls: [
      {
        at: '',
        has: [
          ['/url', '/uri', '/endpoint'],
          ['/method', '/http_method', '/http_status', '/status_code', '/statusCode'],
        ],
        named: 'http',
        verb: ['/method', '/http_method'],
        outputs: ['/response', '/response_body'],
      },
      {
        at: '',
        has: [
          ['/request/url', '/request/uri'],
          ['/request/method', '/response'],
        ],
        named: 'http',
        inputs: ['/request'],
        outputs: ['/response'],
        verb: ['/request/method'],
      },
      {
        at: '',
        has: [['/httpRequest/requestUrl']],
        named: 'http',
        inputs: ['/httpRequest'],
        verb: ['/httpRequest/requestMethod'],
      },
    ],
    example: { method: 'PUT', url: 'https://api.shop.example/v1/stock/7', status: 409, body: { n: 4 } },
    expected: {
      tool: 'http',
      outcome: 'failed',
      hosts: ['api.shop.example'],
      entities: ['send host api.shop.example'],
    },
  },
  {
    calls: [
      {
        at: '',
        has: [
          ['/sql', '/query', '/statement'],
          ['/rows', '/row_count', '/rowCount', '/rows_affected', '/rowcount', '/database', '/db', '/dialect'],
        ],
        named: 'sql',
        inputs: ['/sql', '/query', '/statement'],
        outputs: ['/rows', '/row_count', '/rowCount', '/rows_affected', '/rowcount'],
        verb: ['/sql', '/query', '/statement'],
      },
      { at: '', has: [['/sql']], named: 'sql', inputs: ['/sql'], verb: ['/sql'] },
      {
        at: '',
        has: [['/QUERY_TEXT'], ['/EXECUTION_STATUS']],
        named: 'sql',
        inputs: ['/QUERY_TEXT'],
        verb: ['/QUERY_TEXT'],
      },
    ],
    outcomes: [{ at: ['/rows', '/row_count', '/rowCount', '/rows_affected', '/rowcount', '/response_body'], is: 'ok' }],
    example: { database: 'ward', sql: 'DELETE FROM orders WHERE id = 7', rows_affected: 1 },
    expected: { tool: 'sql', outcome: 'ok', entities: ['delete database ward'] },
  },
  {
    calls: [
      {
        at: '',
        has: [
          ['/path', '/file', '/file_path', '/filename', '/filepath'],
          ['/operation', '/op'],
        ],
        tool: '/operation',
        verb: ['/operation'],
      },
      {
        at: '',
        has: [['/path', '/file', '/file_path', '/filename', '/filepath'], ['/op']],
        tool: '/op',
        verb: ['/op'],
      },
    ],
    example: { operation: 'append', path: '/srv/list.csv', bytes: 12 },
    expected: { tool: 'append', entities: ['write file /srv/list.csv'] },
  },
  {
    calls: [
      {
        at: '',
        has: [
          ['/to', '/recipients', '/cc', '/bcc'],
          ['/subject', '/body', '/text', '/attachments'],
        ],
        tool: 'action',
      },
      { at: '', has: [['/amount', '/total'], ['/currency']], tool: 'action' },
    ],
    head: { action: 'send' },
    example: { to: 'Mia Li <mia@corp.example>, bo@corp.example', subject: 'Plan', attachments: ['plan.pdf'] },
    expected: {
      tool: 'send',
      entities: ['send email mia@corp.example', 'send email bo@corp.example', 'send file plan.pdf'],
    },
  },

  // Whose member names an entity.
  {
    entities: [
      { kind: 'user', at: ['user_id', 'userId', 'username', 'user_name', 'userName'] },
      { kind: 'customer', at: ['customer_id', 'customerId', 'client_id'] },
      {
        kind: 'account',
        at: [
          ...['account', 'account_id', 'accountId', 'account_number', 'iban', '*_iban', 'user', 'login', 'run_as'],
          ...['*_account', '*Account', 'accountNumber', '*Iban', '*_account_id', '*AccountCode', 'USER_NAME'],
          ...['become_user', 'as_user', 'service_account', 'serviceAccount'],
        ],
      },
      { kind: 'payee', at: ['payee', 'payee_name', 'beneficiary', 'creditor', 'supplier', 'vendor'] },
    ],
    example: { tool: 'pay', args: { payee: 'Acme', payee_iban: 'DE12', amount: '7.50', currency: 'EUR' } },
    expected: { entities: ['write payee Acme', 'write account DE12'] },
  },
  {
    entities: [
      { kind: 'reservation', at: ['reservation_id', 'reservationId', 'reservations', 'booking_id'] },
      { kind: 'order', at: ['order_id', 'orderId', 'order_ids'] },
      { kind: 'flight', at: ['flight_number', 'flightNumber'] },
      { kind: 'payment_method', at: ['payment_id', 'payment_method_id', 'payment_methods.*.id'] },
      { kind: 'payment', at: ['transaction_id', 'transfer_id', 'invoice_id', 'charge_id', 'payment_intent'] },
      { kind: 'ticket', at: ['ticket_id', 'issue_id', 'case_id', 'issue_key', 'ticket'] },
      { kind: 'patient', at: ['patient_id', 'patient'] },
    ],
    example: { tool: 'cancel_booking', args: { booking_id: 'B-4' } },
    expected: { entities: ['delete reservation B-4'] },
  },
  {
    entities: [
      {
        kind: 'file',
        at: [
          ...[
            'path',
            'paths',
            'file',
            'files',
            'file_path',
            'filePath',
            'filepath',
            'filename',
            'fileName',
            'file_name',
          ],
          ...['*_path', 'absolute_path', 'absolutePath', 'attachments', 'attachment', 'notebookPath', 'file.name'],
          ...[
            'file.filename',
            'files.*.name',
            'attachments.*.name',
            'attachments.*.filename',
            '*FileName',
            '*_filename',
          ],
          ...['*_file', 'sourcePath', 'targetPath', 'destinationPath', 'outputPath'],
        ],
      },
      { kind: 'repository', at: ['repo', 'repository', 'repo_name', 'repository.full_name', 'path_with_namespace'] },
      { kind: 'database', at: ['database', 'database_name', 'db_name'] },
      { kind: 'table', at: ['table', 'table_name', 'tableName'] },
      { kind: 'bucket', at: ['bucket', 'bucketName', 'bucket_name'] },
      { kind: 'secret', at: ['secret_id', 'secretId', 'secret_name', 'secret_arn'] },
      { kind: 'channel', at: ['channel', 'channel_id'] },
    ],
    example: { tool: 'write_file', input: { file_path: '/w/a.ts', content: 'x' } },
    expected: { entities: ['write file /w/a.ts'] },
  },
  {
    entities: [
      { kind: 'host', at: ['host', 'hostname', 'hostName', 'domain', 'fqdn', 'url', 'uri', '*_url', 'requestUrl'] },
      { kind: 'host', at: ['endpoint', 'href', 'link', '*_uri', '*Url', 'target', 'destination'], like: '*://*' },
      { kind: 'host', at: ['target_host', 'remote_host', 'server_host', 'smtp_host', 'db_host'] },
    ],
    example: { tool: 'fetch_page', args: { url: 'https://Docs.Example:8443/a' }, result: 'text' },
    expected: { hosts: ['docs.example'], entities: ['read host docs.example'] },
  },
  {
    entities: [
      {
        ...ADDRESS,
        at: [
          ...['email', '*_email', 'to', 'cc', 'bcc', 'from', 'recipient', 'recipients', 'emails', 'email_address'],
          ...[
            'emailAddress',
            'sender',
            'reply_to',
            'attendees',
            'participants',
            'invitees',
            'members',
            'principalEmail',
            'userPrincipalName',
          ],
          ...['alternateId', 'mail', 'assignee', 'owner', 'actor', 'notify', 'on_behalf_of', 'requested_by', 'caller'],
          ...[
            'attendees.*.email',
            'address',
            'sent_to',
            'toAddresses',
            'ToAddresses',
            'Email',
            'From',
            'To',
            'Cc',
            'Bcc',
          ],
          ...[
            'Recipient',
            'UserId',
            'userId',
            'user_id',
            'user',
            'username',
            'login',
            'author',
            'reporter',
            'approver',
          ],
          ...['*_by', '*By', 'receiver', 'customer_email', 'customerEmail', 'userEmail', 'contact'],
        ],
      },
    ],
    example: { tool: 'create_event', args: { title: 'Stand-up', attendees: [{ email: 'mia@Corp.Example' }] } },
    expected: { entities: ['write email mia@corp.example'] },
  },
  {
    subjects: [ADDRESS, { kind: 'subject' }],
    head: { operation_type: 'invoice.create', action: 'create', subject: 'invoice/1' },
    example: { total: 1250, currency: 'EUR' },
    expected: { tool: 'create', entities: ['write subject invoice/1'], summary: 'create(total: 1250, currency: EUR)' },
  },

  // The first word of a tool's name that is one of these says what the tool does to its input.
  {
    verbs: {
      read: [
        ...[
          'get',
          'read',
          'list',
          'search',
          'find',
          'fetch',
          'show',
          'look',
          'lookup',
          'view',
          'check',
          'query',
          'grep',
        ],
        ...[
          'glob',
          'count',
          'describe',
          'browse',
          'open',
          'download',
          'calculate',
          'think',
          'select',
          'head',
          'options',
        ],
        ...['cat', 'tail', 'inspect', 'verify', 'validate', 'watch', 'pull', 'export', 'retrieve', 'scan', 'load'],
      ],
      write: [
        ...[
          'write',
          'edit',
          'multiedit',
          'update',
          'create',
          'add',
          'set',
          'put',
          'insert',
          'change',
          'modify',
          'patch',
        ],
        ...['book', 'reserve', 'order', 'buy', 'pay', 'charge', 'refund', 'transfer', 'move', 'rename', 'copy', 'save'],
        ...[
          'approve',
          'grant',
          'apply',
          'merge',
          'commit',
          'append',
          'replace',
          'return',
          'exchange',
          'upsert',
          'alter',
        ],
        ...['assign', 'close', 'archive', 'enable', 'disable', 'import', 'truncate', 'chmod', 'chown'],
      ],
      delete: [
        ...[
          'delete',
          'remove',
          'cancel',
          'drop',
          'purge',
          'erase',
          'revoke',
          'clear',
          'unlink',
          'rm',
          'destroy',
          'wipe',
        ],
        ...['terminate'],
      ],
      send: [
        ...[
          'send',
          'email',
          'mail',
          'post',
          'publish',
          'notify',
          'push',
          'share',
          'forward',
          'reply',
          'submit',
          'upload',
        ],
      ],
    },
    example: { tool: 'upload_file', arguments: { path: '/w/list.csv', url: 'https://mirror.example/in' } },
    expected: { entities: ['send file /w/list.csv', 'send host mirror.example'] },
  },
];
