import { useQuery } from '@tanstack/react-query';
import type { Ref } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Notice } from '#/web/components/notice.tsx';
import type { AdminSettings } from '../contract.ts';
import type { SettingId } from '../rules.ts';
import { Entry, type PersonName } from './settings-entry.tsx';
import { settingName } from './settings-fields.ts';

/** Shows other people's saves and resolves conflicting edits. */
export function SettingsNews({
  since,
  latest,
  clashing,
  onTheirs,
  onMine,
  personName,
  ref,
}: {
  since: number;
  latest: AdminSettings;
  clashing: readonly SettingId[];
  onTheirs: () => void;
  onMine: () => void;
  personName: PersonName;
  ref: Ref<HTMLDivElement>;
}) {
  const history = useQuery(
    api.settings.history.queryOptions({ input: { before: latest.version + 1 }, staleTime: Infinity }),
  );
  const last = latest.last ? [latest.last] : [];
  const entries = (history.data?.entries ?? last).filter(({ version }) => version > since);
  return (
    <div ref={ref} tabIndex={-1} className="mb-6 scroll-mt-24 rounded-control outline-none">
      <Notice
        tone="destructive"
        title={m.settings_news_title()}
        action={
          clashing.length > 0 ? (
            <>
              <Button variant="secondary" size="sm" onClick={onTheirs}>
                {m.settings_news_theirs()}
              </Button>
              <Button variant="secondary" size="sm" onClick={onMine}>
                {m.settings_news_mine()}
              </Button>
            </>
          ) : (
            <Button variant="secondary" size="sm" onClick={onMine}>
              {m.settings_news_go_on()}
            </Button>
          )
        }
      >
        <p>{m.settings_news_text()}</p>
        <ul className="mt-3 grid gap-3">
          {entries.map((entry) => (
            <li key={entry.version}>
              <Entry entry={entry} personName={personName} />
            </li>
          ))}
        </ul>
        {clashing.length > 0 && (
          <p className="mt-3 font-semibold">
            {m.settings_news_clash({ names: clashing.map(settingName).join(', ') })}
          </p>
        )}
      </Notice>
    </div>
  );
}
