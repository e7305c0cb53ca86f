/** How text is shown, and which scripts had to be named by numbers, for the end of a report. */
export function textNotes(missingScripts: readonly string[]): string[] {
  const notes = [
    'Texts come from agents and may hold any character. One that the fonts here do not have, that is invisible, or that controls the ' +
      'order of its neighbours is named by its Unicode number instead, in brackets and in violet. Text from right to left is isolated ' +
      'member by member. Letters of different scripts may look alike; in doubt the attached data count.',
  ];
  if (missingScripts.length > 0) notes.push(missingScriptsNote(missingScripts));
  return notes;
}

/** What a report could not show as it is written, and what to do about it. */
export function missingScriptsNote(missingScripts: readonly string[]): string {
  const names = missingScripts.join(', ');
  return (
    `No font at hand has letters of ${missingScripts.length === 1 ? 'this script' : 'these scripts'}: ${names}. They are named by their numbers. ` +
    'To show them, name a font that has them (--font), or make the report as HTML, which uses the fonts of the reader’s computer.'
  );
}
