import { useId, useState, type ReactNode } from 'react';
import { can } from '#/features/access/rules.ts';
import type { Viewer } from '#/features/accounts/contract.ts';
import { Devices } from '#/features/accounts/ui/devices.tsx';
import { ExportArchive } from '#/features/accounts/ui/export-archive.tsx';
import { useHydrated } from '#/web/hydrated.ts';
import { KeepAccount } from '#/features/accounts/ui/keep-account.tsx';
import { useSite } from '#/features/accounts/ui/session.tsx';
import { SetPassword } from '#/features/accounts/ui/set-password.tsx';
import { SharingSwitches } from '#/features/care/ui/sharing-switches.tsx';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { LazyBoundary } from '#/web/lazy-boundary.tsx';
import { lazyPart } from '#/web/lazy-part.ts';
import { longDateText } from '#/web/times.ts';
import { CancelledSessions } from './cancelled-sessions.tsx';

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
              {m.accounts_deletion_delete()}
            </Button>
          ) : (
            <SetPassword email={viewer.email} />
          )}
        </Part>
      )}
      {asked && (
        <LazyBoundary fallback={null}>
          <DeleteAccountDialog
            open={open}
            onOpenChange={setOpen}
            viewer={viewer}
            sessions={<CancelledSessions viewer={viewer} />}
          />
        </LazyBoundary>
      )}
    </div>
  );
}

function Part({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  const id = useId();
  return (
    <Card as="section" aria-labelledby={id}>
      <h2 id={id} className="text-xl">
        {title}
      </h2>
      <p className="mt-1 mb-4 max-w-reading text-quiet">{text}</p>
      {children}
    </Card>
  );
}
