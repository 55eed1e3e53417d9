import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, type ReactNode, type RefObject } from 'react';
import { Link, useSearchParams } from 'react-router';
import { PersonName } from '#/features/accounts/ui/person-name.tsx';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { DataTable, type Column } from '#/web/components/data-table.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Field, TextInput, TextField, SelectField } from '#/web/components/field.tsx';
import { Options } from '#/web/components/options.tsx';
import { MoreButton } from '#/web/components/more-button.tsx';
import { SectionHeading } from '#/web/components/page.tsx';
import { SearchField } from '#/web/components/search-field.tsx';
import { WhenHydrated } from '#/web/components/when-hydrated.tsx';
import { changedQuery } from '#/web/changed-query.ts';
import { useHistoryState } from '#/web/history-state.ts';
import { elsewhereText } from '#/web/times.ts';
import type { AdministeredAppointment } from '../administration/contract.ts';
import type { AppointmentStatus } from '../appointment/contract.ts';
import { Party } from './admin-party.tsx';
import { datedText, minutesText, sessionTitle, sessionTypeText } from './session-texts.ts';
import { StatusBadge, statusText } from './status-badge.tsx';

const page = 25;
const statuses: readonly AppointmentStatus[] = ['pending', 'confirmed', 'completed', 'cancelled', 'no_show'];
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const firstDay = '2000-01-01';

/** Not in the URL: people share those. */
interface AppointmentFilter {
  words: string;
  status: AppointmentStatus | '';
  from: string;
  to: string;
  order: 'soonest' | 'latest';
}

const everything: AppointmentFilter = { words: '', status: '', from: '', to: '', order: 'soonest' };

