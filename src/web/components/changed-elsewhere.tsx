import { m } from '#/texts/messages.js';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

/** Offers either version after another window’s save. */
export function ChangedElsewhere({
  onOverwrite,
  onLoad,
  busy,
}: {
  onOverwrite: () => void;
  onLoad: () => void;
  busy?: 'overwrite' | 'load' | null;
}) {
  return (
    <Notice
      tone="destructive"
      title={m.web_elsewhere()}
      action={
        <>
          <Button variant="secondary" size="sm" busy={busy === 'overwrite'} onClick={onOverwrite}>
            {m.web_elsewhere_overwrite()}
          </Button>
          <Button variant="secondary" size="sm" busy={busy === 'load'} onClick={onLoad}>
            {m.web_elsewhere_load()}
          </Button>
        </>
      }
    >
      {m.web_elsewhere_text()}
    </Notice>
  );
}
