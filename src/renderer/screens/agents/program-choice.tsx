import { integrationName } from './integration-names.ts';
import { FED_BY, RECORDED_PROGRAMS, type RecordedProgram } from './recorded-programs.ts';
import { PROGRAM_CHOICE } from './texts.ts';

interface ProgramChoiceProps {
  readonly chosen: RecordedProgram | undefined;
  readonly onChoose: (program: RecordedProgram) => void;
}

/** Which program is to be recorded. */
export function ProgramChoice({ chosen, onChoose }: ProgramChoiceProps) {
  return (
    <fieldset className="program-choice">
      <legend className="muted">{PROGRAM_CHOICE.question}</legend>
      {RECORDED_PROGRAMS.map((program) => (
        <label
          key={program}
          className={FED_BY[program] === undefined ? 'program choice' : 'program choice program-wide'}
        >
          <input type="radio" name="program" checked={chosen === program} onChange={() => onChoose(program)} />
          <span>
            {integrationName(program)}
            {FED_BY[program] !== undefined && <span className="muted program-note">{FED_BY[program]}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
