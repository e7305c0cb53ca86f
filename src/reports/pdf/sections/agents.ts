import { clockCorrectedAt, describeWrongClock } from '../../../protocol/index.ts';
import type { Flow } from '../layout/flow.ts';
import { TableWriter } from '../layout/table.ts';
import type { Subject } from '../subject.ts';
import { kidInGroups } from '../text/groups.ts';
import { instant, leftOut, SUMMARY_ROWS } from '../wording.ts';

/**
 * What stands below the times of agents and keys, which are those of the events that they follow from (protocol V72): a note where
 * such an event has a time that may be wrong.
 */
function clockNotes({ survey, report }: Subject): (...times: readonly (number | null)[]) => string[] {
  const corrected = new Map<number, string>();
  for (const [index, { created_at }] of survey.adminEvents.entries()) {
    const correctedAt = clockCorrectedAt(report.corrected_times, 'events', index + 1);
    if (correctedAt !== null) corrected.set(created_at, correctedAt);
  }
  return (...times) => {
    const [found] = times.flatMap((time) => corrected.get(time ?? Number.NaN) ?? []);
    return found === undefined ? [] : [describeWrongClock('This time', found)];
  };
}

/** The service's keys, the agents, and the keys that the service says are theirs. */
export async function writeAgents(flow: Flow, subject: Subject): Promise<void> {
  const { survey, report, details } = subject;
  const notes = clockNotes(subject);
  const { mono } = flow.styles;
  flow.open('Sect');
  flow.heading(2, 'Keys and agents', { bookmark: 'section', keep: 90 });
  flow.paragraph(
    'As the bundle states them. Each agent key is attested by a service key; check Agent signatures says whether.',
  );

  flow.heading(3, 'Service keys', { keep: 60 });
  const trusted = new Map(report.issuer.service_keys.map((key) => [key.kid, key.trusted]));
  const services = new TableWriter(flow, [
    { title: 'Fingerprint', share: 0.5, style: mono, heads: true },
    { title: 'Trusted by the reader', share: 0.17 },
    { title: 'Used', share: 0.33 },
  ]);
  for (const { kid, status, created_at, retired_at, prev_kid } of survey.serviceKeys) {
    const used = [`${status}, from ${instant(created_at)}`];
    if (retired_at !== null) used.push(`until ${instant(retired_at)}`);
    used.push(...notes(created_at, retired_at));
    const names = prev_kid === null ? [kidInGroups(kid)] : [kidInGroups(kid), `after ${kidInGroups(prev_kid)}`];
    services.row([{ text: names, style: mono }, trusted.get(kid) === true ? 'yes' : 'no', { text: used }]);
  }
  services.end();

  flow.heading(3, 'Agents', { keep: 60 });
  if (survey.agents.length === 0) flow.paragraph('None that could be read.');
  const agents = new TableWriter(flow, [
    { title: 'Agent', share: 0.28, heads: true },
    { title: 'Name and responsible', share: 0.38 },
    { title: 'State', share: 0.34 },
  ]);
  const shown = details ? survey.agents : survey.agents.slice(0, SUMMARY_ROWS);
  for (const agent of shown) {
    await flow.rest();
    agents.row([
      agent.agent_id,
      { text: [agent.display_name, agent.responsible_entity ?? 'nobody named as responsible'] },
      {
        text: [
          `${agent.status}, ${agent.integration_type}`,
          `from ${instant(agent.created_at)}`,
          ...notes(agent.created_at),
        ],
      },
    ]);
  }
  agents.end();
  const rest = leftOut(survey.agents.length - shown.length, 'agent');
  if (rest !== null) flow.paragraph(rest);

  flow.heading(3, 'Agent keys', { keep: 60 });
  const keys = new TableWriter(flow, [
    { title: 'Agent and key', share: 0.28, heads: true },
    { title: 'Public key (Ed25519)', share: 0.44, style: mono },
    { title: 'State', share: 0.28 },
  ]);
  for (const { agent_id, keys: own } of shown) {
    await flow.rest();
    for (const { kid, public_key, status, created_at, retired_at } of own) {
      const state = [`${status}, from ${instant(created_at)}`];
      if (retired_at !== null) state.push(`until ${instant(retired_at)}`);
      state.push(...notes(created_at, retired_at));
      keys.row([{ text: [agent_id, kid], style: flow.styles.small }, kidInGroups(public_key), { text: state }]);
    }
  }
  keys.end();
  flow.close();
}
