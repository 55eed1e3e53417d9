import { Ban, CalendarPlus } from 'lucide-react';
import { useState } from 'react';
import { PermissionGate } from '#/features/access/ui/permission-gate.tsx';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { pageRequest } from '../contexts.ts';
import { prefetchFor } from '../prefetch.ts';
import { WhenHydrated } from '#/web/components/when-hydrated.tsx';
import { unlisted } from '../page-meta.ts';
import { ProviderPage } from '../provider-page.tsx';
import { agendaInput, positionIn } from '../schedule/calendar-position.ts';
import { ScheduleScreen, type OpenDialog } from '../schedule/schedule-screen.tsx';
import { unlessSearchChanged } from '../revalidation.ts';
import type { Route } from './+types/schedule.ts';

export async function loader({ context, request }: Route.LoaderArgs) {
  const { view, date } = positionIn(new URL(request.url).searchParams);
  const found = await prefetchFor(context.get(pageRequest), (queries, { appointments, availability }) => [
    queries.query(
      appointments.agenda.queryOptions({ input: agendaInput(view === 'month' ? 'month' : 'week', date) }),
    ),
    queries.query(availability.mine.queryOptions()),
  ]);
  return { known: found?.known ?? null };
}

export const shouldRevalidate = unlessSearchChanged;

export const meta = unlisted(m.schedule_title);

export default function Schedule({ loaderData }: Route.ComponentProps) {
  const [opened, setOpened] = useState<OpenDialog | null>(null);
  return (
    <ProviderPage
      title={m.schedule_title()}
      action={<Acts onOpened={setOpened} />}
      capability="manage_own_appointments"
      known={loaderData.known}
    >
      <ScheduleScreen opened={opened} onOpened={setOpened} />
    </ProviderPage>
  );
}

function Acts({ onOpened }: { onOpened: (opened: OpenDialog) => void }) {
  const viewer = useViewer();
  return (
    <PermissionGate role={viewer?.role ?? null} capability="manage_own_appointments" fallback={null}>
      <WhenHydrated>
        <div className="flex flex-wrap gap-2 print:hidden">
          <Button variant="secondary" onClick={() => onOpened({ kind: 'block', block: null })}>
            <Ban />
            {m.schedule_block()}
          </Button>
          <Button onClick={() => onOpened({ kind: 'book', start: null })}>
            <CalendarPlus />
            {m.schedule_for_title()}
          </Button>
        </div>
      </WhenHydrated>
    </PermissionGate>
  );
}
