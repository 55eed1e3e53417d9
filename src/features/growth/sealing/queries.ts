import type { Keyring } from '#/platform/crypto/keyring.ts';
import type { Database } from '#/platform/db/database.ts';

/** A column whose texts are sealed, each bound to its own row, so that one that is moved elsewhere can't be read. */
export interface SealedColumn {
  table: keyof Database;
  column: string;
  seal(ring: Pick<Keyring, 'seal'>, id: string, text: string): string;
  open(ring: Pick<Keyring, 'open'>, id: string, text: string): string;
  /** The same for texts that a row can be without. */
  openIfAny(ring: Pick<Keyring, 'open'>, id: string, text: string | null): string | null;
}

function column<Table extends keyof Database>(
  table: Table,
  name: keyof Database[Table] & string,
): SealedColumn {
  const boundTo = (id: string) => `${table}.${name}:${id}`;
  const open: SealedColumn['open'] = (ring, id, text) => ring.open(text, boundTo(id));
  return {
    table,
    column: name,
    seal: (ring, id, text) => ring.seal(text, boundTo(id)),
    open,
    openIfAny: (ring, id, text) => (text === null ? null : open(ring, id, text)),
  };
}

/** Every column whose texts are sealed; what they are bound to stands here alone. */
export const sealed = {
  goalTitle: column('goals', 'title'),
  goalWhy: column('goals', 'why'),
  stepText: column('goal_steps', 'text'),
  entryTitle: column('journal_entries', 'title'),
  entryText: column('journal_entries', 'text'),
  prayerText: column('prayer_requests', 'text'),
  prayerNote: column('prayer_answers', 'note'),
} as const;
