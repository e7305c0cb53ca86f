import type { Locator, Page } from 'playwright';
import { SHELL } from '../../src/renderer/app/texts.ts';
import { CASE_FRAME } from '../../src/renderer/screens/cases/texts.ts';
import type { FileToUpload } from '../support/client.ts';
import { Investigator } from '../support/investigator.ts';

type NavName = 'Sessions' | 'Entities' | 'Exports' | 'Retention';

interface PersonOptions {
  /** Where the screens of the ledger are: empty for the live one, else such as `/cases/ID`. */
  readonly path?: string;
  readonly files: readonly FileToUpload[];
}

/** Somebody who asks about one ledger, each time from its first screen. The page stays open, as it does at work. */
export class Person extends Investigator {
  readonly #url: string;
  readonly #path: string;
  /** The bundle of the three weeks, and the receipts that agents have for it, as they lie on this person's disk. */
  readonly files: readonly FileToUpload[];

  constructor(page: Page, url: string, { path = '', files }: PersonOptions) {
    super(page, url);
    this.#url = url;
    this.#path = path;
    this.files = files;
  }

  get isAtCase(): boolean {
    return this.#path !== '';
  }

  get main(): Locator {
    return this.page.getByRole('main');
  }

  /** The workspace is open on its first screen: nothing was done yet. */
  async atFirstScreen(): Promise<void> {
    this.forget();
    const first = this.#path === '' ? '/dashboard' : this.#path;
    // Whoever asks what was asked a moment ago gets the answer from memory, and no response comes that could be waited for.
    await this.page.goto('about:blank');
    await this.page.goto(`${this.#url}/#${first}`);
    await this.main.getByRole('heading').first().waitFor();
  }

  async go(screen: NavName): Promise<void> {
    const name = this.#path === '' ? SHELL.screens : CASE_FRAME.inThisCase;
    const links = this.page.getByRole('navigation', { name });
    await this.click(links.getByRole('link', { name: screen, exact: true }));
    await this.page.getByRole('heading', { name: screen, exact: true }).first().waitFor();
  }

  /** Types a query, sends it, and waits until nothing that is shown is of the one before. */
  override async ask(query: string): Promise<void> {
    await super.ask(query);
    await this.page.waitForFunction(() => document.querySelector('.is-outdated') === null);
  }

  /** A line typed and sent on the first screen, which leads to the search. */
  async search(query: string): Promise<void> {
    await this.ask(query);
    await this.page.getByRole('heading', { name: 'Search', exact: true }).first().waitFor();
  }

  /** The groups of a search: what each is grouped by, and the figures of it. */
  async groups(): Promise<string[][]> {
    const rows = this.page.locator('.group-table tbody tr');
    await rows.first().waitFor();
    const cells = await rows.evaluateAll((all) =>
      all.map((row) =>
        [...row.querySelectorAll<HTMLElement>('td:not(.group-chart)')].map((cell) => cell.innerText.trim()),
      ),
    );
    return cells;
  }

  /** How many rows the search says that there are. */
  async found(): Promise<number> {
    const text = await this.page.locator('.grid-foot [role=status]').innerText();
    const counts = [...text.matchAll(/([\d,]+) (?:results?|records?|actions?)\b/g)].map(([, count = '']) => count);
    return Number((counts[0] ?? '0').replaceAll(',', ''));
  }

  /** The records of a search, each a row, where its rows are something else. */
  async byRecord(): Promise<void> {
    const records = this.page.getByRole('button', { name: 'Records', exact: true });
    if (await records.isVisible()) await this.click(records);
  }

  /** The values of a facet with their counts. */
  async counts(name: string): Promise<Record<string, number>> {
    return Object.fromEntries(await this.facet(name));
  }

  /** The values of a facet in order of name. */
  async values(name: string): Promise<string[]> {
    return (await this.facet(name)).map(([value]) => value).toSorted();
  }

  /** Unfolds the values of a field. */
  async openFacet(name: string): Promise<void> {
    await this.page
      .getByRole('list', { name: /^Values of / })
      .first()
      .waitFor();
    const values = this.page.getByRole('list', { name: `Values of ${name}` });
    if (await values.isHidden()) await this.click(this.page.locator('.facet summary').getByText(name, { exact: true }));
  }

  /** Opens the list of commands, and types what is wanted of it. */
  async command(label: string): Promise<void> {
    await this.press('Control+k');
    await this.noted(`type ${label}`, async () => {
      await this.page.getByRole('combobox', { name: 'Go to or run' }).fill(label);
      await this.page.getByRole('option', { name: label }).waitFor();
      await this.page.keyboard.press('Enter');
    });
  }

  /** Chooses files in one go. */
  async chooseFiles(field: Locator, files: readonly FileToUpload[]): Promise<void> {
    await this.noted(`choose ${files.length} files`, () =>
      field.setInputFiles(
        files.map(({ name, bytes }) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) })),
      ),
    );
  }

  /** Chooses one of several. */
  async choose(field: Locator, value: string): Promise<void> {
    await this.noted(`choose ${value}`, () => field.selectOption(value));
  }

  /** The lines of the session that is shown. */
  async stepTitles(): Promise<string[]> {
    const steps = this.page.getByRole('list', { name: /^Steps of / });
    await steps.waitFor();
    return steps.locator('.step-title').allInnerTexts();
  }

  /** The first row of the list, which then is shown beside it. */
  async openFirst(): Promise<Locator> {
    await this.click(this.page.locator('.grid-row [data-column="summary"]').first());
    const preview = this.page.locator('.preview');
    await preview.waitFor();
    return preview;
  }
}
