import { useScrollable } from '../lib/use-scrollable.ts';
import { type Step, stepText } from '../proof/step.ts';
import { CopyButton } from './hash.tsx';
import { Mark } from './mark.tsx';
import { STEPS } from './texts.ts';

/** The steps of a verification in order; what failed stands open. */
export function Steps({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <ol className="steps">
      {steps.map((step, n) => (
        <li key={step.id}>
          <details open={step.outcome === 'fail'}>
            <summary data-row>
              <span className="order">{n + 1}</span>
              <span className="what">
                <strong>{step.title}</strong> <small>{step.sentence}</small>
              </span>
              <Mark outcome={step.outcome} />
            </summary>
            <div className="step-work">
              <p className="cluster muted">
                {step.rule}
                <CopyButton text={stepText(step)} what={STEPS.step(n + 1)} />
              </p>
              {step.operands.map(({ label, value, bad }) => (
                <div key={label} className={bad === true ? 'operand operand-bad' : 'operand'}>
                  <span>{label}</span>
                  <Value text={value} />
                  <CopyButton text={value} what={label} />
                </div>
              ))}
            </div>
          </details>
        </li>
      ))}
    </ol>
  );
}

function Value({ text }: { readonly text: string }) {
  return <code {...useScrollable<HTMLElement>()}>{text}</code>;
}
