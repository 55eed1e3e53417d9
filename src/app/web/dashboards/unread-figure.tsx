import { MessageCircle } from 'lucide-react';
import { useUnreadMessages } from '#/features/messaging/ui/recent-messages.tsx';
import { m } from '#/texts/messages.js';
import type { Figure } from './figures.tsx';
import { useHasMessages } from '#/features/messaging/ui/messages-on.ts';

export function useUnreadFigure(): readonly Figure[] {
  const on = useHasMessages();
  const value = useUnreadMessages(on);
  return on ? [{ label: m.messaging_unread_messages(), value, icon: <MessageCircle />, hue: 'plum' }] : [];
}
