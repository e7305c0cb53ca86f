import type { Flow } from '../layout/flow.ts';
import { TableWriter } from '../layout/table.ts';
import type { ReportAnnotation } from '../subject.ts';
import { counted } from '../wording.ts';

/** Tags and notes of an investigator, on pages of their own: whoever made the report wrote them, and nothing signs them. */
export async function writeAnnotations(flow: Flow, annotations: readonly ReportAnnotation[]): Promise<void> {
  if (annotations.length === 0) return;
  flow.newPage();
  flow.open('Sect');
  flow.heading(2, 'Investigator’s notes', { bookmark: 'section', keep: 120 });
  flow.paragraph(
    `${counted(annotations.length, 'record')} with tags or a note. They were written by whoever investigated this bundle. ` +
      'They are no evidence: no signature covers them, they are not in the attached bundle, and no check looks at them.',
  );
  const table = new TableWriter(flow, [
    { title: 'Operation', share: 0.37, heads: true },
    { title: 'Tags', share: 0.19 },
    { title: 'Note', share: 0.44 },
  ]);
  for (const { operation_id, tags, note } of annotations) {
    table.row([
      operation_id,
      { text: tags.length === 0 ? '' : [...tags] },
      { text: note.split('\n').map((line) => line || ' ') },
    ]);
    await flow.rest();
  }
  table.end();
  flow.close();
}
