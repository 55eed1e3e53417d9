import {
  BookOpen,
  CalendarHeart,
  Heart,
  MessageCircleHeart,
  ShieldCheck,
  Sprout,
  UserRound,
} from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { IconTile } from '#/web/components/icon-tile.tsx';
import { AuthForm, type AuthMode } from './auth-form.tsx';
import { useSite } from './session.tsx';

/** Client spec, section 2; `other` shows the generic prompt. */
export type GatedAction = 'booking' | 'messaging' | 'profile' | 'resources' | 'save' | 'other';

/** Client spec, sections 2 and 8. */
const prompts: Record<GatedAction, { text: () => string; icon: ReactNode }> = {
  booking: { text: m.accounts_prompt_booking, icon: <CalendarHeart /> },
  messaging: { text: m.accounts_prompt_messaging, icon: <MessageCircleHeart /> },
  profile: { text: m.accounts_prompt_profile, icon: <UserRound /> },
  resources: { text: m.accounts_prompt_resources, icon: <Heart /> },
  save: { text: m.accounts_prompt_save, icon: <Heart /> },
  other: { text: m.accounts_prompt_default, icon: <Heart /> },
};

const reasons: readonly { text: () => string; icon: ReactNode }[] = [
  { text: m.accounts_prompt_why_book, icon: <CalendarHeart /> },
  { text: m.accounts_prompt_why_resources, icon: <BookOpen /> },
  { text: m.accounts_prompt_why_growth, icon: <Sprout /> },
  { text: m.accounts_prompt_why_messages, icon: <MessageCircleHeart /> },
  { text: m.accounts_prompt_why_confidential, icon: <ShieldCheck /> },
];

export function AuthRequiredDialog({
  open,
  action,
  onClose,
  onSignedIn,
  onGuest,
}: {
  open: boolean;
  action: GatedAction;
  onClose: () => void;
  onSignedIn: () => void;
  onGuest: () => void;
}) {
  const { guestBooking } = useSite();
  const [mode, setMode] = useState<AuthMode>('sign-in');
  const { text, icon } = prompts[action];
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={m.accounts_prompt_title()}
      size="sm"
      footer={
        <Button variant="quiet" className="w-full" onClick={onClose}>
          {m.accounts_prompt_not_now()}
        </Button>
      }
    >
      <div className="space-y-5">
        <div className="flex items-start gap-3">
          <IconTile hue="wheat" size="lg">
            {icon}
          </IconTile>
          <p>{text()}</p>
        </div>
        <AuthForm mode={mode} onMode={setMode} onSignedIn={onSignedIn} />
        {action === 'booking' && guestBooking && (
          <div className="border-t border-line pt-4">
            <Button variant="secondary" className="w-full" onClick={onGuest}>
              {m.accounts_prompt_guest()}
            </Button>
            <p className="mt-1.5 text-center text-sm text-quiet">{m.accounts_prompt_guest_text()}</p>
          </div>
        )}
        <section className="rounded-card bg-sunken px-4 py-3">
          <h3 className="font-serif text-lg font-semibold">{m.accounts_prompt_why()}</h3>
          <ul className="mt-2 space-y-1.5">
            {reasons.map((reason) => (
              <li
                key={reason.text()}
                className="flex items-start gap-2.5 [&_svg]:mt-1 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-sage"
              >
                {reason.icon}
                {reason.text()}
              </li>
            ))}
          </ul>
        </section>
      </div>
    </Dialog>
  );
}
