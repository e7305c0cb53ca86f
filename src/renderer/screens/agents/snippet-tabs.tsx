import { Tabs } from '@base-ui/react/tabs';
import { saveFile } from '../../api/save-file.ts';
import { copyText } from '../../components/hash.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { fill } from '../../lib/fill.ts';
import { SNIPPETS } from '../../snippets/all-snippets.ts';
import { type SnippetFacts, TOKEN_VARIABLE, terminalText } from '../../snippets/snippet.ts';
import { TextBlock } from '../../ui/text-block.tsx';
import { SNIPPET_TABS } from './texts.ts';

interface SnippetTabsProps {
  readonly facts: SnippetFacts;
  /** The agent's token; null until one was made. */
  readonly token: string | null;
}

/** Programs that send the first operation, filled in: to paste into a terminal, or to save. */
export function SnippetTabs({ facts, token }: SnippetTabsProps) {
  const snippets = SNIPPETS.map((make) => make(facts));
  return (
    <Tabs.Root defaultValue={snippets[0]?.id}>
      <Tabs.List className="tabs" aria-label={SNIPPET_TABS.program} activateOnFocus>
        {snippets.map(({ id, label }) => (
          <Tabs.Tab key={id} value={id}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map((snippet) => {
        const text = terminalText(snippet, token ?? 'TOKEN');
        return (
          <Tabs.Panel key={snippet.id} value={snippet.id} className="tab-panel">
            <p className="note">
              {fill(snippet.where, { keyFile: <span className="code nowrap">{facts.keyFile}</span> })}
            </p>
            <TextBlock label={SNIPPET_TABS.programWith(snippet.label)} text={text} />
            <div className="cluster">
              <PermittedButton
                call="submitOperation"
                className="button-primary"
                reason={token === null ? SNIPPET_TABS.needsToken : null}
                onClick={() => void copyText(text, SNIPPET_TABS.program)}
              >
                {SNIPPET_TABS.copy}
              </PermittedButton>
              <button type="button" onClick={() => saveFile(snippet.fileName, snippet.program, 'text/plain')}>
                {SNIPPET_TABS.save}
              </button>
              <span className="muted">
                {fill(SNIPPET_TABS.howToRun, {
                  command: <span className="code">{snippet.command}</span>,
                  tokenVariable: <span className="code">{TOKEN_VARIABLE}</span>,
                })}
              </span>
            </div>
          </Tabs.Panel>
        );
      })}
    </Tabs.Root>
  );
}
