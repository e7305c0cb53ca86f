import type { Locator, Page, Request } from 'playwright';

/** Most actions that an answer may take once the workspace is open. */
export const MAX_ACTIONS = 3;

/** What a question takes: one action is a click, a key, or one line typed and sent. Going to a screen by the navigation is a click. */
export class Investigator {
  readonly page: Page;
  readonly #url: string;
  readonly #done: string[] = [];

  constructor(page: Page, url: string) {
    this.page = page;
    this.#url = url;
  }

  /** What was done for the question so far. */
  get actions(): readonly string[] {
    return this.#done;
  }

  /** Nothing was done yet for the next question. */
  protected forget(): void {
    this.#done.length = 0;
  }

  /** Another action than those below. */
  protected async noted(what: string, act: () => Promise<unknown>): Promise<void> {
    this.#done.push(what);
    await act();
  }

  /** A new question: the workspace is open, on one of its screens, as somebody finds it who is at work. */
  async begin(screen: 'search' | 'sessions' | 'entities' | 'dashboard'): Promise<void> {
    this.forget();
    await this.page.goto('about:blank');
    await this.page.goto(`${this.#url}/#/${screen}`);
    await this.page.getByRole('main').waitFor();
  }

  async click(what: Locator, options: Parameters<Locator['click']>[0] = {}): Promise<void> {
    this.#done.push(`click ${what}`);
    await what.click(options);
  }

  async press(key: string): Promise<void> {
    this.#done.push(`press ${key}`);
    await this.page.keyboard.press(key);
  }

  /** Types a query, and sends it. */
  async ask(query: string): Promise<void> {
    // Of what was there before nothing is read.
    const answered = this.page.waitForResponse(
      (response) => /\/(facets|sessions\/query)$/.test(response.url()) && isAbout(response.request(), query),
    );
    await this.typed(this.page.getByRole('combobox', { name: 'Query' }), query);
    await answered;
  }

  async typed(field: Locator, text: string): Promise<void> {
    this.#done.push(`type ${text}`);
    await field.fill(text);
    await field.press('Enter');
  }

  /** Draws over a part of the chart: from 0, its first moment, to 1, its last. */
  async brush(from: number, to: number): Promise<void> {
    this.#done.push(`draw from ${from} to ${to}`);
    const box = await this.page.locator('.u-over').first().boundingBox();
    if (box === null) throw new Error('there is no chart');
    const rows = this.page.waitForResponse((response) => response.url().includes('/facets'));
    await this.page.mouse.move(box.x + box.width * from, box.y + box.height / 2);
    await this.page.mouse.down();
    await this.page.mouse.move(box.x + box.width * to, box.y + box.height / 2, { steps: 4 });
    await this.page.mouse.up();
    await rows;
  }

  /** Waits until the search says that it has so many actions. */
  async hasResults(count: number): Promise<void> {
    const words = `${new Intl.NumberFormat('en').format(count)} ${count === 1 ? 'action' : 'actions'}`;
    await this.page
      .locator('.grid-foot')
      .getByText(new RegExp(`(^|of )${words}( loaded)?(, [\\d,]+ records)?$`))
      .waitFor();
  }

  /** The values of a facet with their counts, the most frequent first. */
  async facet(name: string): Promise<(readonly [value: string, count: number])[]> {
    const values = this.page.getByRole('list', { name: `Values of ${name}` });
    await values.waitFor();
    const texts = await values.getByRole('listitem').allInnerTexts();
    return texts.map((text) => {
      const [value = '', count = ''] = text
        .split('\n')
        .map((part) => part.trim())
        .filter((part) => part !== '');
      return [value, Number(count.replaceAll(',', ''))] as const;
    });
  }

  /** The texts of a column of the rows that are drawn. */
  column(id: string): Promise<string[]> {
    return this.page.locator(`.grid-row [data-column="${id}"]`).allInnerTexts();
  }
}

function isAbout(request: Request, query: string): boolean {
  // What stands behind a bar says what is made of what is found.
  const [found = ''] = query.split(/(?:^|\s)\|\s/);
  const { query: asked } = (request.postDataJSON() ?? {}) as { query?: string };
  return (asked ?? '') === found;
}
