const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A length of time as people say it, in at most two units: `12 ms`, `1.4 s`, `2 min 5 s`, `3 h 20 min`, `2 d 4 h`. */
export function durationText(ms: number): string {
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${Math.round(ms / 100) / 10} s`;
  const [unit, small, names] =
    ms < HOUR
      ? [MINUTE, SECOND, ['min', 's']]
      : ms < DAY
        ? [HOUR, MINUTE, ['h', 'min']]
        : ([DAY, HOUR, ['d', 'h']] as const);
  const whole = Math.round(ms / small);
  const rest = whole % (unit / small);
  const first = `${Math.floor(whole / (unit / small))} ${names[0]}`;
  return rest === 0 ? first : `${first} ${rest} ${names[1]}`;
}

/** How long after a beginning something was: `+0.4 s`, `+2:05`, `+3:20:00`. */
export function offsetText(ms: number): string {
  if (ms < MINUTE) return `+${(Math.max(0, ms) / SECOND).toFixed(ms < 10 * SECOND ? 2 : 1)} s`;
  const two = (n: number): string => String(Math.floor(n)).padStart(2, '0');
  const minutes = `${ms < HOUR ? Math.floor(ms / MINUTE) : two((ms % HOUR) / MINUTE)}:${two((ms % MINUTE) / SECOND)}`;
  return ms < HOUR ? `+${minutes}` : `+${Math.floor(ms / HOUR)}:${minutes}`;
}
