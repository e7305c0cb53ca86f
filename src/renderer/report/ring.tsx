import { type Outcome, tallyOf } from '../proof/outcome.ts';
import { CHECK_RING, VERDICT } from './texts.ts';

/** One of the checks that a ring shows. */
export interface RingPart {
  readonly id: string;
  readonly title: string;
  readonly outcome: Outcome;
}

const RADIUS = 42;
const CENTRE = 50;
const GAP_DEGREES = 5;

/** A part of the ring, from one angle to another in degrees clockwise from the top. */
export function arc(from: number, to: number): string {
  const at = (degrees: number): string => {
    const angle = ((degrees - 90) * Math.PI) / 180;
    return `${(CENTRE + RADIUS * Math.cos(angle)).toFixed(2)} ${(CENTRE + RADIUS * Math.sin(angle)).toFixed(2)}`;
  };
  return `M${at(from)}A${RADIUS} ${RADIUS} 0 ${to - from > 180 ? 1 : 0} 1 ${at(to)}`;
}

/**
 * What was checked, as a ring with a part for each check. A failed part is broader, one that was not checked is drawn with
 * dots, so that nothing depends on the colours; the same is there in words.
 */
export function Ring({ parts }: { readonly parts: readonly RingPart[] }) {
  const step = 360 / parts.length;
  const { passed, failed, open, notApplicable, total } = tallyOf(parts);
  const words = VERDICT.ring(passed, failed, open, notApplicable);
  return (
    <figure className="ring">
      <svg viewBox="0 0 100 100" role="img" aria-label={words}>
        {parts.map(({ id, title, outcome }, n) => (
          <path
            key={id}
            className={`ring-${outcome === 'cannot_check' ? 'not_checked' : outcome}`}
            d={arc(n * step + GAP_DEGREES / 2, (n + 1) * step - GAP_DEGREES / 2)}
          >
            <title>{`${title}: ${VERDICT.part[outcome]}`}</title>
          </path>
        ))}
      </svg>
      <figcaption aria-hidden="true">
        <strong className="number">
          {passed}/{total}
        </strong>
        <span>{CHECK_RING.passed}</span>
      </figcaption>
    </figure>
  );
}
