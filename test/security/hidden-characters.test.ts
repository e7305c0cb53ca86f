import fc from 'fast-check';
import { createElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { findShownRaw } from '../../scripts/shown-text.ts';
import { printable, printableName } from '../../src/cli/printable.ts';
import { visibleText } from '../../src/protocol/index.ts';
import { directionPieces, scriptWarning, textParts } from '../../src/protocol/text/index.ts';
import { columnsFor } from '../../src/renderer/screens/audit/list/columns.tsx';
import { JsonTree } from '../../src/renderer/ui/json-tree.tsx';
import { Seen } from '../../src/renderer/ui/seen.tsx';
import { runs } from '../support/extent.ts';

/** What whoever writes a record, a file name or a name can put into it unseen. */
const HIDDEN: Readonly<Record<string, string>> = {
  'a right-to-left override': 'invoice/\u202e0001',
  'an isolate': 'a\u2066b\u2069c',
  'a right-to-left mark': 'a\u200fb',
  'an Arabic letter mark': 'a\u061cb',
  'a zero width space': 'Home Org\u200b',
  'a zero width joiner between letters': 'a\u200db',
  'a soft hyphen': 'Home\u00ad Org',
  'a word joiner': 'a\u2060b',
  'a byte order mark': '\ufeff=1+1',
  'a variation selector after a letter': 'a\ufe0f',
  'a supplementary variation selector': 'a\u{e0101}b',
  'tag characters': 'agent\u{e0061}\u{e0062}',
  'tags after a flag that is none': '\u{1f3f4}\u{e0078}\u{e007f}',
  'a control character': 'a\u0007b',
  'a line feed': 'a\nb',
  'a line separator': 'a\u2028b',
  'a private character': 'a\ue000b',
  'half of a surrogate pair': 'a\ud800b',
  'a no-break space': '\u00a0=1+1',
  'an ideographic space': 'a\u3000b',
  'a blank Braille pattern': 'a\u2800b',
  'a Hangul filler': 'a\u3164b',
  'a blank at the start': ' =1+1',
  'a blank at the end': 'Home Org ',
  'two blanks': 'Home  Org',
  'a mark with nothing under it': '\u0301abc',
  'a pile of marks': `a${'\u0301'.repeat(9)}`,
};

const drawn = (node: ReactNode): string => renderToStaticMarkup(node);
const seen = (text: string): string => drawn(createElement(Seen, { text }));
/** What is left of a markup for the eye. */
const inkOf = (markup: string): string => markup.replace(/<[^>]*>/g, '');

it('leaves each name and number of a line where it stands, whatever the direction of the value before it', () => {
  const line = 'pay(note: دفع المبلغ, amount: 1500, المبلغ: 7) → تم';
  const markup = drawn(createElement(Seen, { text: line, isJoined: true }));
  expect(markup).toBe(
    '<bdi dir="ltr">pay(note: <bdi>دفع المبلغ</bdi>, amount: 1500, <bdi>المبلغ</bdi>: 7) → <bdi>تم</bdi></bdi>',
  );
  expect(drawn(createElement(Seen, { text: 'pay(note: a)', isJoined: true }))).toBe(
    '<bdi dir="ltr">pay(note: a)</bdi>',
  );
});

it('leaves each member of a value where it stands, and a sentence in the order of its readers', () => {
  expect(seen('محمد الأحمد;1971-02-03')).toBe('<bdi dir="ltr"><bdi>محمد الأحمد</bdi>;1971-02-03</bdi>');
  expect(seen('/srv/محمد/1971')).toBe('<bdi dir="ltr">/srv/<bdi>محمد</bdi>/1971</bdi>');
  expect(seen('محمد|أحمد')).toBe('<bdi dir="ltr"><bdi>محمد</bdi>|<bdi>أحمد</bdi></bdi>');
  expect(seen('דוד (כהן), שלום')).toBe('<bdi>דוד (כהן), שלום</bdi>');
  expect(seen('דוא"ל')).toBe('<bdi>דוא&quot;ל</bdi>');
  expect(seen('דוא\\"ל')).toBe('<bdi>דוא\\&quot;ל</bdi>');
  expect(seen('دفع 500 ريال')).toBe('<bdi>دفع 500 ريال</bdi>');
});

it('takes any text apart without loss', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('م', 'ש', 'a', '1', ' ', ';', '.', '(', '→', '\n', '😀') }),
      fc.boolean(),
      (text, isJoined) => {
        expect(
          directionPieces(text, { isJoined })
            .map((piece) => piece.text)
            .join(''),
        ).toBe(text);
      },
    ),
  );
});

it('keeps an address whole within a sentence from right to left', () => {
  const cut = directionPieces('שלח דוא"ל אל dana@example.org לגבי החשבונית 4711');
  expect(cut.map(({ text, isTurned }) => (isTurned ? [text] : text))).toEqual([
    ['שלח דוא"ל אל'],
    ' dana',
    '@',
    'example',
    '.',
    'org ',
    ['לגבי החשבונית 4711'],
  ]);
});

it('leaves blanks at the ends of what is read from right to left outside of it', () => {
  const cut = directionPieces('שלח אל /srv/a, דוח');
  expect(cut.filter(({ isTurned }) => isTurned).map(({ text }) => text)).toEqual(['שלח אל', 'דוח']);
});

