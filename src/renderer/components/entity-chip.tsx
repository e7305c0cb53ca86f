import type { AnswerOf } from '../../api/index.ts';
import { visibleText } from '../../protocol/index.ts';
import { LedgerLink } from '../api/ledger/places.tsx';
import { Seen } from '../ui/seen.tsx';
import { ENTITY_CHIP } from './texts.ts';

export type TouchedEntity = AnswerOf<'operationReading'>['entities'][number];
export type Access = TouchedEntity['access'];

/** What was done to an entity, in a word. */
export const ACCESS_WORDS: Readonly<Record<Access, string>> = {
  read: ENTITY_CHIP.read,
  write: ENTITY_CHIP.changed,
  delete: ENTITY_CHIP.deleted,
  send: ENTITY_CHIP.sentTo,
  mentioned: ENTITY_CHIP.named,
};

/** The kind of an entity as people say it. */
export function kindWords(kind: string): string {
  return kind.replaceAll('_', ' ');
}

const PLACES: Readonly<Record<string, string>> = {
  subject: ENTITY_CHIP.subject,
  action: ENTITY_CHIP.action,
  type: ENTITY_CHIP.type,
  tool: ENTITY_CHIP.toolName,
  rule: ENTITY_CHIP.rule,
  command: ENTITY_CHIP.command,
};

/** Where something was read, in words: a JSON Pointer stays one. */
export function placeWords(place: string): string {
  return visibleText(PLACES[place] ?? place);
}

/** That an entity was declared, or from what it and what was done to it were guessed. */
export function sourceWords({
  access,
  declared,
  read_from: from,
  access_from: by,
}: Pick<TouchedEntity, 'access' | 'declared' | 'access_from'> & { readonly read_from: string | null }): string {
  if (declared || from === null) return declared ? ENTITY_CHIP.declared : '';
  const guess = ENTITY_CHIP.guessedFrom(placeWords(from));
  return by === null ? guess : `${guess}. ${ENTITY_CHIP.accessGuessedFrom(ACCESS_WORDS[access], placeWords(by))}`;
}

/** An entity that a record touches: what was done to it, whether that is a guess, and the way to its page. */
export function EntityChip({ entity }: { readonly entity: TouchedEntity }) {
  const { kind, id, access, declared } = entity;
  return (
    <LedgerLink
      to="/entities"
      search={{ kind, id }}
      className={`entity entity-${access}${declared ? '' : ' is-guess'}`}
      title={sourceWords(entity)}
    >
      <span className="entity-access">{ACCESS_WORDS[access]}</span>
      {!declared && <span className="visually-hidden">{`(${ENTITY_CHIP.guess})`}</span>}
      <span className="entity-kind">
        <Seen text={kindWords(kind)} />
      </span>
      <Seen className="code ellipsis" text={id} />
    </LedgerLink>
  );
}

const ORDER: readonly Access[] = ['delete', 'write', 'send', 'read', 'mentioned'];

/** Entities, those first to which most was done. */
export function EntityChips({
  entities,
  most = 24,
}: {
  readonly entities: readonly TouchedEntity[];
  readonly most?: number;
}) {
  const sorted = entities.toSorted((a, b) => ORDER.indexOf(a.access) - ORDER.indexOf(b.access));
  return (
    <div className="entities">
      {sorted.slice(0, most).map((entity) => (
        <EntityChip key={`${entity.kind} ${entity.id}`} entity={entity} />
      ))}
      {sorted.length > most && <span className="muted">{ENTITY_CHIP.more(sorted.length - most)}</span>}
    </div>
  );
}
