import { describe, expect, it } from 'vitest';
import { fixtureText } from '../../support/hooks.ts';
import { pluginModule, pluginRecorder } from '../../support/plugin-recorder.ts';

type Handler = (event: object, context: object) => unknown;
type Extension = (pi: { on: (name: string, handler: Handler) => unknown }) => void;

const CONTEXT = { cwd: '/home/ada/pi/proj', sessionManager: { getSessionId: () => 's' } };

async function handlers(): Promise<ReadonlyMap<string, Handler>> {
  const { default: extend } = (await pluginModule('pi')) as { readonly default: Extension };
  const found = new Map<string, Handler>();
  extend({ on: (name, handler) => found.set(name, handler) });
  return found;
}

const BEGUN = [
  'session_started | startup',
  'told | user "Do it"',
  'proposed | shell bash | call_1_0 | write echo',
  'proposed | shell bash | call_1_1 | write ls',
  'failed | other levitate | call_1_2 | error',
];

/** What the rest of a session means whose last turn has the id. The command of its first says what one says that fails. */
function stopped(turn: string): readonly string[] {
  return [
    `proposed | shell bash | ${turn}_0 | write touch`,
    `proposed | file write | ${turn}_1 | write /home/ada/pi/proj/b.txt`,
    `completed | file write | ${turn}_1 | ok | write /home/ada/pi/proj/b.txt`,
    `failed | shell bash | ${turn}_0 | cancelled | write touch`,
    'session_ended | quit',
  ];
}

/** What the extension was called with in a session whose last turn a person stopped. */
const VERSIONS: readonly (readonly [version: string, meanings: readonly string[]])[] = [
  [
    '0.74.2',
    [
      ...BEGUN,
      'completed | shell bash | call_1_0 | ok | write echo',
      'failed | shell bash | call_1_1 | error 2 | write ls',
      ...stopped('call_2'),
    ],
  ],
  [
    '1.6.0',
    [
      ...BEGUN,
      'completed | shell bash | call_1_0 | ok 0 | write echo',
      'failed | shell bash | call_1_1 | error 2 | write ls',
      'proposed | other codemode | call_2_0',
      'proposed | shell bash | call_2_0/1 | write echo',
      'proposed | file read | call_2_0/2 | read /home/ada/pi/proj/a.txt',
      'failed | shell bash | call_2_0/1 | error 3 | write echo',
      'completed | file read | call_2_0/2 | ok | read /home/ada/pi/proj/a.txt',
      'completed | other codemode | call_2_0 | ok',
      ...stopped('call_3'),
    ],
  ],
];

describe("pi's extension", () => {
  it.each(VERSIONS)('tells the recorder what pi %s called it with', async (version, expected) => {
    const meanings = await pluginRecorder('pi');
    const hooks = await handlers();
    for (const line of fixtureText(`pi/${version}/callbacks.jsonl`).trimEnd().split('\n')) {
      const { aborted, ...event } = JSON.parse(line);
      await hooks.get(event.type)?.(event, { ...CONTEXT, ...(aborted !== null && { signal: { aborted } }) });
    }
    expect(meanings).toEqual(expected.map((meaning) => `s ${meaning}`));
  });

  it('tells of a call that was stopped before it began as of one that was not carried out', async () => {
    const meanings = await pluginRecorder('pi');
    const hooks = await handlers();
    const call = { toolCallId: 'c', toolName: 'bash' };
    await hooks.get('tool_execution_start')?.({ ...call, args: { command: 'ls' } }, CONTEXT);
    const result = { content: [{ type: 'text', text: 'Operation aborted' }] };
    await hooks.get('tool_execution_end')?.(
      { ...call, result, isError: true },
      { ...CONTEXT, signal: { aborted: true } },
    );
    expect(meanings).toEqual(['s refused | shell bash | c | cancelled | write ls']);
  });

  it('stops a call that the recorder stops, and tells no second end of it', async () => {
    const meanings = await pluginRecorder('pi');
    const hooks = await handlers();
    const call = { toolCallId: 'c', toolName: 'bash' };
    const stopped = await hooks.get('tool_call')?.({ ...call, input: { command: 'frozen' } }, CONTEXT);
    expect(stopped).toEqual({ block: true, reason: expect.stringContaining('Frozen.') });
    await hooks.get('tool_execution_end')?.({ ...call, result: {}, isError: true }, CONTEXT);
    expect(meanings).toHaveLength(1);
  });
});
