import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { ENTRY } from './texts.ts';

interface DoorProps {
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
  readonly effort: string;
  /** What opens it: the first link is that of the whole card. */
  readonly children: ReactNode;
}

/** One way in: what it is, what it takes, and what opens it. */
function Door({ icon, title, text, effort, children }: DoorProps) {
  return (
    <section className="door">
      <Icon name={icon} large />
      <h2>{title}</h2>
      <p>{text}</p>
      <p className="muted">{effort}</p>
      <div className="door-ways">{children}</div>
    </section>
  );
}

/** @param isFirst whether it is where most begin: not where somebody comes to sign in */
export function SampleDoor({ isFirst }: { readonly isFirst: boolean }) {
  return (
    <Door icon="magnifier_record" title={ENTRY.sampleTitle} text={ENTRY.sampleText} effort={ENTRY.sampleNote}>
      <Link to="/sample" className={isFirst ? 'button button-primary' : 'button'}>
        {ENTRY.sampleGo}
      </Link>
    </Door>
  );
}

export function RecordDoor() {
  return (
    <Door icon="record" title={ENTRY.recordTitle} text={ENTRY.recordText} effort={ENTRY.recordNote}>
      <Link to="/set-up" search={{ next: 'record' }} className="button" title={ENTRY.recordGoHint}>
        {ENTRY.recordGo}
      </Link>
      <Link to="/set-up" search={{ next: 'register' }}>
        {ENTRY.registerGo}
      </Link>
    </Door>
  );
}

/** @param isWorkstation whether the browser may keep cases; else the file is checked in the window */
export function CheckDoor({ isWorkstation }: { readonly isWorkstation: boolean }) {
  return (
    <Door
      icon="shield"
      title={ENTRY.checkTitle}
      text={isWorkstation ? ENTRY.checkAsCase : ENTRY.checkInWindow}
      effort={ENTRY.checkNote}
    >
      <Link to={isWorkstation ? '/cases/new' : '/verify'} className="button">
        {ENTRY.checkGo}
      </Link>
      {isWorkstation && (
        <Link to="/cases" search={{}}>
          {ENTRY.cases}
        </Link>
      )}
    </Door>
  );
}
