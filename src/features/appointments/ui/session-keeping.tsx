import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Contact, Download as DownloadIcon } from 'lucide-react';
import { useId, useState } from 'react';
import type { Viewer } from '#/features/accounts/contract.ts';
import type { PublicSite } from '#/features/settings/contract.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Switch } from '#/web/components/choice.tsx';
import { SelectField } from '#/web/components/field.tsx';
import { Loading, Skeleton } from '#/web/components/skeleton.tsx';
import { toast } from '#/web/components/toast.tsx';
import type { AppointmentView } from '../appointment/contract.ts';
import type { CalendarRequest } from './calendar-entry.ts';
import { download, type Download } from '#/web/download.ts';
import { failureReason } from '#/web/failures.ts';
import { appointmentFailure } from './failure-text.ts';
import { reminders, type ReminderMinutes } from './session-texts.ts';
import { LoadFailed } from '#/web/components/fetched.tsx';

/** Lazy: rarely used; some browsers lack Temporal. */
async function loadCalendar() {
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global');
  return import('./calendar-entry.ts');
}

export function SessionKeeping({ sessions }: { sessions: readonly [AppointmentView, ...AppointmentView[]] }) {
  const me = useQuery(api.accounts.me.queryOptions());
  const site = useQuery(api.settings.site.queryOptions());
  const [minutes, setMinutes] = useState(sessions[0].reminderMinutes);
  const failed = [me, site].find(({ isError }) => isError);
  return (
    <div className="grid gap-5">
      <ReminderChoice sessions={sessions} minutes={minutes} onChange={setMinutes} />
      {failed && <LoadFailed title={m.booking_calendar_failed()} query={failed} />}
      {me.data && site.data ? (
        <OwnCalendar sessions={sessions} minutes={minutes} viewer={me.data} site={site.data} />
      ) : (
        !failed && (
          <Loading>
            <Skeleton className="h-60" />
          </Loading>
        )
      )}
    </div>
  );
}

/** Sessions that need no reminder anymore. */
const over: ReadonlySet<string | null> = new Set(['wrong_status', 'already_started']);

function ReminderChoice({
  sessions,
  minutes,
  onChange,
}: {
  sessions: readonly AppointmentView[];
  minutes: number;
  onChange: (minutes: number) => void;
}) {
  const queries = useQueryClient();
  const [saved, setSaved] = useState(minutes);
  const id = useId();
  const remind = useMutation({
    mutationFn: async (next: ReminderMinutes) => {
      const refusals: unknown[] = [];
      for (const { id: appointmentId } of sessions) {
        try {
          await api.appointments.setReminder.call({ appointmentId, minutes: next });
        } catch (error) {
          if (!over.has(failureReason(error))) throw error;
          refusals.push(error);
        }
      }
      if (refusals.length === sessions.length) throw refusals[0];
    },
    // Saves run one at a time, so the last choice wins.
    scope: { id },
    onSuccess: (_, next) => {
      setSaved(next);
      void queries.invalidateQueries({ queryKey: api.appointments.mine.key() });
    },
    onError: () => onChange(saved),
  });
  const problem =
    remind.isError &&
    appointmentFailure(remind.error, { name: sessions[0]?.provider.name ?? '', existing: true });
  return (
    <SelectField
      label={m.booking_reminder()}
      hint={
        <span role="status">{remind.isSuccess ? m.booking_reminder_saved() : m.booking_reminder_hint()}</span>
      }
      error={problem && `${problem.title}. ${m.booking_reminder_failed()}`}
      value={minutes}
      onChange={(event) => {
        const next = reminders.find((one) => String(one.minutes) === event.target.value)!.minutes;
        onChange(next);
        remind.mutate(next);
      }}
    >
      {reminders.map((one) => (
        <option key={one.minutes} value={one.minutes}>
          {one.text()}
        </option>
      ))}
    </SelectField>
  );
}

type CalendarCode = Awaited<ReturnType<typeof loadCalendar>>;

