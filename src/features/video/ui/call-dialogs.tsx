import { useQueryClient } from '@tanstack/react-query';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { ConfirmAction } from '#/web/components/confirm-dialog.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { failureText } from '#/web/failures.ts';
import type { SessionPage } from '../contract.ts';
import { DeviceChoices } from './device-choices.tsx';
import type { OwnMediaView } from './own-media-view.ts';
import type { OwnMedia } from './own-media.ts';
import { PhoneDialog } from './phone-dialog.tsx';

export type CallDialog = 'devices' | 'phone' | 'end';

export function CallDialogs({
  page,
  media,
  own,
  dialog,
  onDialog,
  onLeave,
}: {
  page: SessionPage;
  media: OwnMedia;
  own: OwnMediaView;
  dialog: CallDialog | null;
  onDialog: (dialog: CallDialog | null) => void;
  onLeave: () => void;
}) {
  return (
    <>
      <Dialog
        open={dialog === 'devices'}
        onOpenChange={(shown) => onDialog(shown ? 'devices' : null)}
        title={m.video_devices()}
        size="sm"
      >
        <DeviceChoices media={media} view={own} />
      </Dialog>
      <PhoneDialog
        page={page}
        open={dialog === 'phone'}
        onOpenChange={(shown) => onDialog(shown ? 'phone' : null)}
        onLeave={onLeave}
      />
      <EndDialog
        appointmentId={page.appointmentId}
        open={dialog === 'end'}
        onOpenChange={(shown) => onDialog(shown ? 'end' : null)}
        onEnded={onLeave}
      />
    </>
  );
}

function EndDialog({
  appointmentId,
  open,
  onOpenChange,
  onEnded,
}: {
  appointmentId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onEnded: () => void;
}) {
  const queries = useQueryClient();
  return (
    <ConfirmAction
      open={open}
      act={() => api.video.end.call({ appointmentId })}
      onDone={(ended) => {
        queries.setQueryData(api.video.page.queryOptions({ input: { appointmentId } }).queryKey, ended);
        onEnded();
      }}
      failedTitle={m.video_end_failed()}
      failureText={failureText}
      onClose={() => onOpenChange(false)}
      title={m.video_end_title()}
      description={m.video_end_text()}
      confirmLabel={m.video_end()}
    />
  );
}
