/** A time as people type it, in UTC unless it says otherwise, as the interface takes it; null where it is none. */
export function readTime(typed: string): string | null {
  const text = typed.trim().replace(' ', 'T');
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00` : text;
  const date = new Date(/(Z|[+-]\d{2}:\d{2})$/i.test(day) ? day : `${day}Z`);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