function OwnCalendar({
  sessions,
  minutes,
  viewer,
  site,
}: {
  sessions: readonly [AppointmentView, ...AppointmentView[]];
  minutes: number;
  viewer: Viewer;
  site: PublicSite;
}) {
  const [discreet, setDiscreet] = useDiscretion(viewer.keepDiscreet);
  const calendar = useQuery({
    queryKey: ['calendar-code'],
    queryFn: loadCalendar,
    staleTime: Infinity,
  });
  const wish: CalendarRequest = {
    reminderMinutes: minutes,
    discreet,
    siteUrl: window.location.origin,
    supportEmail: site.supportEmail,
    email: viewer.email,
  };

  const take = async (make: (code: CalendarCode) => Download | null): Promise<boolean> => {
    try {
      const code = calendar.data ?? (await calendar.refetch({ throwOnError: true })).data;
      const file = code && make(code);
      if (file) download(file);
      return Boolean(file);
    } catch {
      return false;
    }
  };
  const failed = () => toast.failed(m.booking_download_failed(), m.booking_download_failed_text());
  const takeFile = async () => {
    if (!(await take((code) => code.sessionsFile(sessions, wish, Date.now())))) return failed();
    toast.done(m.booking_downloaded(), m.booking_downloaded_text({ minutes }));
  };
  const takeCard = async () => {
    if (!(await take((code) => code.contactFile({ ...site, siteUrl: wish.siteUrl })))) return failed();
    toast.done(m.booking_card_downloaded());
  };

  return (
    <section aria-label={m.booking_calendar()} className="grid gap-3">
      <h3 className="font-serif text-lg font-semibold">{m.booking_calendar()}</h3>
      <Switch
        label={m.booking_discreet()}
        description={m.booking_discreet_text()}
        checked={discreet}
        onChange={(event) => setDiscreet(event.target.checked)}
        className="-mt-1"
      />
      <CalendarServices links={calendar.data?.sessionLinks(sessions[0], wish)} />
      {sessions.length > 1 && (
        <p className="text-sm text-quiet">{m.booking_calendar_series({ count: sessions.length })}</p>
      )}
      <div className="grid gap-2 sm:grid-cols-2">
        <Button variant="secondary" className="px-2!" onClick={() => void takeFile()}>
          <DownloadIcon />
          {m.booking_download()}
        </Button>
        <Button variant="secondary" className="px-2!" onClick={() => void takeCard()}>
          <Contact />
          {m.booking_save_card()}
        </Button>
      </div>
    </section>
  );
}

function CalendarServices({ links }: { links: ReturnType<CalendarCode['sessionLinks']> | undefined }) {
  const services = [
    { name: m.booking_calendar_google(), href: links?.google },
    { name: m.booking_calendar_outlook(), href: links?.outlook },
    { name: m.booking_calendar_office365(), href: links?.office365 },
    { name: m.booking_calendar_yahoo(), href: links?.yahoo },
  ];
  return (
    <div className="grid grid-cols-2 gap-2">
      {services.map(({ name, href }) =>
        href ? (
          <ButtonLink
            key={name}
            to={href}
            target="_blank"
            rel="noreferrer"
            variant="secondary"
            className="px-2!"
            onClick={() =>
              toast({
                title: m.booking_calendar_opening(),
                description: m.booking_calendar_opening_text({ service: name }),
              })
            }
          >
            <span>
              {name}
              <span className="sr-only"> {m.web_new_tab()}</span>
            </span>
          </ButtonLink>
        ) : (
          <Button key={name} variant="secondary" className="px-2!" disabled>
            {name}
          </Button>
        ),
      )}
    </div>
  );
}

function useDiscretion(remembered: boolean): [boolean, (discreet: boolean) => void] {
  const queries = useQueryClient();
  const [discreet, setDiscreet] = useState(remembered);
  const remember = useMutation({
    mutationFn: (keepDiscreet: boolean) => api.accounts.updatePreferences.call({ keepDiscreet }),
    scope: { id: 'discretion' },
    onSuccess: (viewer) => queries.setQueryData(api.accounts.me.queryKey(), viewer),
    onError: () => toast.failed(m.web_save_failed(), m.booking_discreet_failed_text()),
  });
  return [
    discreet,
    (next) => {
      setDiscreet(next);
      remember.mutate(next);
    },
  ];
}
