import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Notice } from '#/web/components/notice.tsx';
import type { SessionPage } from '../contract.ts';
import { PhoneLine } from './phone-dialog.tsx';

/** Notices that wait for an action: blocked sound, and a request to continue by phone. */
export function CallNotices({
  page,
  soundBlocked,
  phoneRequestedBy,
  onPlaySound,
  onClosePhoneRequest,
}: {
  page: SessionPage;
  soundBlocked: boolean;
  phoneRequestedBy: string | null;
  onPlaySound: () => void;
  onClosePhoneRequest: () => void;
}) {
  if (!soundBlocked && !phoneRequestedBy) return null;
  return (
    <div className="absolute inset-x-2 bottom-9 z-10 mx-auto grid max-w-md gap-2">
      {soundBlocked && (
        <Notice
          className="shadow-soft"
          title={m.video_silent()}
          action={
            <Button size="sm" onClick={onPlaySound}>
              {m.video_sound_on()}
            </Button>
          }
        />
      )}
      {phoneRequestedBy && (
        <Notice
          className="shadow-soft"
          title={m.video_phone_asked({ name: phoneRequestedBy })}
          action={
            <Button variant="secondary" size="sm" onClick={onClosePhoneRequest}>
              {m.web_close()}
            </Button>
          }
        >
          <PhoneLine page={page} />
        </Notice>
      )}
    </div>
  );
}
