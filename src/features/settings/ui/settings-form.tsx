import { type ReactNode, useState, type Ref } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { m } from '#/texts/messages.js';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';
import { classes } from '#/web/components/classes.ts';
import { LeaveGuard } from '#/web/components/leave-guard.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { PartHeading } from '#/web/components/part-heading.tsx';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import type { AdminSettings } from '../contract.ts';
import { type PersonName, Changes, Entry } from './settings-entry.tsx';
import { useSettingsSaving } from './settings-saving.ts';
import { SettingsSearch, SettingsSections } from './settings-sections.tsx';
import { settingDefaults, type SettingId, type SiteSettings } from '../rules.ts';
import { settingName } from './settings-fields.ts';

/** Sends edited settings; others follow stored values. */
export function SettingsForm({
  latest,
  personName,
  twoFactor,
}: {
  latest: AdminSettings;
  personName: PersonName;
  twoFactor: ReactNode;
}) {
  const saving = useSettingsSaving(latest);
  const { form, failure, changed, version, outdated, news } = saving;
  const unsaved = changed.length > 0;
  const saved = latest.values;
  const [words, setWords] = useState('');

  return (
    <>
      <LeaveGuard unsaved={unsaved} part="tab" />
      <PartHeading
        title={m.admin_tab_settings()}
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
      <SettingsSearch words={words} onSearch={setWords} />
      {/* The scroll margin keeps a focused field and its error above the sticky bar. */}
      <form
        {...form.props}
        onSubmit={(event) => {
          if (unsaved && !outdated) return form.props.onSubmit(event);
          event.preventDefault();
          news.current?.focus();
        }}
        className="grid gap-3 [&_:is(input,select)]:scroll-mb-72"
      >
        <SettingsSections form={form} saved={saved} changed={changed} words={words} twoFactor={twoFactor} />
        {failure && (
          <Notice tone="destructive" title={m.web_save_failed()}>
            {failure}
          </Notice>
        )}
        <UnsavedBar count={changed.length} busy={form.busy} onDiscard={saving.discard} />
      </form>
      <AlertDialog
        open={saving.asking}
        onOpenChange={saving.setAsking}
        title={m.settings_maintenance_ask()}
        description={`${m.settings_maintenance_mode_hint()} ${m.settings_maintenance_ask_text()}`}
        confirmLabel={m.settings_maintenance_confirm()}
        busy={form.busy}
        onConfirm={() => form.props.ref.current?.requestSubmit()}
      />
    </>
  );
}

/** Previews a reset and confirms it. */
function SettingsReset({
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
        {unsaved && <p className="mt-3 font-semibold">{m.web_leave_text()}</p>}
      </AlertDialog>
    </>
  );
}

function changesTo(from: SiteSettings, to: SiteSettings) {
  return (Object.keys(to) as SettingId[])
    .filter((setting) => from[setting] !== to[setting])
    .map((setting) => ({ setting, from: from[setting], to: to[setting] }));
}

/** Stays in view while settings are edited. */
function UnsavedBar({
  count,
  busy,
  onDiscard,
}: {
  /** Settings not saved yet. */
  count: number;
  busy: boolean;
  onDiscard: () => void;
}) {
  return (
    <div
      data-bar
      className={classes(
        'sticky bottom-[calc(4rem+env(safe-area-inset-bottom))] z-10 -mx-4 flex flex-wrap items-center gap-2 border-t border-line bg-card px-4 py-3 shadow-soft sm:mx-0 sm:rounded-card sm:border lg:bottom-3',
        count === 0 && 'sr-only',
      )}
    >
      <p role="status" className="mr-auto text-quiet max-sm:basis-full">
        {count > 0 ? m.settings_unsaved_count({ count }) : m.settings_nothing_unsaved()}
      </p>
      {count > 0 && (
        <Button variant="secondary" size="sm" className="max-sm:grow" onClick={onDiscard}>
          {m.settings_discard()}
        </Button>
      )}
      <Button type="submit" size="sm" className="max-sm:grow" disabled={count === 0} busy={busy}>
        {m.settings_save()}
      </Button>
    </div>
  );
}

/** Shows other people's saves and resolves conflicting edits. */
function SettingsNews({
  since,
  latest,
  clashing,
  onTheirs,
  onMine,
  personName,
  ref,
}: {
  since: number;
  latest: AdminSettings;
  clashing: readonly SettingId[];
  onTheirs: () => void;
  onMine: () => void;
  personName: PersonName;
  ref: Ref<HTMLDivElement>;
}) {
  const history = useQuery(
    api.settings.history.queryOptions({ input: { before: latest.version + 1 }, staleTime: Infinity }),
  );
  const last = latest.last ? [latest.last] : [];
  const entries = (history.data?.entries ?? last).filter(({ version }) => version > since);
  return (
    <div ref={ref} tabIndex={-1} className="mb-6 scroll-mt-24 rounded-control outline-none">
      <Notice
        tone="destructive"
        title={m.settings_news_title()}
        action={
          clashing.length > 0 ? (
            <>
              <Button variant="secondary" size="sm" onClick={onTheirs}>
                {m.settings_news_theirs()}
              </Button>
              <Button variant="secondary" size="sm" onClick={onMine}>
                {m.settings_news_mine()}
              </Button>
            </>
          ) : (
            <Button variant="secondary" size="sm" onClick={onMine}>
              {m.settings_news_go_on()}
            </Button>
          )
        }
      >
        <p>{m.settings_news_text()}</p>
        <ul className="mt-3 grid gap-3">
          {entries.map((entry) => (
            <li key={entry.version}>
              <Entry entry={entry} personName={personName} />
            </li>
          ))}
        </ul>
        {clashing.length > 0 && (
          <p className="mt-3 font-semibold">
            {m.settings_news_clash({ names: clashing.map(settingName).join(', ') })}
          </p>
        )}
      </Notice>
    </div>
  );
}
