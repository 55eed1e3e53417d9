import { AppError } from '#/kernel/errors.ts';
import { m } from '#/texts/messages.js';
import type { ResourceCategory, ResourceStatus, ResourceType } from '../contract.ts';

/** The categories in the order of the client spec, section 2, by their names there. */
export const categoryNames: Readonly<Record<ResourceCategory, () => string>> = {
  'individual-healing': m.resources_category_individual,
  'family-relationships': m.resources_category_family,
  'youth-teen-support': m.resources_category_youth,
  'grief-support': m.resources_category_grief,
  'spiritual-struggles': m.resources_category_spiritual,
};

/** Every category, in its order. */
export const categories = Object.keys(categoryNames) as ResourceCategory[];

/** The types in the order in which an author is asked. */
export const typeNames: Readonly<Record<ResourceType, () => string>> = {
  book: m.resources_type_book,
  video: m.resources_type_video,
  audio: m.resources_type_audio,
  devotional: m.resources_type_devotional,
};

/** Where an author's work stands. */
export const statusNames: Readonly<Record<ResourceStatus, () => string>> = {
  draft: m.resources_status_draft,
  submitted: m.resources_status_submitted,
  published: m.resources_status_published,
  rejected: m.resources_status_rejected,
};

const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** How many resources a list has; from 1,001 on they are not counted. */
export function countText(total: number): string {
  if (total === 0) return m.resources_count_none();
  if (total === 1) return m.resources_count_one();
  return total > 1_000 ? m.resources_count_many() : m.resources_count({ count: numbers.format(total) });
}

/** How often a resource was got. */
export function downloadsText(count: number): string {
  if (count === 0) return m.resources_downloads_none();
  return count === 1 ? m.resources_downloads_one() : m.resources_downloads({ count: numbers.format(count) });
}

/** A size in bytes, in kB or MB. */
export function sizeText(bytes: number): string {
  return bytes < 1_000_000
    ? m.resources_size_kb({ size: numbers.format(Math.max(1, Math.round(bytes / 1_000))) })
    : m.resources_size_mb({ size: numbers.format(bytes / 1_000_000) });
}

const dates = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** The date of an instant, in UTC. */
export function dateText(instant: string): string {
  return dates.format(Date.parse(instant));
}

/** Why 'Get' and the like failed. */
export function failureText(error: unknown): string {
  return error instanceof AppError && error.code === 'not_found'
    ? m.resources_gone()
    : m.resources_try_again();
}

/** How an author is told why something comes back to them. */
export function reasonWords(): { label: string; hint: string; missing: string } {
  return {
    label: m.resources_reason(),
    hint: m.resources_reason_hint(),
    missing: m.resources_reason_missing(),
  };
}
