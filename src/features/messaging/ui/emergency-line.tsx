import { useQuery } from '@tanstack/react-query';
import { ShieldAlert } from 'lucide-react';
import { dateText, timeText } from '#/web/times.ts';
import { m } from '#/texts/messages.js';
import { useLiveQueries, api } from '#/web/api.tsx';
import { toast } from '#/web/components/toast.tsx';
import { useRealtime } from '#/web/realtime.tsx';

export function EmergencyLine({ conversationId, timeZone }: { conversationId: string; timeZone: string }) {
  const openings = useQuery(api.emergency.openings.queryOptions({ input: { conversationId } }));
  useLiveQueries(api.emergency.openings.key(), 'messages.emergency');
  const when = ({ openedAt }: { openedAt: string }) =>
    m.web_date_time({ date: dateText(openedAt, timeZone), time: timeText(openedAt, timeZone) });
  const [latest, ...earlier] = openings.data ?? [];
  return (
    <div role="status">
      {latest && (
        <p className="flex items-start gap-2 border-b border-line bg-gold-soft px-4 py-2 text-sm sm:px-5">
          <ShieldAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-gold-edge" />
          <span>
            {m.messaging_emergency_line({ date: when(latest) })}
            {earlier.length > 0 &&
              ` ${m.messaging_emergency_line_more({ dates: earlier.map(when).join('; ') })}`}
          </span>
        </p>
      )}
    </div>
  );
}

export function useEmergencyNews(): void {
  useRealtime(({ type }) => {
    if (type === 'messages.emergency') toast.failed(m.messaging_emergency_told());
  });
}
