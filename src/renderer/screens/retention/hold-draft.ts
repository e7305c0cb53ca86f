import type { HoldSelection } from '../../../contract/index.ts';

/** The fields of a new hold, as they are typed. */
export interface HoldDraft {
  readonly kind: HoldSelection['kind'];
  readonly name: string;
  readonly agent: string;
  readonly from: string;
  readonly to: string;
  readonly since: string;
  readonly until: string;
  readonly reason: string;
}

export const EMPTY_HOLD: HoldDraft = {
  ...{ kind: 'person', name: '', agent: '', from: '', to: '', since: '', until: '', reason: '' },
};

const given = (name: string, text: string): object => (text.trim() === '' ? {} : { [name]: text.trim() });
const number = (name: string, text: string): object => (text.trim() === '' ? {} : { [name]: Number(text) });

/** What is sent for the fields; the service says what is wrong with it. */
export function selectionOf({ kind, name, agent, from, to, since, until }: HoldDraft): object {
  switch (kind) {
    case 'person':
      return { kind, person: name };
    case 'session':
      return { kind, session: name };
    case 'agent':
      return { kind, agent_id: name.trim() };
    case 'case':
      return { kind, case_id: name };
    case 'range':
      return {
        kind,
        ...given('agent_id', agent),
        ...number('from_seq_no', from),
        ...number('to_seq_no', to),
        ...given('from_time', since),
        ...given('to_time', until),
      };
  }
}
