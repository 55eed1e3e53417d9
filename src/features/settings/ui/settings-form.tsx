import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';
import { LeaveGuard } from '#/web/components/leave-guard.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { PartHeading } from '#/web/components/part-heading.tsx';
import type { AdminSettings } from '../contract.ts';
import type { PersonName } from './settings-entry.tsx';
import { SettingsNews } from './settings-news.tsx';
import { SettingsReset } from './settings-reset.tsx';
import { useSettingsSaving } from './settings-saving.ts';
import { SettingsSections } from './settings-sections.tsx';
import { UnsavedBar } from './unsaved-bar.tsx';

/** Sends only edited settings; the others follow the stored values. */
export function SettingsForm({
  heading,
  latest,
  personName,
  twoFactor,
}: {
  heading: string;
  latest: AdminSettings;
  personName: PersonName;
  twoFactor: ReactNode;
}) {
  const saving = useSettingsSaving(latest);
  const { form, failure, changed, version, outdated, news } = saving;
  const unsaved = changed.length > 0;
  const saved = latest.values;

  return (
    <>
      <LeaveGuard unsaved={unsaved} parts />
      <PartHeading
        title={heading}
        action={
          <SettingsReset
            version={version}
            values={saved}
            unsaved={unsaved}
            onStored={saving.onReset}
            onError={saving.onResetError}
          />
        }
      >
        {m.settings_intro()}
      </PartHeading>
      {saved.maintenanceMode && <Notice className="mb-6">{m.settings_maintenance_on()}</Notice>}
      {outdated && (
        <SettingsNews
          ref={news}
          since={version}
          latest={latest}
          clashing={saving.clashing}
          onTheirs={saving.keepTheirs}
          onMine={saving.keepMine}
          personName={personName}
        />
      )}
      {/* The scroll margin keeps a focused field and its error above the sticky bar. */}
      <form
        {...form.props}
        onSubmit={(event) => {
          if (unsaved && !outdated) return form.props.onSubmit(event);
          event.preventDefault();
          news.current?.focus();
        }}
        className="grid gap-6 [&_:is(input,select)]:scroll-mb-72"
      >
        <SettingsSections form={form} saved={saved} changed={changed} twoFactor={twoFactor} />
        {failure && (
          <Notice tone="destructive" title={m.settings_saving_failed()}>
            {failure}
          </Notice>
        )}
        <UnsavedBar count={changed.length} busy={form.busy} onDiscard={saving.discard} />
      </form>
      <AlertDialog
        open={saving.asking}
        onOpenChange={saving.setAsking}
        title={m.settings_maintenance_ask()}
        description={m.settings_maintenance_ask_text()}
        confirmLabel={m.settings_maintenance_confirm()}
        busy={form.busy}
        onConfirm={() => form.props.ref.current?.requestSubmit()}
      />
    </>
  );
}
