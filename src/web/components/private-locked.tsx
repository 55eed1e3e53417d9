import { m } from '#/texts/messages.js';
import { isRefusal } from '../failures.ts';
import { useOwnZone } from '#/web/own-zone.tsx';
import { longDateText } from '#/web/times.ts';
import { Card } from './card.tsx';
import { EmptyState } from './empty-state.tsx';

export function lockedUntil(error: unknown): string | null {
  return isRefusal(error) && error.reason === 'private_locked' ? String(error.data.until) : null;
}

export function PrivateLocked({ until }: { until: string }) {
  const ownZone = useOwnZone();
  return (
    <Card>
      <EmptyState as="p" title={m.private_locked_title()}>
        {m.private_locked_text({ date: longDateText(until, ownZone) })}
      </EmptyState>
    </Card>
  );
}
