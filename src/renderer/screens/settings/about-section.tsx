import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { containsFolded } from '../../../actions/index.ts';
import type { AnswerOf } from '../../../api/index.ts';
import { visibleText } from '../../../protocol/index.ts';
import { q } from '../../api/query.ts';
import { Answer } from '../../components/answer.tsx';
import { Hash } from '../../components/hash.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Table } from '../../ui/table.tsx';
import { count } from '../../ui/time.tsx';
import { ABOUT_SECTION } from './texts.ts';

type About = AnswerOf<'about'>;
type Component = About['components'][number];

/** Versions, the data folder, and the licences of everything that is shipped. */
export function AboutSection({ dataDir }: { readonly dataDir: string | null }) {
  const about = useQuery(q('about'));
  return (
    <Answer query={about} what={ABOUT_SECTION.what}>
      {(answer) => (
        <div className="stack">
          <Versions about={answer} dataDir={dataDir} />
          <Licences about={answer} />
        </div>
      )}
    </Answer>
  );
}

function Versions({ about, dataDir }: { readonly about: About; readonly dataDir: string | null }) {
  return (
    <Panel title={`${about.name} ${about.version}`}>
      <FactList
        of={{
          [ABOUT_SECTION.dataFolder]: dataDir !== null && (
            <Hash value={dataDir} what={ABOUT_SECTION.dataFolderCopied} />
          ),
          [ABOUT_SECTION.schema]: about.schema_version,
          [ABOUT_SECTION.nodeJs]: about.node,
          [ABOUT_SECTION.sqlite]: about.sqlite,
          [ABOUT_SECTION.electron]: about.electron !== null && about.electron,
          [ABOUT_SECTION.system]: about.platform,
        }}
      />
    </Panel>
  );
}

function Licences({ about: { components, texts } }: { readonly about: About }) {
  const [shown, setShown] = useState<Component | null>(null);
  const [filter, setFilter] = useState('');
  const rows = components.filter(({ name, licence }) => containsFolded(`${name} ${licence}`, filter));
  return (
    <Panel
      title={ABOUT_SECTION.licences(count(components.length))}
      flush
      actions={
        <input
          data-filter
          aria-label={ABOUT_SECTION.filterComponents}
          placeholder={ABOUT_SECTION.filter}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
      }
    >
      <Table heads={[ABOUT_SECTION.component, ABOUT_SECTION.version, ABOUT_SECTION.licence]}>
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two components can be alike in every column, and rows keep no state
          <tr key={`${at} ${row.name}`}>
            <td>
              <Seen text={row.name} />
            </td>
            <td className="number">{row.version}</td>
            <td>
              {row.text === null ? (
                row.licence
              ) : (
                <button
                  type="button"
                  className="button-small"
                  aria-label={visibleText(ABOUT_SECTION.licenceTextOf(row.licence, row.name))}
                  onClick={() => setShown(row)}
                >
                  {row.licence}
                </button>
              )}
            </td>
          </tr>
        ))}
      </Table>
      <Dialog
        open={shown !== null}
        onClose={() => setShown(null)}
        title={ABOUT_SECTION.licenceMore(shown?.name ?? '')}
        className="dialog-wide"
      >
        <ScrollArea className="licence-text" label={ABOUT_SECTION.licenceText}>
          <pre className="code">{shown?.text == null ? '' : texts[shown.text]}</pre>
        </ScrollArea>
        <button type="button" onClick={() => setShown(null)}>
          {ABOUT_SECTION.close}
        </button>
      </Dialog>
    </Panel>
  );
}
