import saveLimits from 'virtual:limits/settings.save';
import { m } from '#/texts/messages.js';
import { entriesKept, failureText, fieldProblems, type FieldTexts } from '#/web/failures.ts';
import type { Limits } from '#/web/limits.ts';
import { bySetting, settingDefaults, type SettingId, type SiteSettings } from '../rules.ts';
import { fieldOf, refusedText } from './settings-fields.ts';

export const settingIds = Object.keys(settingDefaults) as SettingId[];

/** Numbers as typed. */
export type SettingValues = Record<SettingId, string | boolean>;

/** Saves may omit settings, but not empty them. */
export const limits: Limits = Object.fromEntries(
  Object.entries(saveLimits).map(([path, limit]) => [settingOf(path), { ...limit, required: true }]),
);

/** Name of the setting at an input's path, such as `change.siteName`. */
function settingOf(path: string): string {
  return path.replace(/^change\./, '');
}

export function valuesOf(settings: SiteSettings): SettingValues {
  return bySetting((id) => shownValue(settings[id]));
}

export function shownValue(value: SiteSettings[SettingId]): string | boolean {
  return typeof value === 'boolean' ? value : String(value);
}

/** The changes that a save sends. */
export function changeOf(values: SettingValues, stored: SiteSettings): Partial<SiteSettings> {
  const changed = settingIds.filter((id) => values[id] !== shownValue(stored[id]));
  return Object.fromEntries(changed.map((id) => [id, sentValue(id, values[id])]));
}

function sentValue(id: SettingId, value: string | boolean): string | number | boolean {
  if (typeof value === 'boolean') return value;
  const text = value.trim();
  return fieldOf(id).kind === 'number' && text !== '' ? Number(text) : text;
}

export function sentence(field: string): string | undefined {
  return field in settingDefaults ? refusedText(fieldOf(field as SettingId)) : undefined;
}

export function refusedTexts(error: unknown): FieldTexts {
  return Object.fromEntries(
    fieldProblems(error).flatMap(({ field }) => {
      const text = sentence(settingOf(field));
      return text === undefined ? [] : [[settingOf(field), text]];
    }),
  );
}

export function settingsFailure(error: unknown): string {
  return failureText(error, { ...entriesKept, two_factor_off: m.settings_two_factor_off });
}
