import { m } from '#/texts/messages.js';
import { failureText, type FailureTexts } from '#/web/failures.ts';
import type { ResourceCategory, ResourceStatus, ResourceType } from '../library/contract.ts';

/** Names and order from the client spec, section 2. */
export const categoryNames: Readonly<Record<ResourceCategory, () => string>> = {
  'individual-healing': m.resources_category_individual,
  'family-relationships': m.resources_category_family,
  'youth-teen-support': m.resources_category_youth,
  'grief-support': m.resources_category_grief,
  'spiritual-struggles': m.resources_category_spiritual,
};

export const categories = Object.keys(categoryNames) as ResourceCategory[];

export const typeNames: Readonly<Record<ResourceType, () => string>> = {
  book: m.resources_type_book,
  video: m.resources_type_video,
  audio: m.resources_type_audio,
  devotional: m.resources_type_devotional,
};

export const statusNames: Readonly<Record<ResourceStatus, () => string>> = {
  draft: m.resources_status_draft,
  submitted: m.resources_status_submitted,
  published: m.resources_status_published,
  rejected: m.resources_status_rejected,
};

const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** Formats a result count; counting stops at 1,001. */
export function countText(total: number): string {
  if (total === 0) return m.resources_empty_title();
  return total > 1_000 ? m.resources_count_many() : m.resources_count({ count: numbers.format(total) });
}

export function downloadsText(count: number): string {
  if (count === 0) return m.resources_downloads_none();
  return m.resources_downloads({ count: numbers.format(count) });
}

export function sizeText(bytes: number): string {
  return bytes < 1_000_000
    ? m.web_kb({ size: numbers.format(Math.max(1, Math.round(bytes / 1_000))) })
    : m.web_mb({ size: numbers.format(bytes / 1_000_000) });
}

export const resourceFailures: FailureTexts = { not_found: m.resources_gone };

export function resourceFailureText(error: unknown): string {
  return failureText(error, resourceFailures);
}
