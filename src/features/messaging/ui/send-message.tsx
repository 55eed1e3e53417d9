import { MessageCircle } from 'lucide-react';
import { useNavigate } from 'react-router';
import { useAuthRequired } from '#/features/accounts/ui/auth-required.tsx';
import { useSite, useViewer } from '#/features/accounts/ui/session.tsx';
import type { Specialist } from '#/features/providers/contract.ts';
import { m } from '#/texts/messages.js';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';
import { messagingIsOn, useHasMessages } from './messages-on.ts';

/** Redirects to an existing conversation, if any. */
function messageTo(personId: string): string {
  return `/messages/new?to=${personId}`;
}

/** Message button for clients; guests sign in first, other roles see nothing. */
export function SendMessage({
  specialist: { id, name, takesMessages },
}: {
  specialist: Pick<Specialist, 'id' | 'name' | 'takesMessages'>;
}) {
  const viewer = useViewer();
  const site = useSite();
  const { requireAuth } = useAuthRequired();
  const navigate = useNavigate();
  if (!takesMessages || !messagingIsOn(site) || (viewer && viewer.role !== 'client')) return null;
  return (
    <Button
      variant="secondary"
      size="sm"
      onClick={() => requireAuth('messaging', () => void navigate(messageTo(id)))}
    >
      <MessageCircle />
      <span>
        {m.web_send_message()}
        <VisuallyHidden> {m.web_to_name({ name })}</VisuallyHidden>
      </span>
    </Button>
  );
}

export function MessageLink({
  id,
  name,
  size = 'md',
  className,
}: {
  id: string;
  name: string;
  size?: 'icon' | 'sm' | 'md' | 'compact';
  className?: string;
}) {
  if (!useHasMessages()) return null;
  return (
    <ButtonLink to={messageTo(id)} variant="secondary" size={size} className={className}>
      <MessageCircle />
      <span className={size === 'icon' ? 'sr-only' : undefined}>
        {m.messaging_message()}
        <VisuallyHidden> {m.web_to_name({ name })}</VisuallyHidden>
      </span>
    </ButtonLink>
  );
}
