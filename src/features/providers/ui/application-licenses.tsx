import { useInfiniteQuery } from '@tanstack/react-query';
import { PersonLink } from '#/features/access/ui/person-link.tsx';
import { m } from '#/texts/messages.js';
import { useLiveQueries, api } from '#/web/api.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Card, Section } from '#/web/components/card.tsx';
import { MoreButton } from '#/web/components/more-button.tsx';
import { credentialEndDay } from './credential-texts.ts';

const page = 10;

export function EndingLicenses() {
  useLiveQueries(api.providers.licenses.key(), 'providers.credentials_changed');
  const query = useInfiniteQuery(
    api.providers.licenses.list.infiniteOptions({
      input: (offset: number) => ({ offset, limit: page }),
      initialPageParam: 0,
      getNextPageParam: (last, pages) => (last.length < page ? undefined : pages.length * page),
    }),
  );
  const entries = query.data?.pages.flat() ?? [];
  if (entries.length === 0) return null;
  return (
    <Section level="h3" title={m.applications_licenses_title()} titleClassName="text-lg" className="mt-10">
      <p className="mt-0.5 mb-4 max-w-reading text-quiet">{m.applications_licenses_text()}</p>
      <Card className="p-2!">
        <ul className="divide-y divide-line">
          {entries.map(({ id, name, title, until, state, renewing }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-3 py-3">
              <div className="min-w-0">
                <p className="font-semibold wrap-anywhere">
                  <PersonLink id={id}>{name}</PersonLink>
                </p>
                <p className="text-sm text-quiet wrap-anywhere">{title}</p>
                {renewing && <p className="text-sm">{m.applications_licenses_renewing()}</p>}
              </div>
              <Badge tone={state === 'ended' ? 'clay' : 'gold'}>
                {state === 'ended'
                  ? m.applications_licenses_ended({ date: credentialEndDay(until) })
                  : m.applications_licenses_ending({ date: credentialEndDay(until) })}
              </Badge>
            </li>
          ))}
        </ul>
        <MoreButton query={query} />
      </Card>
    </Section>
  );
}
