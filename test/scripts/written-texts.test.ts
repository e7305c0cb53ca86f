// What a module of the page writes itself, instead of taking it from a catalogue.
import { expect, test } from 'vitest';
import { findTextsInCode } from '../../scripts/check-written-texts.ts';
import { findWrittenTexts } from '../../scripts/written-texts.ts';

const textsOf = (source: string): string[] => findWrittenTexts('a.tsx', source).map(({ text }) => text);
const textsIn = (jsx: string): string[] => textsOf(`export const A = (p) => ${jsx};`);

test('no module of the page writes a text itself', () => {
  expect(findTextsInCode()).toEqual([]);
});

test.each([
  ['text of an element', '<p>Create export</p>', ['Create export']],
  ['one word of an element', '<p>never</p>', ['never']],
  ['a choice of two in an element', "<p>{p.on ? 'on' : 'off'}</p>", ['on', 'off']],
  ['what is read out', '<button aria-label="Close" />', ['Close']],
  ['a hint before something is typed', '<input placeholder="any" />', ['any']],
  ['what stands for a picture', '<img alt="path" />', ['path']],
  ['a label of a component', `<Field label={p.is ? "from" : \`to \${p.x}\`} />`, ['from', 'to …']],
  ['heads of a table', "<Table heads={['Name', { label: 'state' }]} />", ['Name', 'state']],
  ['a message', `<A go={() => toast(\`\${p.name} is revoked.\`)} />`, ['… is revoked.']],
  ['a noun that goes with a number', "<p>{plural(p.n, 'record')}</p>", ['record']],
  ['a length of time', "<A options={['30 days']} />", ['30 days']],
])('finds %s', (_, jsx, found) => {
  expect(textsIn(jsx)).toEqual(found);
});

test('finds messages outside elements', () => {
  expect(textsOf("export const problem = 'Choose the key set file first.';")).toEqual([
    'Choose the key set file first.',
  ]);
});

test.each([
  ['classes', '<p className={p.x ? "button button-small" : "Row wide"} />'],
  ['names of members and codes', "<A x={p.state === 'Not found' ? p['Last name'] : p.b} />"],
  ['what is typed as it stands', '<span className="muted code">countersign verify</span>'],
  ['what comes from a catalogue', '<p title={T.title}>{T.text(p.n)} · {fill(T.both, { a: <b>{p.a}</b> })}</p>'],
  ['keys and sizes', `<A hint={'g s'} size={\`minmax(\${p.n}px, 1fr)\`} />`],
  ['programs to paste', `<A x={programText\`# Where the key is: \${p.file}\`} />`],
  ['drawings', '<path d="M4 5h16v3 L 2 2" />'],
  ['commands', `<A text={\`npx countersign record install \${p.program} --token \${p.token}\`} />`],
  ['punctuation', '<p>{p.a} – {p.b} ({p.c})</p>'],
])('leaves %s', (_, jsx) => {
  expect(textsIn(jsx)).toEqual([]);
});

test('leaves errors that only a programmer sees, types and imports', () => {
  const source =
    "import { a } from 'some where';\nexport type T = 'One thing';\nexport const f = () => { throw new Error('No such row'); };";
  expect(textsOf(source)).toEqual([]);
});
