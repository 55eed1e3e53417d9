/** Immutable columns only, none erased with an account. */
export interface SealedEntry {
  id: string;
  /** UTC with microseconds, such as `2026-03-02T12:00:00.000000Z`. */
  at: string;
  actor_kind: string;
  actor_id: string | null;
  actor_name: string | null;
  action: string;
  category: string;
  subject_kind: string | null;
  subject_id: string | null;
  details: unknown;
  request_id: string;
  success: boolean;
  /** Hex. */
  address_mark: string | null;
}

/** Version 1 omits the address mark. */
export type SealVersion = 1 | 2;

/**
 * Canonical form for digests: compact JSON array, format name first, detail keys sorted by UTF-16 code units (RFC
 * 8785).
 */
export function canonicalForm(entry: SealedEntry, version: SealVersion): string {
  return JSON.stringify([
    `italk.audit.${version}`,
    entry.id,
    entry.at,
    entry.actor_kind,
    entry.actor_id,
    entry.actor_name,
    entry.action,
    entry.category,
    entry.subject_kind,
    entry.subject_id,
    inOrder(entry.details),
    entry.request_id,
    entry.success,
    ...(version === 1 ? [] : [entry.address_mark]),
  ]);
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.map((name) => [name, inOrder(value[name as keyof typeof value])]));
}

type AddressBreak = 'address_changed' | 'address_removed' | 'address_added';

export type Break =
  | { kind: 'entry_changed' | 'entry_removed' | 'entry_moved' | AddressBreak; seq: number; entryId: string }
  | { kind: 'entry_inserted' | 'waiting_removed'; entryId: string }
  | { kind: 'seal_removed' | 'seal_changed' | 'anchor_missing' | 'anchor_wrong'; seq: number }
  | { kind: 'head_gone'; hash: string };

export function breakText(found: Break): string {
  switch (found.kind) {
    case 'entry_changed':
      return `entry ${found.entryId}, number ${found.seq}, was changed after it was sealed`;
    case 'entry_removed':
      return `entry ${found.entryId}, number ${found.seq}, was removed`;
    case 'entry_moved':
      return `entry ${found.entryId} stands at number ${found.seq}, where another was sealed: entries were reordered`;
    case 'address_changed':
      return `the network address of entry ${found.entryId}, number ${found.seq}, was changed after it was sealed`;
    case 'address_removed':
      return `the network address of entry ${found.entryId}, number ${found.seq}, was removed, though its account isn’t erased`;
    case 'address_added':
      return `entry ${found.entryId}, number ${found.seq}, was given a network address after it was sealed`;
    case 'entry_inserted':
      return `entry ${found.entryId} was inserted beside the chain: it has no seal and doesn’t wait for one`;
    case 'waiting_removed':
      return `entry ${found.entryId} was removed before it was sealed`;
    case 'seal_removed':
      return `the seal of number ${found.seq} is missing`;
    case 'seal_changed':
      return `the seal of number ${found.seq} doesn’t follow from the one before: seals were changed, inserted or reordered`;
    case 'anchor_missing':
      return `the last seal, number ${found.seq}, has no anchor: the end of the chain was cut off or added`;
    case 'anchor_wrong':
      return `the anchor of number ${found.seq} wasn’t made for this chain with a key of ENCRYPTION_KEYS: the chain was rewritten, or the key is gone`;
    case 'head_gone':
      return `the head ${found.hash} that was kept isn’t in the chain: it was rewritten or cut off`;
  }
}
