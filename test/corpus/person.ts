import type { Locator, Page } from 'playwright';
import { Investigator } from '../support/investigator.ts';

/** A ledger that questions are asked about: the live one, or a case. */
export interface Place {
  readonly name: string;
  /** Where its screens are, such as `/cases/ID`; empty for the live ledger. */
  readonly path: string;
}

type NavName = 'Search' | 'Sessions' | 'Entities' | 'Exports' | 'Retention';

/** Somebody who asks about one ledger, each time from its first screen. The page stays open, as it does at work. */
export class Person extends Investigator {
  readonly #url: string;
  readonly place: Place;

  constructor(page: Page, url: string, place: Place) {
    super(page, url);
    this.#url = url;
    this.place = place;
  }

  get main(): Locator {
    return this.page.getByRole('main');
  }

  /** The workspace is open on its first screen: nothing was done yet. */
  async atFirstScreen(): Promise<void> {
    this.forget();
    const first = this.place.path === '' ? '/dashboard' : this.place.path;
    await this.page.goto(`${this.#url}/#${first}`);
    await this.main.getByRole('heading').first().waitFor();
  }

  async go(screen: NavName): Promise<void> {
    await this.click(this.page.getByRole('navigation').getByRole('link', { name: screen, exact: true }).first());
    await this.page.getByRole('heading', { name: screen, exact: true }).first().waitFor();
  }

  /** The search, and a line in it. */
  async search(query: string): Promise<void> {
    await this.go('Search');
    await this.ask(query);
  }

  /** How many results the search says that there are. */
  async found(): Promise<number> {
    const text = await this.page.locator('.grid-foot [role=status]').innerText();
    const [, count = '0'] = /([\d,]+) results?/.exec(text) ?? [];
    return Number(count.replaceAll(',', ''));
  }

  /** The values of a facet with their counts. */
  async counts(name: string): Promise<Record<string, number>> {
    return Object.fromEntries(await this.facet(name));
  }

  /** The values of a facet in order of name. */
  async values(name: string): Promise<string[]> {
    return (await this.facet(name)).map(([value]) => value).toSorted();
  }

  /** The first row of the list, which then is shown beside it. */
  async openFirst(): Promise<Locator> {
    await this.click(this.page.locator('.grid-row [data-column="summary"]').first());
    const preview = this.page.locator('.preview');
    await preview.waitFor();
    return preview;
  }
}
