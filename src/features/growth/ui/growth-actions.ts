import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { toast } from '#/web/components/toast.tsx';
import { useRealtime } from '#/web/realtime.tsx';
import { useSpokenLine } from '#/web/spoken-line.ts';
import { failureText, type FailureTexts, entriesKept } from '#/web/failures.ts';
import type { FieldValues } from 'react-hook-form';
import { useForm, type Form, type FormOptions } from '#/web/form.tsx';

/** Runs an action and refetches. Shows an error toast and returns false on failure. */
export function useAction(): { busy: boolean; act: (run: () => Promise<unknown>) => Promise<boolean> } {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const act = async (run: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await run();
      return true;
    } catch (error) {
      toast.failed(m.web_did_not_work(), growthFailureText(error));
      return false;
    } finally {
      setBusy(false);
      void queries.invalidateQueries({ queryKey: api.growth.key() });
    }
  };
  return { busy, act };
}

/** Refetches changes; returns an announcement for screen readers. */
export function useGrowthNews(): string {
  const queries = useQueryClient();
  const [news, setNews] = useSpokenLine();
  useRealtime(({ type }) => {
    if (type !== 'growth.changed' && type !== 'missed') return;
    void queries.invalidateQueries({ queryKey: api.growth.key() });
    if (type === 'growth.changed') setNews(m.growth_updated());
  });
  return news;
}

function growthFailureText(error: unknown, general: FailureTexts = {}): string {
  return failureText(error, {
    ...general,
    words_locked: m.words_locked_save,
    feature_off: m.growth_failed_off,
    changed_meanwhile: m.web_elsewhere,
    goal: m.web_gone,
    journal_entry: m.web_gone,
    prayer: m.web_gone,
    specialist: m.growth_failed_counsellor_gone,
    counsellor_gone: m.growth_failed_counsellor_gone,
    prayer_settled: m.growth_failed_settled,
    too_many_prayers: m.growth_failed_many_prayers,
  });
}

export function useGrowthForm<V extends FieldValues>(options: Omit<FormOptions<V>, 'failureText'>): Form<V> {
  return useForm({ ...options, failureText: (error) => growthFailureText(error, entriesKept) });
}
