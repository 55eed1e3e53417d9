import { m } from '#/texts/messages.js';
import { Badge } from '#/web/components/badge.tsx';
import { useOwnZone } from '#/web/own-zone.tsx';
import { mediumDateText } from '#/web/times.ts';
import type { ListedUser } from '../users/contract.ts';
import { statusTexts } from './users-texts.ts';

const tones = { active: 'sage', inactive: 'neutral', suspended: 'clay' } as const;

export function StatusBadges({ status, deleteAfter }: Pick<ListedUser, 'status' | 'deleteAfter'>) {
  const zone = useOwnZone();
  return (
    <>
      <Badge tone={tones[status]}>{statusTexts[status]()}</Badge>
      {deleteAfter && (
        <Badge tone="gold">{m.users_leaving({ date: mediumDateText(deleteAfter, zone) })}</Badge>
      )}
    </>
  );
}
