// The words on a screen in the pseudo-locale that come from no catalogue of the page.
import type { Page } from 'playwright';
import { PROGRAMS, SCREENS } from '../../src/api/index.ts';
import { OWN_KEY_NOTE, TIMES_NOTE } from '../../src/protocol/index.ts';
import type { Observer } from './screen-walk.ts';

/** The screens that show few texts of the service's or of the protocol's, which have no catalogue, by the names of their visits. */
const VISITED =
  /^(agents|agent|chain|entities|reading-rules|difference|exports|export|make-export|register|record|connect|people|person|retention|account|refused|epochs|epoch|tokens|webhooks|admin-events|settings|settings-(mail|keys|trust|backups))$/;

/** The programs that can be recorded. Taken away before all else: a part of a name may be data by itself. */
const PROGRAM_NAMES = new RegExp(
  Object.values(PROGRAMS)
    .map(({ name }) => name)
    .join('|'),
  'g',
);

/** Words of other layers than the page, and names that are the same in every language. */
const NAMES = [
  ...Object.values(SCREENS).flatMap((screen) => [
    ...('label' in screen ? [screen.label] : []),
    ...('group' in screen ? [screen.group] : []),
  ]),
  OWN_KEY_NOTE,
  TIMES_NOTE,
  // What the service calls its own machine, and what the browser calls itself.
  ...['loopback', 'Chrome', 'HeadlessChrome', 'Countersign'],
  // What the fixtures chose, besides names in the marks of foreign text.
  ...['Ada Lovelace', 'billing-bot', 'archive-reader', 'release', 'create', 'write', 'send', 'sign', 'confirm'],
  ...['Unusual amounts; checked by Ada', 'curl', 'JCS', 'seq_no', 'protocol', 'UTC'],
  ...['airline-agent', 'Nightly report', 'Cleared'],
  // Kinds of entities that the sessions of the fixtures name.
  ...['flight', 'payment method', 'reservation', 'email', 'user'],
  // What the service says of events and of programs that do not name themselves.
  ...['Unknown program', 'retention rules', 'token', 'webhook', 'export'],
  // What the service says of a delivery that nobody answered.
  'no answer',
].toSorted((a, b) => b.length - a.length);
const KNOWN = new RegExp(NAMES.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'), 'gi');

/** States of agents, keys and epochs, kinds of targets, and fields of records, as the service and the fixtures write them. */
const WORDS_OF_DATA = new Set([
  ...['active', 'frozen', 'organization', 'agent', 'case', 'legal hold'],
  ...['subject', 'action', 'key-1', 'csbundle', 'test'],
]);

/** Hashes, ids, addresses, codes, names of members and of operation types: data, in whatever language. */
const DATA =
  /[0-9a-f]{8}-[0-9a-f-]{27}|\S+@\S+|\w+:\/\/\S+|[\w-]{40,}|\b[0-9a-f]{7,}\b|\b[A-Z]+(?:_[A-Z]+)+\b|\b[A-Z]{6,}\b|\b\w+(?:[_.]\w+)+\b|\/[\w/.-]+|\([A-Z]+\)|of-a-long-name-|very-long-cluster-name-?|stranger-\S+|\b(?:[Gg]oogle|[Gg]it[Hh]ub)\b/g;

/** What a screen shows and reads out outside of what somebody else wrote, of times and of what is typed as it stands. */
function wordsOn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isForeign = (element: Element | null): boolean =>
      element?.closest('bdi, time, code, pre, kbd, .code, .unseen, script, style, noscript, canvas') != null;
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (!isForeign(node.parentElement)) found.push(node.textContent ?? '');
    }
    for (const element of document.querySelectorAll('[title], [aria-label], [placeholder], [alt]')) {
      if (isForeign(element)) continue;
      // A title that is the whole of a foreign text within.
      const within = [...element.querySelectorAll('bdi, .code, time')].map((one) => one.textContent ?? '');
      for (const name of ['title', 'aria-label', 'placeholder', 'alt']) {
        const text = element.getAttribute(name) ?? '';
        if (!within.includes(text)) found.push(text);
      }
    }
    return found.filter((text) => /[A-Za-z]{3,}/.test(text));
  });
}

/** What a screen says that is not written in the pseudo-locale, and so is wired into the code. */
export const inCatalogue: Observer = async (page, name) => {
  if (!VISITED.test(name)) return [];
  const wired = (await wordsOn(page)).filter((text) => {
    const rest = text.replace(PROGRAM_NAMES, '').replace(DATA, '').replace(KNOWN, '');
    const words = rest.match(/[A-Za-z][\w-]*(?: [a-z]+)*/g) ?? [];
    return words.some((word) => /[A-Za-z]{3,}/.test(word) && !WORDS_OF_DATA.has(word));
  });
  const title = await page.locator('h1').first().textContent();
  return title === '' ? ['it has no title', ...wired] : wired;
};
