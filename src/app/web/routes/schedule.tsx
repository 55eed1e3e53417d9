import { Ban, CalendarPlus } from 'lucide-react';
import { useState } from 'react';
import type { ShouldRevalidateFunctionArgs } from 'react-router';
import { PermissionGate } from '#/features/access/ui/permission-gate.tsx';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { pageRequest } from '../contexts.ts';
import { knownTo } from '../known.ts';
import { OnceAlive } from '../once-alive.tsx';
import { siteHead, unlistedMeta } from '../page-meta.ts';
import { PracticeRoom } from '../practice-room.tsx';
import { agendaInput, placeIn } from '../schedule/place.ts';
import { ScheduleScreen, type Opened } from '../schedule/schedule-screen.tsx';
import type { Route } from './+types/schedule.ts';

export async function loader({ context, request }: Route.LoaderArgs) {
  const { view, date } = placeIn(new URL(request.url).searchParams);
  const found = await knownTo(context.get(pageRequest), (queries, { appointments, availability }) => [
    queries.query(
      appointments.agenda.queryOptions({ input: agendaInput(view === 'month' ? 'month' : 'week', date) }),
    ),
    queries.query(availability.mine.queryOptions()),
  ]);
  return { known: found?.known ?? null };
}

/** Views fetch their own data. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  return currentUrl.search === nextUrl.search && defaultShouldRevalidate;
}

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.schedule_title());
}

export default function Schedule({ loaderData }: Route.ComponentProps) {
  const [opened, setOpened] = useState<Opened | null>(null);
  return (
    <PracticeRoom
      title={m.schedule_title()}
      intro={m.schedule_intro()}
      action={<Acts onOpened={setOpened} />}
      capability="manage_own_appointments"
      known={loaderData.known}
    >
      <ScheduleScreen opened={opened} onOpened={setOpened} />
    </PracticeRoom>
  );
}

function Acts({ onOpened }: { onOpened: (opened: Opened) => void }) {
  const viewer = useViewer();
  return (
    <PermissionGate role={viewer?.role ?? null} capability="manage_own_appointments" fallback={null}>
      <OnceAlive>
        <div className="flex flex-wrap gap-2 print:hidden">
          <Button variant="secondary" onClick={() => onOpened({ kind: 'block', block: null })}>
            <Ban />
            {m.schedule_block()}
          </Button>
          <Button onClick={() => onOpened({ kind: 'book', start: null })}>
            <CalendarPlus />
            {m.schedule_book_for()}
          </Button>
        </div>
      </OnceAlive>
    </PermissionGate>
  );
}