export function AdminAppointments({ siteZone }: { siteZone: string }) {
  const [query, setQuery] = useSearchParams();
  // Ids only: part of the URL.
  const suspended = query.get('provider') === 'suspended';
  const asked = query.get('person');
  const personId = asked !== null && uuid.test(asked) ? asked : null;
  const [sought, setSought] = useHistoryState('appointments', everything);
  const field = useRef<HTMLInputElement>(null);
  const backwards = sought.from !== '' && sought.to >= firstDay && sought.to < sought.from;
  const list = useInfiniteQuery({
    ...api.appointments.administration.find.infiniteOptions({
      input: (beyond: { lastStart: string; lastId: string } | undefined) => ({
        ...inputOf(sought),
        ...(suspended ? { suspended: true as const } : {}),
        ...(personId ? { personId } : {}),
        limit: page,
        ...beyond,
      }),
      initialPageParam: undefined as { lastStart: string; lastId: string } | undefined,
      getNextPageParam: ({ more, appointments }) => {
        const last = more ? appointments.at(-1) : undefined;
        return last && { lastStart: last.startsAt, lastId: last.id };
      },
    }),
    enabled: !backwards,
    // Every search is logged, so never refetch automatically.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const seek = (change: Partial<AppointmentFilter>) => setSought((before) => ({ ...before, ...change }));
  const widen = () =>
    setQuery(changedQuery(query, { provider: null, person: null }), {
      replace: true,
      preventScrollReset: true,
    });
  const showAll = () => {
    setSought(everything);
    widen();
    if (field.current) field.current.value = '';
  };

  return (
    <>
      <SectionHeading as="h1" title={m.appointments_admin_title()}>
        {m.appointments_admin_text()}
      </SectionHeading>
      <AppointmentFilters sought={sought} onSeek={seek} input={field} backwards={backwards} />
      {suspended && <Narrowed onClear={widen}>{m.appointments_admin_suspended()}</Narrowed>}
      {personId && (
        <Narrowed onClear={widen}>
          <PersonName id={personId} />
        </Narrowed>
      )}
      <div className="mt-6">
        {!backwards && (
          <Fetched query={list}>
            {({ pages }) => {
              const appointments = pages.flatMap((one) => one.appointments);
              if (appointments.length === 0)
                return <Nothing many={pages[0]?.manyPeople ?? false} onAll={showAll} />;
              return (
                <>
                  <DataTable
                    dense
                    caption={m.appointments_admin_caption()}
                    columns={columnsOf(siteZone)}
                    rows={appointments}
                  />
                  <MoreButton query={list} />
                </>
              );
            }}
          </Fetched>
        )}
      </div>
    </>
  );
}

function Narrowed({ onClear, children }: { onClear: () => void; children: ReactNode }) {
  return (
    <p className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="font-semibold">{children}</span>
      <Button variant="quiet" size="sm" onClick={onClear}>
        {m.appointments_admin_clear()}
      </Button>
    </p>
  );
}

function AppointmentFilters({
  sought,
  onSeek,
  input,
  backwards,
}: {
  sought: AppointmentFilter;
  onSeek: (change: Partial<AppointmentFilter>) => void;
  input: RefObject<HTMLInputElement | null>;
  /** The last day is before the first. */
  backwards: boolean;
}) {
  return (
    <search className="mt-6 grid grid-cols-2 items-start gap-4 lg:grid-cols-[minmax(0,2fr)_repeat(4,minmax(0,1fr))]">
      <SearchField
        label={m.appointments_admin_search()}
        value={sought.words}
        maxLength={100}
        onSearch={(words) => onSeek({ words })}
        input={input}
        className="col-span-2 lg:col-span-1"
      />
      <WhenHydrated>
        <SelectField
          label={m.web_status()}
          value={sought.status}
          onChange={({ target }) => onSeek({ status: target.value as AppointmentFilter['status'] })}
        >
          <option value="">{m.appointments_admin_all()}</option>
          <Options of={statuses} text={(status) => statusText(status, 'provider')} />
        </SelectField>
        <SelectField
          label={m.web_sort()}
          value={sought.order}
          onChange={({ target }) => onSeek({ order: target.value as AppointmentFilter['order'] })}
        >
          <option value="soonest">{m.appointments_admin_order_soonest()}</option>
          <option value="latest">{m.appointments_admin_order_latest()}</option>
        </SelectField>
        <TextField
          label={m.appointments_admin_from()}
          type="date"
          value={sought.from}
          min={firstDay}
          onChange={({ target }) => onSeek({ from: target.value })}
        />
        <Field label={m.appointments_admin_to()} error={backwards && m.appointments_admin_span_wrong()}>
          <TextInput
            type="date"
            value={sought.to}
            min={firstDay}
            onChange={({ target }) => onSeek({ to: target.value })}
          />
        </Field>
      </WhenHydrated>
    </search>
  );
}

function inputOf({ words, status, from, to, order }: AppointmentFilter) {
  const byId = uuid.test(words);
  return {
    order,
    // A single character matches almost everyone.
    ...(words.length > 1 ? (byId ? { appointmentId: words, order: 'latest' as const } : { words }) : {}),
    ...(status ? { status } : {}),
    // A year is typed digit by digit.
    ...(from >= firstDay ? { from } : {}),
    ...(to >= firstDay ? { to } : {}),
  };
}

function Nothing({ many, onAll }: { many: boolean; onAll: () => void }) {
  return (
    <Card>
      <EmptyState
        as="p"
        title={many ? m.appointments_admin_many() : m.appointments_admin_empty()}
        action={
          !many && (
            <Button variant="secondary" onClick={onAll}>
              {m.appointments_admin_clear()}
            </Button>
          )
        }
      >
        {many ? m.appointments_admin_many_text() : m.appointments_admin_empty_text()}
      </EmptyState>
    </Card>
  );
}

function columnsOf(siteZone: string): Column<AdministeredAppointment>[] {
  return [
    {
      id: 'when',
      label: m.appointments_admin_when(),
      className: 'max-lg:min-w-0 max-lg:flex-1 max-lg:basis-56',
      cell: ({ id, startsAt, provider: { timeZone } }) => (
        <>
          <Link
            to={`/admin/appointments/${id}`}
            className="font-semibold text-primary max-lg:after:absolute max-lg:after:inset-0 hover:underline"
          >
            <time dateTime={startsAt}>{datedText(startsAt, siteZone)}</time>
          </Link>
          <span className="block text-sm text-quiet">{elsewhereText(startsAt, siteZone, timeZone)}</span>
        </>
      ),
    },
    {
      id: 'client',
      label: m.appointments_admin_client(),
      className: 'max-lg:order-2',
      cell: ({ client }) => <Party person={client} dense />,
    },
    {
      id: 'specialist',
      label: m.appointments_admin_specialist(),
      className: 'max-lg:order-2',
      cell: ({ provider }) => <Party person={provider} dense />,
    },
    {
      id: 'service',
      label: m.appointments_admin_service(),
      className: 'max-lg:order-3 max-lg:basis-full max-lg:text-sm max-lg:text-quiet',
      cell: (one) => (
        <span className="min-w-0">
          {sessionTitle(one)}
          <span className="lg:hidden"> · </span>
          <span className="text-sm text-quiet lg:block">
            {sessionTypeText(one.sessionType)}, {minutesText(one.durationMinutes)}
          </span>
        </span>
      ),
    },
    {
      id: 'status',
      label: m.web_status(),
      className: 'max-lg:order-1',
      cell: (appointment) => <StatusBadge appointment={appointment} party="provider" />,
    },
  ];
}
