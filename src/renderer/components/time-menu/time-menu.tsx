import { Popover } from '@base-ui/react/popover';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { type TimeZone, useTimeZone } from '../../lib/time-zone.ts';
import type { TimeRange } from '../../lib/workspace-range.ts';
import { Icon } from '../../ui/icons.tsx';
import { stretchText, timeText } from '../../ui/time.tsx';
import { TIME_MENU } from './texts.ts';

/** No part of what a screen first shows. */
const TimeChoice = lazy(async () => ({ default: (await import('./time-choice.tsx')).TimeChoice }));

function rangeText({ startTime, endTime }: TimeRange, zone: TimeZone): string {
  if (startTime === undefined) {
    return endTime === undefined ? TIME_MENU.anyTime : TIME_MENU.before(timeText(endTime, zone));
  }
  if (endTime === undefined) return TIME_MENU.from(timeText(startTime, zone));
  return stretchText(Date.parse(startTime), Date.parse(endTime), zone);
}

/** The range that the address has, and how to change it. */
export function useTimeRange(): { readonly range: TimeRange; readonly setRange: (range: TimeRange) => void } {
  const { startTime, endTime } = useSearch({ strict: false }) as TimeRange;
  const navigate = useNavigate();
  return {
    range: { startTime, endTime },
    setRange: (range) => {
      const { startTime: from, endTime: to } = range;
      void navigate({
        to: '.',
        search: (before: object) => ({ ...before, startTime: from, endTime: to }),
      } as Parameters<typeof navigate>[0]);
    },
  };
}

/** The workspace's time: when what is shown was issued, and the zone that times are shown in. */
export function TimeMenu() {
  const [isOpen, setOpen] = useState(false);
  const { range, setRange } = useTimeRange();
  const zone = useTimeZone();
  const isBounded = range.startTime !== undefined || range.endTime !== undefined;
  return (
    <div className={isBounded ? 'time-range is-bounded' : 'time-range'}>
      <Popover.Root open={isOpen} onOpenChange={setOpen}>
        <Popover.Trigger className="time-button">
          <Icon name="wait" />
          <span className="number">{rangeText(range, zone)}</span>
          <span className="muted">{zone}</span>
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Positioner className="menu-place" align="end" sideOffset={4}>
            <Popover.Popup className="menu panel-body time-menu" aria-label={TIME_MENU.time}>
              <Suspense fallback={null}>
                <TimeChoice
                  range={range}
                  zone={zone}
                  apply={(chosen) => {
                    setOpen(false);
                    setRange(chosen);
                  }}
                />
              </Suspense>
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
      {isBounded && (
        <button type="button" aria-label={TIME_MENU.clear} title={TIME_MENU.clear} onClick={() => setRange({})}>
          ×
        </button>
      )}
    </div>
  );
}
