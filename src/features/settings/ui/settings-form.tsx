import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Fragment, useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { flushSync } from 'react-dom';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { LeaveGuard } from '#/web/components/leave-guard.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { PartHeading } from '#/web/components/part-heading.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { entriesKept, failureReason, failureText, fieldProblems } from '#/web/failures.ts';
import type { AdminSettings } from '../contract.ts';
import { settingDefaults, type SettingId, type SiteSettings } from '../rules.ts';
import { SettingControl } from './settings-control.tsx';
import { Changes, type PersonName } from './settings-entry.tsx';
import { fieldOf, readField, refusedText, settingSections } from './settings-fields.ts';
import { SettingsNews } from './settings-news.tsx';

type Typed = Partial<Record<SettingId, string | boolean>>;
type Errors = Partial<Record<SettingId, string>>;

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
  const api = useApi();
  const queries = useQueryClient();
  const { toast } = useToast();
  const form = useRef<HTMLFormElement>(null);
  const news = useRef<HTMLDivElement>(null);
  /** Saving fails if this version is outdated. */
  const [seen, setSeen] = useState(latest);
  const [typed, setTyped] = useState<Typed>({});
  const [errors, setErrors] = useState<Errors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [asking, setAsking] = useState<'reset' | 'maintenance' | null>(null);
  const changed = Object.keys(typed) as SettingId[];
  const unsaved = changed.length > 0;
  if (seen.version !== latest.version && !unsaved) setSeen(latest);
  const outdated = seen.version !== latest.version && unsaved;
  const clashing = changed.filter((id) => seen.values[id] !== latest.values[id]);
  const defaults = changesTo(latest.values, settingDefaults);

  const change = (id: SettingId, value: string | boolean) => {
    const next = { ...typed, [id]: value };
    if (String(value) === String(latest.values[id])) delete next[id];
    setTyped(next);
  };
  const discard = () => {
    setTyped({});
    setErrors({});
    setFailure(null);
  };
  const showErrors = (found: Errors) => {
    flushSync(() => setErrors(found));
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  };
  const stored = (settings: AdminSettings, title: string, description: string) => {
    queries.setQueryData(api.settings.admin.queryKey(), settings);
    void queries.invalidateQueries({ queryKey: api.settings.history.key() });
    discard();
    setSeen(settings);
    toast({ tone: 'success', title, description });
  };
  const refused = async (error: Error) => {
    if (failureReason(error) === 'settings_changed') {
      await queries.invalidateQueries({ queryKey: api.settings.key() });
      news.current?.focus();
      return;
    }
    if (failureReason(error) === 'two_factor_off') {
      setFailure(m.settings_two_factor_off());
      return;
    }
    const found = refusals(error);
    if (Object.keys(found).length > 0) showErrors(found);
    else setFailure(failureText(error, entriesKept));
  };
  const save = useMutation({
    ...api.settings.save.mutationOptions(),
    onSuccess: (settings) => stored(settings, m.settings_saved_title(), m.settings_saved_text()),
    onError: refused,
    onSettled: () => setAsking(null),
  });
  const reset = useMutation({
    ...api.settings.reset.mutationOptions(),
    onSuccess: (settings) => stored(settings, m.settings_reset_title(), m.settings_reset_text()),
    onError: refused,
    onSettled: () => setAsking(null),
  });

  const submit = (event?: SubmitEvent) => {
    event?.preventDefault();
    if (save.isPending || !unsaved) return;
    setFailure(null);
    if (outdated) return news.current?.focus();
    const read = changed.map((id) => [id, readField(fieldOf(id), typed[id]!)] as const);
    const found = Object.fromEntries(
      read.flatMap(([id, result]) => ('problem' in result ? [[id, result.problem]] : [])),
    );
    if (Object.keys(found).length > 0) return showErrors(found);
    setErrors({});
    const values = read.flatMap(([id, result]) => ('value' in result ? [[id, result.value]] : []));
    const wanted = Object.fromEntries(values) as Partial<SiteSettings>;
    // Asks once; confirming submits without an event.
    if (event && wanted.maintenanceMode === true) return setAsking('maintenance');
    save.mutate({ version: seen.version, change: wanted });
  };

  return (
    <>
      <LeaveGuard unsaved={unsaved} parts />
      <PartHeading
        title={heading}
        action={
          <Button variant="secondary" onClick={() => setAsking('reset')}>
            {m.settings_reset()}
          </Button>
        }
      >
        {m.settings_intro()}
      </PartHeading>
      {latest.values.maintenanceMode && <Notice className="mb-6">{m.settings_maintenance_on()}</Notice>}
      {outdated && (
        <SettingsNews
          ref={news}
          since={seen.version}
          latest={latest}
          clashing={clashing}
          onTheirs={() => {
            setTyped(Object.fromEntries(Object.entries(typed).filter(([id]) => !isOneOf(clashing, id))));
            setSeen(latest);
          }}
          onMine={() => setSeen(latest)}
          personName={personName}
        />
      )}
      {/* The scroll margin keeps a focused field and its error above the sticky bar. */}
      <form ref={form} noValidate onSubmit={submit} className="grid gap-6 [&_:is(input,select)]:scroll-mb-72">
        {settingSections.map(({ id, title, fields }) => (
          <Card key={id} as="section" aria-labelledby={`settings-${id}`}>
            <h3 id={`settings-${id}`} className="text-lg">
              {title()}
            </h3>
            <div className="mt-4 grid gap-x-6 gap-y-5 sm:grid-cols-2">
              {fields.map((field) => (
                <Fragment key={field.id}>
                  <SettingControl
                    field={field}
                    shown={typed[field.id] ?? shownValue(latest.values[field.id])}
                    saved={latest.values[field.id]}
                    changed={field.id in typed}
                    error={errors[field.id]}
                    onChange={(value) => change(field.id, value)}
                  />
                  {field.id === 'requireTwoFactor' && <div className="sm:col-span-2">{twoFactor}</div>}
                </Fragment>
              ))}
            </div>
          </Card>
        ))}
        {failure && (
          <Notice tone="destructive" title={m.settings_saving_failed()}>
            {failure}
          </Notice>
        )}
        <div
          data-bar
          className="sticky bottom-[calc(4rem+env(safe-area-inset-bottom))] z-10 -mx-4 flex flex-wrap items-center gap-2 border-t border-line bg-card px-4 py-3 shadow-soft sm:mx-0 sm:rounded-card sm:border lg:bottom-3"
        >
          <p role="status" className="mr-auto text-quiet">
            {unsaved ? m.settings_unsaved_count({ count: changed.length }) : m.settings_nothing_unsaved()}
          </p>
          {unsaved && (
            <Button variant="quiet" size="sm" onClick={discard}>
              {m.settings_discard()}
            </Button>
          )}
          <Button type="submit" size="sm" disabled={!unsaved} busy={save.isPending}>
            {m.settings_save()}
          </Button>
        </div>
      </form>
      <AlertDialog
        open={asking === 'reset'}
        onOpenChange={(open) => {
          if (!open) setAsking(null);
        }}
        title={m.settings_reset_ask()}
        description={defaults.length > 0 ? m.settings_reset_ask_text() : m.settings_reset_nothing()}
        confirmLabel={m.settings_reset()}
        busy={reset.isPending}
        onConfirm={() => reset.mutate({ version: seen.version })}
      >
        <Changes changes={defaults} />
        {unsaved && <p className="mt-3 font-semibold">{m.settings_reset_unsaved()}</p>}
      </AlertDialog>
      <AlertDialog
        open={asking === 'maintenance'}
        onOpenChange={(open) => {
          if (!open) setAsking(null);
        }}
        title={m.settings_maintenance_ask()}
        description={m.settings_maintenance_ask_text()}
        confirmLabel={m.settings_maintenance_confirm()}
        busy={save.isPending}
        onConfirm={() => submit()}
      />
    </>
  );
}

function isOneOf(ids: readonly string[], id: string): boolean {
  return ids.includes(id);
}

function shownValue(value: SiteSettings[SettingId]): string | boolean {
  return typeof value === 'boolean' ? value : String(value);
}

function changesTo(from: SiteSettings, to: SiteSettings) {
  return (Object.keys(to) as SettingId[])
    .filter((setting) => from[setting] !== to[setting])
    .map((setting) => ({ setting, from: from[setting], to: to[setting] }));
}

function refusals(error: Error): Errors {
  return Object.fromEntries(
    fieldProblems(error).flatMap(({ field }) => {
      const id = field.replace(/^change\./, '') as SettingId;
      return id in settingDefaults ? [[id, refusedText(fieldOf(id))]] : [];
    }),
  );
}
