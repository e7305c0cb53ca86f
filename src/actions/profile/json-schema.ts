import { z } from 'zod';
import { PHASES } from './phases.ts';
import { EXTENSION_PATTERN, payloadMembers } from './schema.ts';

/** Where the schema says that it can be found: a name, not an address that anybody serves. */
const SCHEMA_ID = 'urn:countersign:agent-action:1';

/** What a phase demands, as JSON Schema says it. */
function phaseConditions(): object[] {
  return Object.entries(PHASES).map(([phase, { needs, outcomes }]) => ({
    if: { type: 'object', properties: { phase: { const: phase } }, required: ['phase'] },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: {
      type: 'object',
      required: [...needs],
      properties: {
        outcome:
          outcomes.length === 0
            ? false
            : { type: 'object', properties: { status: { type: 'string', enum: [...outcomes] } } },
      },
    },
  }));
}

/**
 * The profile as a JSON Schema of draft 2020-12, for a payload whose members are all there. It says all that checkPayload
 * checks, but for the range of dates and that texts are well-formed.
 */
export function agentActionJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(payloadMembers, { target: 'draft-2020-12' });
  return {
    $schema,
    $id: SCHEMA_ID,
    title: 'countersign.agent-action/1',
    description: 'What an agent did, as the payload of an operation record.',
    ...schema,
    patternProperties: { [EXTENSION_PATTERN.source]: {} },
    additionalProperties: false,
    allOf: phaseConditions(),
  };
}
