import type { Ground } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { Keyring } from './keyring.ts';

/** The keyrings of the running program. */
export type Keyrings = Pick<Ground, 'keyring' | 'privateNotes'>;

/** A column whose texts are sealed, each bound to its own row, so that one that is moved elsewhere can't be read. */
export interface SealedColumn {
  table: keyof Database;
  column: string;
  /** Whose key seals it. */
  ring: keyof Keyrings;
  seal(ring: Pick<Keyring, 'seal'>, id: string, text: string): string;
  open(ring: Pick<Keyring, 'open'>, id: string, text: string): string;
  /** The same for texts that a row can be without. */
  openIfAny(ring: Pick<Keyring, 'open'>, id: string, text: string | null): string | null;
  /** The same where an earlier release may have stored the text in the clear: that one is newer, since sealing blanks it. */
  openOrClear(
    ring: Pick<Keyring, 'open'>,
    id: string,
    text: string | null,
    clear: string | null,
  ): string | null;
}

/** Names a column whose texts are sealed, and by which keyring. */
export function sealedColumn<Table extends keyof Database>(
  table: Table,
  name: keyof Database[Table] & string,
  ring: keyof Keyrings = 'keyring',
): SealedColumn {
  const boundTo = (id: string) => `${table}.${name}:${id}`;
  const open: SealedColumn['open'] = (keys, id, text) => keys.open(text, boundTo(id));
  const openIfAny: SealedColumn['openIfAny'] = (keys, id, text) =>
    text === null ? null : open(keys, id, text);
  return {
    table,
    column: name,
    ring,
    seal: (keys, id, text) => keys.seal(text, boundTo(id)),
    open,
    openIfAny,
    openOrClear: (keys, id, text, clear) => clear || openIfAny(keys, id, text),
  };
}
