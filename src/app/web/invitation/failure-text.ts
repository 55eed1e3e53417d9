import { guestFailureText } from '#/features/attendees/ui/guest-list.ts';
import { m } from '#/texts/messages.js';
import { failureReason } from '#/web/failures.ts';

export function acceptFailureText(error: unknown): string {
  switch (failureReason(error)) {
    case 'own_clash':
      return m.invitation_clash_title();
    case 'already_guest':
      return m.invitation_twice();
    case 'invitation_moved':
      return m.invitation_moved_meanwhile();
    default:
      return failureReason(error)?.startsWith('invitation')
        ? m.invitation_changed()
        : guestFailureText(error);
  }
}