describe.each(Object.entries(HIDDEN))('%s', (_, text) => {
  it('is named by its number on screens', () => {
    expect(inkOf(seen(text))).toMatch(/U\+[0-9A-F]{4,6}/);
    expect(inkOf(seen(text))).not.toBe(text);
  });

  it('is named by its number in a terminal and in a tooltip', () => {
    expect(printable(text)).toMatch(/⟨U\+[0-9A-F]{4,6}⟩/);
    expect(visibleText(text)).toBe(printable(text));
  });
});

describe('a text', () => {
  it('is cut into parts without losing any of it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.boolean(), (text, lines) => {
        expect(
          textParts(text, { lines })
            .map((part) => part.text)
            .join(''),
        ).toBe(text);
      }),
      runs(),
    );
  });

  it('leaves nothing unseen in what is shown as it stands, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        for (const part of textParts(text.replaceAll(/\p{RGI_Emoji}/gv, ''))) {
          if (part.kind === 'shown')
            expect(part.text).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
        }
      }),
      runs(),
    );
  });

  it('cannot bring its own escape into a terminal', () => {
    expect(printable('⟨U+202E⟩')).toBe('⟨U+27E8⟩U+202E⟨U+27E9⟩');
  });

  it.each(['invoice/0001', 'Müller & Söhne', 'Ångström', 'счёт 12', '請求書', 'חשבונית', 'نامه', '👩‍👩‍👧 ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣'])(
    'is shown as it stands where it hides nothing: %s',
    (text) => {
      expect(textParts(text)).toEqual([{ kind: 'shown', text }]);
      expect(printable(text)).toBe(text);
    },
  );

  it('of several lines keeps its lines and nothing else that is hidden', () => {
    expect(textParts('a\n\tb  c', { lines: true })).toEqual([{ kind: 'shown', text: 'a\n\tb  c' }]);
    expect(textParts('a\n\u200bb', { lines: true })).toHaveLength(3);
  });
});

describe('a name', () => {
  it.each([
    ['pаypal', 'Cyrillic а'],
    ['Ноme Org', 'Cyrillic Но'],
    ['раура', 'all Cyrillic, all like Latin'],
    ['Οmega', 'Greek Ο'],
    ['𝐇ome', 'mathematical H'],
    ['Ｈome', 'full width H'],
  ])('is marked where its letters may not be what they seem: %s (%s)', (name) => {
    expect(scriptWarning(name)).not.toBeNull();
    expect(inkOf(seen(name))).toContain('mixed letters');
    expect(printableName(name)).toContain('⟨');
  });

  it.each(['Home Org', 'Счёт Petrov', 'Иван сор', 'Toyota トヨタ', 'Sony株式会社', 'Ελλάδα', 'naïve', 'agent-7'])(
    'is not marked where nothing suggests it: %s',
    (name) => {
      expect(scriptWarning(name)).toBeNull();
      expect(printableName(name)).toBe(name);
    },
  );
});

describe('the page', () => {
  it('shows what the subject of a record hides in the table of the search', () => {
    const row = { subject: HIDDEN['a right-to-left override'] } as never;
    const column = columnsFor(['subject'], false, false).find(({ id }) => id === 'subject');
    const markup = drawn(column?.cell(row));
    expect(inkOf(markup)).toBe('invoice/U+202E0001');
    expect(markup).not.toContain('\u202e');
  });

  it('shows what members and texts of a payload hide', () => {
    const markup = drawn(createElement(JsonTree, { value: { 'amount\u200b': '1\u202e2' } }));
    expect(inkOf(markup)).toContain('amountU+200B');
    expect(inkOf(markup)).toContain('1U+202E2');
  });
});

describe('the check of shown texts refuses', () => {
  const problems = (jsx: string): number => findShownRaw('a.tsx', `export const A = (p) => ${jsx};`).length;

  it.each([
    '<bdi>{p.x}</bdi>',
    '<p>{p.subject}</p>',
    '<p>{p?.org_name ?? "–"}</p>',
    '<p>{p.isIt ? p.email : "nobody"}</p>',
    '<p>{p.isIt && p.file_name}</p>',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a program in a text
    '<p>{`of ${p.name}`}</p>',
    '<p>{String(p.x)}</p>',
    '<p>{JSON.stringify(p.x)}</p>',
    '<><b>1</b>{p.reason}</>',
    '<td title={p.subject}>1</td>',
    '<button aria-label={"Remove " + p.display_name}>×</button>',
    '<LedgerLink title={p.subject}>1</LedgerLink>',
  ])('%s', (jsx) => {
    expect(problems(jsx)).toBe(1);
  });

  it.each([
    '<Seen text={p.subject} />',
    '<td title={visibleText(p.subject)}><Seen text={p.subject} /></td>',
    '<p>{count(p.records)}</p>',
    '<Dialog title={p.name}>1</Dialog>',
    '<dt>{PERSON_SCREEN.name}</dt>',
    '<p>{p.reason !== null && <b>1</b>}</p>',
  ])('but not %s', (jsx) => {
    expect(problems(jsx)).toBe(0);
  });
});
