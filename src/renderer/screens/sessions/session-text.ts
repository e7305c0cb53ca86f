import { visibleText } from '../../../protocol/index.ts';
import type { Step, WorkSession } from '../../api/answers.ts';
import { ACTION_OUTCOMES } from '../../components/action-marks.tsx';
import { ACCESS_WORDS } from '../../components/entity-chip.tsx';
import { durationText } from '../../lib/duration.ts';
import type { TimeZone } from '../../lib/time-zone.ts';
import { timeText, timeWords } from '../../ui/time.tsx';
import { KIND_WORDS } from './step-words.ts';
import { SESSION_TEXT } from './texts.ts';

function contentText(content: Step['input']): string {
  if (content === null) return '';
  if (content.value === null && content.digest !== null) return `${content.media_type ?? 'content'} ${content.digest}`;
  const text = typeof content.value === 'string' ? content.value : JSON.stringify(content.value, null, 2);
  return content.cut ? `${text} … (cut)` : text;
}

function block(label: string, text: string): string[] {
  return text === '' ? [] : [`   ${label}:`, ...text.split('\n').map((line) => `     ${line}`)];
}

function stepText(step: Step, n: number, zone: TimeZone): string {
  const ended = [
    step.outcome === null ? '' : ACTION_OUTCOMES[step.outcome],
    step.duration_ms === null ? '' : durationText(step.duration_ms),
  ].filter((part) => part !== '');
  const touched = step.entities.map(({ access, kind, id }) => `${ACCESS_WORDS[access]} ${kind} ${id}`);
  return [
    `${n + 1}. ${timeText(step.at, zone)}  ${KIND_WORDS[step.kind]}  ${step.lane.id}  ${step.title}${ended.length > 0 ? `  [${ended.join(', ')}]` : ''}`,
    ...step.told.flatMap(({ kind, content }) => block(`Told (${kind})`, contentText(content))),
    ...block(SESSION_TEXT.input, contentText(step.input)),
    ...block(SESSION_TEXT.output, contentText(step.output)),
    ...(step.error === null ? [] : block(SESSION_TEXT.error, step.error)),
    ...(touched.length === 0 ? [] : [SESSION_TEXT.touched(touched.join('; '))]),
    SESSION_TEXT.recordOf(step.seq_no, step.operation_id),
  ].join('\n');
}

/** A session as plain text, for a message or a report. Characters that nobody sees are named. */
export function sessionText(session: WorkSession, steps: readonly Step[], zone: TimeZone): string {
  const head = [
    SESSION_TEXT.titleOf(session.session),
    SESSION_TEXT.times(timeWords(session.first_at, zone), timeWords(session.last_at, zone)),
    SESSION_TEXT.agents(
      session.agents.join(', '),
      session.people.length === 0 ? '' : SESSION_TEXT.people(session.people.join(', ')),
    ),
    SESSION_TEXT.counts(session.calls, session.failed, session.refused, session.unfinished),
  ];
  return visibleText([...head, '', ...steps.map((step, n) => stepText(step, n, zone))].join('\n'), { lines: true });
}
