import { describePages, type PagesCheck } from '../../protocol/index.ts';
import { Mark } from '../components/mark.tsx';
import type { Outcome } from '../proof/outcome.ts';
import { PAGES_BANNER } from './texts.ts';

const OUTCOMES: Readonly<Record<PagesCheck['status'], Outcome>> = {
  match: 'pass',
  differ: 'fail',
  not_comparable: 'cannot_check',
};

const WORDS: Readonly<Record<PagesCheck['status'], string>> = {
  match: PAGES_BANNER.match,
  differ: PAGES_BANNER.differ,
  not_comparable: PAGES_BANNER.notVerified,
};

/** What is known of the pages that people read, above a verdict that is about the attached bundle alone. */
export function PagesBanner({ pages }: { readonly pages: PagesCheck }) {
  const { title, text } = describePages(pages);
  const outcome = OUTCOMES[pages.status];
  return (
    <section
      className={`verdict verdict-${outcome}`}
      aria-label={PAGES_BANNER.pages}
      role={pages.status === 'match' ? 'status' : 'alert'}
    >
      <Mark outcome={outcome} word="" />
      <div>
        <h2>{title}</h2>
        <p>{text}</p>
      </div>
    </section>
  );
}

/** The same in three words, for where a case is named. */
export function PagesMark({ pages }: { readonly pages: PagesCheck }) {
  return <Mark outcome={OUTCOMES[pages.status]} word={WORDS[pages.status]} />;
}

/** The same as the end of a title. */
export function pagesTitle(pages: PagesCheck | null): string {
  return pages === null || pages.status === 'match' ? '' : ` – ${WORDS[pages.status]}`;
}
