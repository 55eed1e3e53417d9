import { m } from '#/texts/messages.js';
import { DataProvider } from '#/web/api.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { longDateText } from '#/web/times.ts';
import { KeepAccount } from './keep-account.tsx';
import { useViewer } from './session.tsx';

export function DeletionBanner() {
  const viewer = useViewer();
  if (!viewer?.deleteAfter) return null;
  return (
    <DataProvider>
      <Notice
        className="mb-6"
        title={m.accounts_deletion_banner({ date: longDateText(viewer.deleteAfter, viewer.timeZone) })}
        action={<KeepAccount />}
      >
        {m.accounts_deletion_banner_text()}
      </Notice>
    </DataProvider>
  );
}
