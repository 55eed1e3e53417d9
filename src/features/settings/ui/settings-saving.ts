import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type RefObject } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { toast } from '#/web/components/toast.tsx';
import { useEditedVersion } from '#/web/edited-version.ts';
import { failureReason } from '#/web/failures.ts';
import { useForm, type Form } from '#/web/form.tsx';
import type { AdminSettings } from '../contract.ts';
import type { SettingId } from '../rules.ts';
import {
  changeOf,
  limits,
  refusedTexts,
  sentence,
  settingIds,
  settingsFailure,
  shownValue,
  valuesOf,
  type SettingValues,
} from './settings-values.ts';

interface SettingsSaving {
  form: Form<SettingValues>;
  failure: string | null;
  changed: SettingId[];
  /** Saving fails if this version is outdated. */
  version: number;
  outdated: boolean;
  /** Settings that were edited here and saved elsewhere. */
  clashing: SettingId[];
  /** Shown while outdated. */
  news: RefObject<HTMLDivElement | null>;
  keepTheirs: () => void;
  keepMine: () => void;
  discard: () => void;
  onReset: (settings: AdminSettings) => void;
  onResetError: (error: Error) => Promise<void>;
  /** Whether to confirm closing the site. */
  asking: boolean;
  setAsking: (asking: boolean) => void;
}

/** Saves edited settings, unless another save came between. */
export function useSettingsSaving(latest: AdminSettings): SettingsSaving {
  const queries = useQueryClient();
  const news = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState(latest);
  const edited = useEditedVersion(latest.version, latest.values);
  const [asking, setAsking] = useState(false);
  const [resetFailure, setResetFailure] = useState<string | null>(null);

  const follow = (settings: AdminSettings) => {
    setSeen(settings);
    edited.follow(settings.version);
  };
  const discard = ({ values }: AdminSettings) => {
    form.reset(valuesOf(values));
    setResetFailure(null);
  };
  const stored = (settings: AdminSettings, title: string, description: string) => {
    queries.setQueryData(api.settings.admin.queryKey(), settings);
    void queries.invalidateQueries({ queryKey: api.settings.history.key() });
    follow(settings);
    toast.done(title, description);
  };
  /** Returns false unless the error was another administrator's save. */
  const showNews = async (error: unknown): Promise<boolean> => {
    if (failureReason(error) !== 'settings_changed') return false;
    await queries.invalidateQueries({ queryKey: api.settings.key() });
    news.current?.focus();
    return true;
  };
  const form = useForm<SettingValues>({
    values: valuesOf(latest.values),
    version: latest.version,
    limits,
    input: (values) => changeOf(values, latest.values),
    sentence,
    refusedTexts,
    failureText: settingsFailure,
    save: async (values) => {
      const change = changeOf(values, latest.values);
      if (change.maintenanceMode === true && !asking) return setAsking(true);
      setResetFailure(null);
      edited.sending({ ...latest.values, ...change });
      try {
        const settings = await api.settings.save.call({ version: seen.version, change });
        form.takeSaved(valuesOf(settings.values));
        stored(settings, m.settings_saved_title(), m.settings_saved_text());
      } catch (error) {
        if (!(await showNews(error))) throw error;
      } finally {
        setAsking(false);
      }
    },
  });
  const changed = settingIds.filter(form.isEdited);
  const unsaved = changed.length > 0;
  if (seen.version !== latest.version && !(unsaved && edited.isOutdated)) follow(latest);
  const clashing = changed.filter((id) => seen.values[id] !== latest.values[id]);

  return {
    form,
    failure: form.failure ?? resetFailure,
    changed,
    version: seen.version,
    outdated: seen.version !== latest.version && unsaved,
    clashing,
    news,
    keepTheirs: () => {
      for (const id of clashing) form.setValue(id, shownValue(latest.values[id]));
      follow(latest);
    },
    keepMine: () => follow(latest),
    discard: () => discard(latest),
    onReset(settings) {
      discard(settings);
      stored(settings, m.settings_reset_title(), m.settings_reset_text());
    },
    onResetError: async (error) => {
      if (!(await showNews(error))) setResetFailure(settingsFailure(error));
    },
    asking,
    setAsking,
  };
}
