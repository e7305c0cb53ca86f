import { useQuery } from '@tanstack/react-query';
import type { TokenScope } from '../../../contract/index.ts';
import { LIMITS } from '../../../contract/index.ts';
import type { TokenRow } from '../../api/administration-queries.ts';
import { useRefusal } from '../../api/permission.ts';
import { agentsQuery } from '../../api/queries.ts';
import { TextField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';

/** What a token is called and what it may do, as it is entered. */
export interface TokenTerms {
  readonly name: string;
  readonly scope: TokenScope;
  readonly agentId: string;
}

/** The narrower one: whoever needs more says so. */
export const NEW_TERMS: TokenTerms = { name: '', scope: 'submit', agentId: '' };

export function termsOf({ name, scope, agent_id: agentId }: TokenRow): TokenTerms {
  return { name: name ?? '', scope, agentId: agentId ?? '' };
}

/** The members of the call's body; without a name and a limit those of a plain token. */
export function bodyOf({ name, scope, agentId }: TokenTerms) {
  return {
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    ...(scope === 'full' ? {} : { scope }),
    ...(scope === 'submit' ? { agent_id: agentId } : {}),
  };
}

const SCOPES = [
  { value: 'submit', label: 'Submit for one agent' },
  { value: 'full', label: 'All that I can do' },
] as const;

interface TermsFieldsProps {
  readonly terms: TokenTerms;
  readonly onChange: (terms: TokenTerms) => void;
}

/** Name, rights and agent of a new token. */
export function TermsFields({ terms, onChange }: TermsFieldsProps) {
  const agents = useQuery(agentsQuery).data?.agents ?? [];
  const cannotSubmit = useRefusal('submitOperation');
  const isLimited = terms.scope === 'submit';
  return (
    <>
      <TextField
        label="Name"
        autoFocus
        maxLength={LIMITS.tokenName}
        placeholder="CI of billing"
        dir="auto"
        value={terms.name}
        onChange={(name) => onChange({ ...terms, name })}
        hint="Optional. Helps you tell your tokens apart."
      />
      <SelectField
        label="Can do"
        value={terms.scope}
        options={SCOPES}
        onChange={(scope) => onChange({ ...terms, scope })}
        hint={
          isLimited
            ? (cannotSubmit ??
              'This token can only submit operations of one agent. Whoever steals the token can read nothing with it.')
            : 'This token has all your permissions, with the role that you have at the time, but cannot change your account.'
        }
      />
      {isLimited && (
        <SelectField
          label="Agent"
          required
          value={terms.agentId}
          options={[
            { value: '', label: agents.length === 0 ? 'No agent is registered' : 'Choose an agent', disabled: true },
            ...agents.map(({ agent_id: id }) => ({ value: id, label: id })),
          ]}
          onChange={(agentId) => onChange({ ...terms, agentId })}
        />
      )}
    </>
  );
}
