import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { PartHeading } from '#/web/components/part-heading.tsx';
import { useRealtime } from '#/web/realtime.tsx';
import type { PersonName } from './settings-entry.tsx';
import { SettingsForm } from './settings-form.tsx';
import { SettingsHistory } from './settings-history.tsx';

export function SettingsPanel({
  title,
  personName,
  twoFactor,
}: {
  title: string;
  personName: PersonName;
  /** Explains which accounts need a second factor; injected by the accounts feature. */
  twoFactor: ReactNode;
}) {
  const api = useApi();
  const queries = useQueryClient();
  const query = useQuery(api.settings.admin.queryOptions({ networkMode: 'always' }));
  useRealtime(({ type }) => {
    if (type === 'site.changed' || type === 'connected')
      void queries.invalidateQueries({ queryKey: api.settings.key() });
  });
  return (
    <>
      {/* The reset button needs loaded settings. */}
      {!query.data && <PartHeading title={title}>{m.settings_intro()}</PartHeading>}
      <Fetched query={query}>
        {(latest) => <SettingsForm heading={title} {...{ latest, personName, twoFactor }} />}
      </Fetched>
      <SettingsHistory personName={personName} />
    </>
  );
}
