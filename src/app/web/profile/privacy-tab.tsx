import { useState, type ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { can } from '#/features/access/rules.ts';
import type { Viewer } from '#/features/accounts/contract.ts';
import { Devices } from '#/features/accounts/ui/devices.tsx';
import { ExportArchive } from '#/features/accounts/ui/export-archive.tsx';
import { useHydrated } from '#/web/hydrated.ts';
import { KeepAccount } from '#/features/accounts/ui/keep-account.tsx';
import { useSite } from '#/features/accounts/ui/session.tsx';
import { SetPassword } from '#/features/accounts/ui/set-password.tsx';
import { WordsProtection } from '#/features/accounts/ui/words-protection.tsx';
import { SharingSwitches } from '#/features/care/ui/sharing-switches.tsx';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Section } from '#/web/components/card.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { longDateText, dateText, timeText } from '#/web/times.ts';
import { graceDays } from '#/features/accounts/deletion/rules.ts';
import { useOwnZone } from '#/web/own-zone.tsx';
import { accountFailureText } from '#/features/accounts/ui/failure-text.ts';
import type { AppointmentView } from '#/features/appointments/appointment/contract.ts';
import { api } from '#/web/api.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { Loading, Skeleton } from '#/web/components/skeleton.tsx';
import { day, iso, year } from '#/app/web/dashboards/days.ts';

const DeleteAccountDialog = lazyPart(
  async () => (await import('#/features/accounts/ui/delete-account-dialog.tsx')).DeleteAccountDialog,
);

export function PrivacyTab({ viewer }: { viewer: Viewer }) {
  const hydrated = useHydrated();
  const { flags } = useSite();
  const [asked, setAsked] = useState(false);
  const [open, setOpen] = useState(false);
  const ask = () => {
    setAsked(true);
    setOpen(true);
  };
  return (
    <div className="grid gap-6">
      <Part title={m.accounts_export_title()} text={m.accounts_export_text()}>
        <ExportArchive />
      </Part>
      {can(viewer.role, 'book_appointments') && (
        <Part title={m.care_sharing_title()} text={m.care_sharing_text()}>
          <SharingSwitches growth={flags.includes('wellness_tracking')} />
        </Part>
      )}
      <Part title={m.words_protection_title()} text={m.words_protection_text()}>
        <WordsProtection />
      </Part>
      <Part title={m.accounts_devices_list()} text={m.accounts_devices_text()}>
        <Devices />
      </Part>
      {viewer.deleteAfter ? (
        <Part
          title={m.accounts_deletion_heading()}
          text={m.accounts_deletion_banner({ date: longDateText(viewer.deleteAfter, viewer.timeZone) })}
        >
          <KeepAccount />
        </Part>
      ) : (
        <Part
          title={m.accounts_deletion_heading()}
          text={viewer.hasPassword ? m.accounts_deletion_offer() : m.accounts_deletion_password_first()}
        >
          {viewer.hasPassword ? (
            <Button variant="destructive" disabled={!hydrated} onClick={ask}>
              {m.web_delete()}
            </Button>
          ) : (
            <SetPassword email={viewer.email} />
          )}
        </Part>
      )}
      {asked && (
        <DeleteAccountDialog
          open={open}
          onOpenChange={setOpen}
          viewer={viewer}
          sessions={<CancelledSessions viewer={viewer} />}
        />
      )}
    </div>
  );
}

function Part({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <Section card title={title}>
      <p className="mt-1 mb-4 max-w-reading text-quiet">{text}</p>
      {children}
    </Section>
  );
}

/** Lists the sessions an account deletion would cancel, and those still taking place. */
function CancelledSessions({ viewer }: { viewer: Viewer }) {
  const timeZone = useOwnZone();
  const [now] = useState(() => Date.now());
  const end = now + graceDays * day;
  const query = useQuery({
    ...api.appointments.mine.queryOptions({ input: { from: iso(now), to: iso(now + 2 * year), limit: 200 } }),
    // Administrators have no appointments.
    enabled: viewer.role !== 'super_admin',
  });
  if (viewer.role === 'super_admin') return <p>{m.accounts_deletion_no_sessions()}</p>;
  if (query.data === undefined) {
    return query.isError ? (
      <Notice tone="destructive" title={m.accounts_deletion_sessions_failed()}>
        {accountFailureText(query.error)}
      </Notice>
    ) : (
      <Loading>
        <Skeleton className="h-12" />
      </Loading>
    );
  }
  const coming = query.data.filter(({ status }) => status === 'pending' || status === 'confirmed');
  const cancelled = coming.filter(({ startsAt }) => Date.parse(startsAt) >= end);
  const before = coming.length - cancelled.length;
  return (
    <>
      {cancelled.length === 0 ? (
        <p>{m.accounts_deletion_no_sessions()}</p>
      ) : (
        <>
          <p>{m.accounts_deletion_cancelled()}</p>
          <ul className="mt-2 list-disc space-y-1 pl-5">
            {cancelled.map((session) => (
              <li key={session.id}>{sessionText(session, timeZone)}</li>
            ))}
          </ul>
        </>
      )}
      {before > 0 && (
        <p className="mt-2 text-quiet">{m.accounts_deletion_sessions_before({ count: before })}</p>
      )}
    </>
  );
}

function sessionText({ startsAt, client, provider }: AppointmentView, zone: string): string {
  return m.accounts_deletion_session({
    date: dateText(startsAt, zone),
    time: timeText(startsAt, zone),
    name: client?.name ?? provider.name,
  });
}
