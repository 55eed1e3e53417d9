import { m } from '#/texts/messages.js';
import { UndeliveredList } from '#/features/notifications/ui/undelivered-list.tsx';
import { unlisted } from '../page-meta.ts';

export const meta = unlisted(m.undelivered_title);

export default function Undelivered() {
  return <UndeliveredList />;
}
