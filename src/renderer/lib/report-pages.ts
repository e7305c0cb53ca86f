/** How many records fill a page of a report that prints each of them: of 1.2 to 2.4 KB each these were measured. */
const RECORDS_ON_A_PAGE = { most: 4, least: 2 };

function rounded(pages: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(pages)) - 1);
  return Math.ceil(pages / step) * step;
}

/** Roughly how many pages a report has that prints each of some records; large contents take more. @param records at least 1 */
export function pagesOf(records: number): { readonly from: number; readonly to: number } {
  const { most, least } = RECORDS_ON_A_PAGE;
  return { from: rounded(records / most), to: rounded(records / least) };
}
