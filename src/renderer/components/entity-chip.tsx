import type { AnswerOf } from '../../api/index.ts';
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

/** An entity that a record touches: what was done to it, and the way to its page. */
export function EntityChip({ entity: { kind, id, access } }: { readonly entity: TouchedEntity }) {
  return (
    <LedgerLink to="/entities" search={{ kind, id }} className={`entity entity-${access}`}>
      <span className="entity-access">{ACCESS_WORDS[access]}</span>
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
