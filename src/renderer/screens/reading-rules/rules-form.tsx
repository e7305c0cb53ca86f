import type { InvestigationRules } from '../../../facts/index.ts';
import { fill } from '../../lib/fill.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { LinesField } from '../../ui/field.tsx';
import { ApprovalRows, EntityRows, OutcomeRows } from './rule-rows.tsx';
import { linesOf } from './rules-draft.ts';
import { RULES_FORM } from './texts.ts';

interface RulesFormProps {
  readonly rules: InvestigationRules;
  readonly onChange: (rules: InvestigationRules) => void;
}

/** The members of the rules that are one list of places each. */
const LISTS = [
  {
    member: 'sessions',
    label: RULES_FORM.session,
    placeholder: '/session\nsubject',
  },
  { member: 'tools', label: RULES_FORM.tool, placeholder: '/tool\naction' },
  { member: 'people', label: RULES_FORM.person, placeholder: '/on_behalf_of' },
  { member: 'facets', label: RULES_FORM.members, placeholder: '/arguments/cabin' },
] as const;

/** The commonest rules as fields. */
export function RulesForm({ rules, onChange }: RulesFormProps) {
  return (
    <div className="stack">
      <p className="muted note">
        {fill(RULES_FORM.placesHint, {
          pointer: <code className="code">/session/id</code>,
          subject: <code className="code">subject</code>,
        })}
      </p>
      <div className="rules-lists">
        {LISTS.map(({ member, label, placeholder }) => (
          <PlacesField
            key={member}
            label={label}
            placeholder={placeholder}
            places={rules[member]}
            onChange={(places) => onChange({ ...rules, [member]: places })}
          />
        ))}
      </div>
      <OutcomeRows rows={rules.outcomes} onChange={(outcomes) => onChange({ ...rules, outcomes })} />
      <EntityRows rows={rules.entities} onChange={(entities) => onChange({ ...rules, entities })} />
      <ApprovalRows rows={rules.approvals} onChange={(approvals) => onChange({ ...rules, approvals })} />
    </div>
  );
}

interface PlacesFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly places: readonly string[];
  readonly onChange: (places: string[]) => void;
}

/** Places, one per line; what is typed stays as it is while it says the same. */
function PlacesField({ label, placeholder, places, onChange }: PlacesFieldProps) {
  const said = places.join('\n');
  const [text, setText] = useDraft(said, said);
  return (
    <LinesField
      label={label}
      placeholder={placeholder}
      value={text}
      onChange={(next) => {
        setText(next);
        const lines = linesOf(next);
        if (lines.join('\n') !== said) onChange(lines);
      }}
    />
  );
}
