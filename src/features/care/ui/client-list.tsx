import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { api } from '#/web/api.tsx';
import { m } from '#/texts/messages.js';
import { Avatar } from '#/web/components/avatar.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Card } from '#/web/components/card.tsx';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { FetchedList } from '#/web/components/fetched-list.tsx';
import { TableIllustration } from '#/web/components/illustrations/table.tsx';
import { SearchField } from '#/web/components/search-field.tsx';
import { mediumDateText, shortDateText, timeText } from '#/web/times.ts';
import type { ClientOrder, ListedClient } from '../clients/contract.ts';
import { clientsQuery } from './care-queries.ts';

export function ClientList({ timeZone }: { timeZone: string }) {
  // Keep names out of the URL.
  const [search, setSearch] = useState('');
  const [order, setOrder] = useState<ClientOrder>('next');
  // Keeps the list while a search runs, so that a press on a client isn’t lost.
  const query = { ...clientsQuery(api.care, { search, order }), placeholderData: keepPreviousData };
  const list = useInfiniteQuery(query);
  const clients = list.data?.pages.flatMap((one) => one.clients);
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_minmax(0,26rem)] sm:items-end">
        <SearchField label={m.care_clients_search()} value={search} maxLength={200} onSearch={setSearch} />
        <ChoiceGroup
          legend={m.web_sort()}
          layout="chips"
          value={order}
          onChange={setOrder}
          choices={[
            { value: 'next', label: m.care_clients_order_next() },
            { value: 'last', label: m.care_clients_order_last() },
            { value: 'name', label: m.care_clients_order_name() },
          ]}
        />
      </div>
      <p role="status" className="sr-only">
        {clients && m.care_clients_count({ count: clients.length })}
      </p>
      <section aria-label={m.care_clients_list()} className="mt-6">
        <FetchedList
          query={list}
          entries={clients}
          empty={
            <Card>
              <EmptyState
                as="h2"
                illustration={<TableIllustration />}
                title={search === '' ? m.care_clients_none_title() : m.care_clients_nobody_title()}
              >
                {search === '' ? m.care_clients_none_text() : m.care_clients_nobody_text({ search })}
              </EmptyState>
            </Card>
          }
          moreClassName="mt-6 text-center"
        >
          {(found) => (
            <ul className="grid gap-px overflow-hidden rounded-card border border-line bg-line shadow-soft lg:grid-cols-2 lg:[&>:last-child:nth-child(odd)]:col-span-2">
              {found.map((client) => (
                <Entry key={client.id} client={client} timeZone={timeZone} />
              ))}
            </ul>
          )}
        </FetchedList>
      </section>
    </>
  );
}

function Entry({
  client: { id, name, photoUrl, erased, lastSession, nextSession },
  timeZone,
}: {
  client: ListedClient;
  timeZone: string;
}) {
  return (
    <li>
      <Link
        to={`/clients/${id}`}
        className="flex h-full flex-wrap items-center gap-x-4 gap-y-2 bg-card px-4 py-3 hover:bg-sunken sm:px-5"
      >
        <Avatar id={id} name={name} src={photoUrl} size="sm" />
        <span className="min-w-0 flex-1 basis-28">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="font-semibold wrap-anywhere">{name}</span>
            {erased && <Badge>{m.care_client_deleted()}</Badge>}
          </span>
          <span className="flex flex-wrap gap-x-3 text-sm text-quiet">
            {sessionTexts(lastSession, nextSession, timeZone).map((text) => (
              <span key={text}>{text}</span>
            ))}
          </span>
        </span>
        <ChevronRight className="size-5 shrink-0 text-quiet" />
      </Link>
    </li>
  );
}

function sessionTexts(last: string | null, next: string | null, timeZone: string): string[] {
  const texts = [];
  if (next)
    texts.push(m.care_clients_next({ date: shortDateText(next, timeZone), time: timeText(next, timeZone) }));
  if (last) texts.push(m.care_clients_last({ date: mediumDateText(last, timeZone) }));
  return texts.length > 0 ? texts : [m.care_clients_no_next()];
}
