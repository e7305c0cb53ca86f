import { useQuery } from '@tanstack/react-query';
import type { TokenScope } from '../../../contract/index.ts';
import { LIMITS } from '../../../contract/index.ts';
import type { TokenRow } from '../../api/answers.ts';
import { useRefusal } from '../../api/permission.ts';
import { q } from '../../api/query.ts';
import { TextField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TERMS_FIELDS } from './texts.ts';

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
  { value: 'submit', label: TERMS_FIELDS.submitOneAgent },
  { value: 'full', label: TERMS_FIELDS.everythingICanDo },
] as const;

interface TermsFieldsProps {
  readonly terms: TokenTerms;
  readonly onChange: (terms: TokenTerms) => void;
}

/** Name, rights and agent of a new token. */
export function TermsFields({ terms, onChange }: TermsFieldsProps) {
  const agents = useQuery(q('listAgents')).data?.agents ?? [];
  const cannotSubmit = useRefusal('submitOperation');
  const isLimited = terms.scope === 'submit';
  return (
    <>
      <TextField
        label={TERMS_FIELDS.name}
        autoFocus
        maxLength={LIMITS.tokenName}
        placeholder={TERMS_FIELDS.nameExample}
        dir="auto"
        value={terms.name}
        onChange={(name) => onChange({ ...terms, name })}
        hint={TERMS_FIELDS.nameHint}
      />
      <SelectField
        label={TERMS_FIELDS.canDo}
        value={terms.scope}
        options={SCOPES}
        onChange={(scope) => onChange({ ...terms, scope })}
        hint={isLimited ? (cannotSubmit ?? TERMS_FIELDS.submitHint) : TERMS_FIELDS.fullHint}
      />
      {isLimited && (
        <SelectField
          label={TERMS_FIELDS.agent}
          required
          value={terms.agentId}
          options={[
            {
              value: '',
              label: agents.length === 0 ? TERMS_FIELDS.noAgentRegistered : TERMS_FIELDS.chooseAgent,
              disabled: true,
            },
            ...agents.map(({ agent_id: id }) => ({ value: id, label: id })),
          ]}
          onChange={(agentId) => onChange({ ...terms, agentId })}
        />
      )}
    </>
  );
}
