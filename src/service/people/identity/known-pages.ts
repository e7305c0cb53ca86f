import type { PageHash } from '../../http/page-binding.ts';
import { and, desc, eq, notInArray } from '../../store/drizzle.ts';
import type { Store, WritableStore } from '../../store/open.ts';
import { knownPages } from '../../store/schema.ts';

/** Browsers of one user that are known; a further one takes the place of the one that signed in least recently. */
const MAX_PER_USER = 20;

/** Notes that a user signed in from a page; within the writer. */
export function notePage({ db }: WritableStore, userId: string, pageHash: PageHash, now: number): void {
  db.insert(knownPages)
    .values({ userId, pageHash, signedInAt: now })
    .onConflictDoUpdate({ target: [knownPages.userId, knownPages.pageHash], set: { signedInAt: now } })
    .run();
  const newest = db
    .select({ pageHash: knownPages.pageHash })
    .from(knownPages)
    .where(eq(knownPages.userId, userId))
    .orderBy(desc(knownPages.signedInAt))
    .limit(MAX_PER_USER);
  db.delete(knownPages)
    .where(and(eq(knownPages.userId, userId), notInArray(knownPages.pageHash, newest)))
    .run();
}

/** Whether the user with an e-mail address signed in from a page before. */
export function isPageOf(store: Store, email: string, page: PageHash): boolean {
  const found = store
    .statement(
      'SELECT 1 FROM known_pages k JOIN users u ON u.user_id = k.user_id WHERE k.page_hash = ? AND u.email = ? LIMIT 1',
    )
    .get(page, email);
  return found !== undefined;
}

/** Whether anybody signed in from a page before. */
export function isKnownPage(store: Store, page: PageHash): boolean {
  return store.statement('SELECT 1 FROM known_pages WHERE page_hash = ? LIMIT 1').get(page) !== undefined;
}
