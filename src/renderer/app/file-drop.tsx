import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { setDroppedFiles } from '../api/dropped-files.ts';
import { Icon } from '../ui/icons.tsx';
import { FILE_DROP } from './texts.ts';

function holdsFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes(FILE_DROP.files) === true;
}

/** Takes files that are dropped anywhere on the page, and goes to where they are imported. */
export function FileDrop() {
  const navigate = useNavigate();
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const onDrag = (event: DragEvent): void => {
      if (!holdsFiles(event)) return;
      // Else the browser would leave the page and show the file.
      event.preventDefault();
      setOver(true);
    };
    const onLeave = (event: DragEvent): void => {
      // Between two elements of the page there is always another one to go to.
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent): void => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      setDroppedFiles(files);
      void navigate({ to: '/cases/new' });
    };
    window.addEventListener('dragenter', onDrag);
    window.addEventListener('dragover', onDrag);
    window.addEventListener('dragleave', onLeave);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragenter', onDrag);
      window.removeEventListener('dragover', onDrag);
      window.removeEventListener('dragleave', onLeave);
      window.removeEventListener('drop', onDrop);
    };
  }, [navigate]);
  if (!isOver) return null;
  return (
    <div className="drop-over">
      <p>
        <Icon name="briefcase" large />
        {FILE_DROP.drop}
      </p>
    </div>
  );
}
