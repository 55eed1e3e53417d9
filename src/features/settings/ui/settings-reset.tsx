import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';
import { Button } from '#/web/components/button.tsx';
import type { AdminSettings } from '../contract.ts';
import { settingDefaults, type SettingId, type SiteSettings } from '../rules.ts';
import { Changes } from './settings-entry.tsx';

/** Previews a reset and confirms it. */
export function SettingsReset({
  version,
  values,
  unsaved,
  onStored,
  onError,
}: {
  version: number;
  values: SiteSettings;
  unsaved: boolean;
  onStored: (settings: AdminSettings) => void;
  onError: (error: Error) => Promise<void>;
}) {
  const api = useApi();
  const [asking, setAsking] = useState(false);
  const reset = useMutation({
    ...api.settings.reset.mutationOptions(),
    onSuccess: onStored,
    onError,
    onSettled: () => setAsking(false),
  });
  const changes = changesTo(values, settingDefaults);
  return (
    <>
      <Button variant="secondary" onClick={() => setAsking(true)}>
        {m.settings_reset()}
      </Button>
      <AlertDialog
        open={asking}
        onOpenChange={(open) => {
          if (!open) setAsking(false);
        }}
        title={m.settings_reset_ask()}
        description={changes.length > 0 ? m.settings_reset_ask_text() : m.settings_reset_nothing()}
        confirmLabel={m.settings_reset()}
        busy={reset.isPending}
        onConfirm={() => reset.mutate({ version })}
      >
        <Changes changes={changes} />
        {unsaved && <p className="mt-3 font-semibold">{m.settings_reset_unsaved()}</p>}
      </AlertDialog>
    </>
  );
}

function changesTo(from: SiteSettings, to: SiteSettings) {
  return (Object.keys(to) as SettingId[])
    .filter((setting) => from[setting] !== to[setting])
    .map((setting) => ({ setting, from: from[setting], to: to[setting] }));
}
