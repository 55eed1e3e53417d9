import { useQuery } from '@tanstack/react-query';
import { holdsTime } from '#/features/appointments/appointment/rules.ts';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Notice } from '#/web/components/notice.tsx';

/** Blocking doesn't cancel booked sessions, so list them. */
export function StandingSessions({ startsAt, endsAt }: { startsAt: string; endsAt: string }) {
  const api = useApi();
  const { data } = useQuery(
    api.appointments.mine.queryOptions({ input: { from: startsAt, to: endsAt, limit: 200 } }),
  );
  const standing = (data ?? []).filter(({ status }) => holdsTime(status));
  if (standing.length === 0) return null;
  const count = standing.length;
  const names = [...new Set(standing.map(({ client }) => client?.name ?? ''))];
  return (
    <Notice title={m.schedule_block_standing({ count })}>
      {m.schedule_block_standing_text({
        names: [...names.slice(0, 3), ...(names.length > 3 ? ['…'] : [])].join(', '),
      })}
    </Notice>
  );
}
