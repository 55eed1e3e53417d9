import { useQuery, useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { useLiveQueries, api } from '#/web/api.tsx';
import { FetchedList } from '#/web/components/fetched-list.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { PartHeading } from '#/web/components/part-heading.tsx';
import { type PersonName, Entry } from './settings-entry.tsx';
import { SettingsForm } from './settings-form.tsx';

export function SettingsPanel({
  personName,
  twoFactor,
}: {
  personName: PersonName;
  /** Explains which accounts need a second factor; injected by the accounts feature. */
  twoFactor: ReactNode;
}) {
  const query = useQuery(api.settings.admin.queryOptions());
  useLiveQueries(api.settings.key(), 'site.changed');
  return (
    <>
      {/* The reset button needs loaded settings. */}
      {!query.data && <PartHeading title={m.admin_tab_settings()}>{m.settings_intro()}</PartHeading>}
      <Fetched query={query}>{(latest) => <SettingsForm {...{ latest, personName, twoFactor }} />}</Fetched>
      <SettingsHistory personName={personName} />
    </>
  );
}

function SettingsHistory({ personName }: { personName: PersonName }) {
  const query = useInfiniteQuery(
    api.settings.history.infiniteOptions({
      input: (before: number | undefined) => ({ before }),
      initialPageParam: undefined as number | undefined,
      getNextPageParam: ({ more, entries }) => (more ? entries.at(-1)?.version : undefined),
    }),
  );
  return (
    <section aria-labelledby="settings-history" className="mt-10 max-sm:mt-7">
      <h3 id="settings-history" className="text-lg">
        {m.settings_history_title()}
      </h3>
      <div className="mt-2">
        <FetchedList
          query={query}
          entries={query.data?.pages.flatMap(({ entries }) => entries)}
          failure={m.settings_history_failed()}
          empty={<p className="text-quiet">{m.settings_history_empty()}</p>}
        >
          {(entries) => (
            <ol className="divide-y divide-line border-y border-line">
              {entries.map((entry) => (
                <li key={entry.version} className="py-3">
                  <Entry entry={entry} personName={personName} />
                </li>
              ))}
            </ol>
          )}
        </FetchedList>
      </div>
    </section>
  );
}
