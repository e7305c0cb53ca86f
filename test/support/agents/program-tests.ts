import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AGENT_PROGRAMS, versionOf } from '../../../scripts/support/agent-programs.ts';
import { type CoherenceFinding, coherenceOf } from '../../../src/actions/profile/index.ts';
import { hasTranscripts } from '../../../src/actions/transcripts/index.ts';
import { nodeCrypto } from '../../../src/node/index.ts';
import { bundleOf, verifyWith } from '../service.ts';
import { until } from '../until.ts';
import type { ModelCall } from './conversation.ts';
import { endsOf, joinedCalls, lostIn } from './joined-calls.ts';
import { SUB_TASK } from './plan.ts';
import { runPlan } from './plan-tests.ts';
import { checkTenSessions } from './session-checks.ts';
import { finished, type ProgramUnderTest, start } from './started.ts';

/** For what hangs: the plan of forty calls takes more than a minute by itself, and a program some seconds to start. */
export const LIMIT_MS = 30 * 60_000;

const FAILING = 'ls /nonexistent-dir';

/** A note, such as that a tool was called again after a call that failed, says what happened and asks nothing. */
function isQuestion({ severity }: CoherenceFinding): boolean {
  return severity !== 'note';
}

/** Runs the program with a model that says what a test wants, and looks at what the ledger has of it. */
export function testProgram(program: ProgramUnderTest): void {
  describe(`${AGENT_PROGRAMS[program.id].name} ${versionOf(program.id)}`, { timeout: LIMIT_MS }, () => {
    it('has each call in the ledger once, its end joined to its beginning', async () => {
      const { spelling } = program;
      const subAgent = spelling.subAgent?.(SUB_TASK);
      const forbidden = spelling.forbids?.('a.txt');
      const turns: readonly ModelCall[][] = [
        [spelling.shell('echo hi-from-tool; sleep 0.2'), spelling.read('a.txt'), spelling.shell(FAILING)],
        ...(subAgent === undefined ? [] : [[subAgent]]),
        ...(forbidden === undefined ? [] : [[forbidden]]),
        [spelling.shell('date')],
      ];
      const started = await start(program, async ({ turn, firstUserText }, { ledger }) => {
        const isSubAgent = firstUserText.includes(SUB_TASK);
        const next = (isSubAgent ? [[spelling.shell('echo from-sub-agent')]] : turns)[turn];
        if (next !== undefined) return { calls: next };
        // A real model takes longer than a hook: some programs end, or a sub-agent does, without waiting for the last one.
        await until('the ends of the calls', async () => {
          const known = await ledger();
          // Some do not wait for their sub-agents.
          const isSubDone = subAgent === undefined || endsOf(known, 'echo') > 1;
          return isSubDone && (isSubAgent || endsOf(known, 'date') > 0);
        });
        return { text: 'All done.' };
      });
      await started.agent.startRecorder();
      const ledger = await finished(program, started);

      expect([...joinedCalls(ledger)].sort()).toEqual([...program.calls].sort());
      expect(lostIn(ledger)).toBe(0);
      // Copilot CLI may tell of the first prompt before, as its own times say.
      const told = ledger.find(({ operation_type }) => operation_type !== 'prompt.submit');
      expect(told?.operation_type).toBe('session.start');
      if (program.saysEnd) expect(ledger.at(-1)?.operation_type).toBe('session.end');
      expect(existsSync(join(started.agent.project, 'a.txt'))).toBe(true);

      const bundle = await bundleOf(started.owner);
      const report = await verifyWith(started.service.kid, bundle);
      expect(report.verdict).toBe('verified');
      const means = { sha256: nodeCrypto.sha256, signal: new AbortController().signal };
      const coherence = await coherenceOf(() => [bundle], report, means);
      expect(
        coherence.findings.filter(isQuestion).map(({ code, where }) => `${code} ${JSON.stringify(where)}`),
      ).toEqual(program.findings.map((code) => expect.stringMatching(new RegExp(`^${code} `))));
      expect(coherence.status).toBe('coherent');
    });

    const forty =
      'has forty calls of all kinds in the ledger once, while the recorder is killed and the service is away';
    it(forty, () => runPlan(program));

    const checked = 'has ten sessions in which the check finds nothing, and then what is left out or altered';
    if (hasTranscripts(program.id)) it(checked, () => checkTenSessions(program));

    it('is stopped at its next call once its agent is frozen', async () => {
      const started = await start(
        program,
        async ({ turn }, { owner, file }) => {
          if (turn === 1) {
            const params = { agent_id: file.agent_id };
            await owner.client.ok('freezeAgent', { params, body: { reason: 'It has to stop.' } });
          }
          return turn > 1 ? { text: 'All done.' } : { calls: [program.spelling.shell(`touch made-${turn}.txt`)] };
        },
        '--require-receipt',
      );
      await started.agent.startRecorder();
      const ended = await started.agent.run(...program.run('Do it.'));
      expect(started.models.errors).toEqual([]);
      const made = [0, 1].map((turn) => existsSync(join(started.agent.project, `made-${turn}.txt`)));
      expect(made, `${ended.stdout}\n${ended.stderr}`).toEqual([true, false]);
    });
  });
}
