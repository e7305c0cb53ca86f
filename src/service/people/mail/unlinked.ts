/**
 * A name as a mail shows it: in one line, short, and with nothing in it that a mail program makes a link of. Names are chosen
 * by whoever invites, and the mail comes from the service's own address.
 */
export function unlinked(name: string): string {
  const line = name.replace(/[\p{C}\s]+/gu, ' ').trim();
  // A blank after each character that joins an address together leaves the name readable and the address none.
  const apart = line.replace(/([.:/\\@])(?=[^\s])/gu, '$1 ');
  const characters = [...apart];
  return characters.length > 80 ? `${characters.slice(0, 79).join('')}…` : apart;
}

/** A time as a mail shows it, to the minute. @param time milliseconds since the Unix epoch */
export function minuteOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
