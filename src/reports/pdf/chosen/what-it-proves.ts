import { makersWord, PROVES_TITLE, whatItDoesNotProve, whatItProves } from '../../chosen/index.ts';
import type { Flow } from '../layout/flow.ts';
import type { ChosenSubject } from './chosen-subject.ts';

/** A page for people who know nothing of signatures: what all this shows, and what it does not. */
export function writeWhatItProves(flow: Flow, { judgement, records, attachments }: ChosenSubject): void {
  const { signature, examiner_kid: kid } = judgement.report;
  flow.newPage();
  flow.open('Sect');
  flow.heading(2, PROVES_TITLE, { bookmark: 'section' });
  flow.paragraph(
    'This page is for readers who have to rely on this report, or to doubt it. It is the same in every such report.',
  );
  flow.heading(3, 'It proves, where the check of the attached data says “verified”');
  flow.list(whatItProves(records.length));
  if (signature === 'valid') flow.list([makersWord(signature, kid)]);
  flow.heading(3, 'It does not prove');
  flow.list(whatItDoesNotProve(signature));
  flow.heading(3, 'Do not take these pages for the proof');
  flow.paragraph(
    'Anybody can print pages like these. The proof is in the data that are attached to this PDF. Have a program check the file ' +
      'that you got from somebody you trust, not from whoever handed you this report, and give it the issuer’s fingerprint as ' +
      'the issuer told it to you: by telephone, in person, on paper.',
  );
  flow.code([
    'countersign verify report.pdf --trust FINGERPRINT',
    'node verify-bundle.mjs report.pdf --trust FINGERPRINT',
  ]);
  flow.paragraph(
    'The first command also makes these pages again from the data, and says where one character of them was changed. It ends with 0 ' +
      'where everything is verified, with 1 where something fails, and with 3 where the issuer is not confirmed.',
  );
  if (attachments.length > 0) {
    flow.paragraph('Attached to this PDF:', flow.styles.body, { after: 2 });
    flow.list(attachments.map(({ name, description }) => `${name}: ${description}`));
  }
  flow.close();
}
