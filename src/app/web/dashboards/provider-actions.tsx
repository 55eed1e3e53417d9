import { useMutation } from '@tanstack/react-query';
import { CalendarClock, CalendarSync as CalendarSyncMark, Contact } from 'lucide-react';
import { useState } from 'react';
import { PermissionGate } from '#/features/access/ui/permission-gate.tsx';
import type { Viewer } from '#/features/accounts/contract.ts';
import { useSite } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { toast } from '#/web/components/toast.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { QuickAction, QuickActions } from './quick-action.tsx';

const CalendarSync = lazyPart(async () => (await import('../calendar-sync.tsx')).CalendarSync);

/** Quick actions (client spec, "Provider dashboard"). */
export function ProviderActions({ viewer }: { viewer: Viewer }) {
  const site = useSite();
  const [syncing, setSyncing] = useState(false);
  const card = useMutation({
    mutationFn: async () => {
      const [{ ownCard }, { download }] = await Promise.all([
        import('./own-card.ts'),
        import('#/web/download.ts'),
      ]);
      download(await ownCard(viewer, site));
    },
    onSuccess: () => toast.done(m.booking_card_downloaded()),
    onError: () => toast.failed(m.booking_download_failed(), m.home_card_failed_text()),
  });
  return (
    <QuickActions list="grid-cols-[repeat(auto-fit,minmax(min(9.5rem,100%),1fr))] sm:grid-cols-3 lg:grid-cols-1 max-sm:*:odd:last:col-span-full">
      <li>
        <PermissionGate role={viewer.role} capability="manage_own_availability">
          <QuickAction to="/availability" icon={<CalendarClock />} hue="sea" title={m.availability_title()} />
        </PermissionGate>
      </li>
      <li>
        <QuickAction
          onPress={() => {
            if (!card.isPending) card.mutate();
          }}
          icon={<Contact />}
          hue="leaf"
          title={m.home_card()}
        />
      </li>
      <li>
        <QuickAction
          onPress={() => setSyncing(true)}
          icon={<CalendarSyncMark />}
          hue="dusk"
          title={m.feed_title()}
        />
        {syncing && <CalendarSync onClose={() => setSyncing(false)} />}
      </li>
    </QuickActions>
  );
}
