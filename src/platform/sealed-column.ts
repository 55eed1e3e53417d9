import type { AuthoredRow, AuthoredTable } from './author-key.ts';
import type { Database, ProcessContext } from './context.ts';
import { decrypt, encrypt, type Keyring } from './keyring.ts';

export type Keyrings = Pick<ProcessContext, 'keyring' | 'privateNotes'>;

/** An encrypted column. Each value is bound to its row, so it can't be read if copied elsewhere. */
export interface SealedColumn {
  table: keyof Database;
  column: string;
  ring: keyof Keyrings;
  seal(ring: Pick<Keyring, 'seal'>, id: string, text: string): string;
  open(ring: Pick<Keyring, 'open'>, id: string, text: string): string;
  /** Like `open`, for nullable columns. */
  openIfAny(ring: Pick<Keyring, 'open'>, id: string, text: string | null): string | null;
  /**
   * Like `open`, but prefers the plaintext column, which an earlier release may have written: sealing blanks it, so any
   * plaintext is newer.
   */
  openOrClear(
    ring: Pick<Keyring, 'open'>,
    id: string,
    text: string | null,
    clear: string | null,
  ): string | null;
}

export function sealedColumn<Table extends keyof Database>(
  table: Table,
  name: keyof Database[Table] & string,
  ring: keyof Keyrings = 'keyring',
): SealedColumn {
  // PostgreSQL returns ids in lower case.
  const boundTo = (id: string) => `${table}.${name}:${id.toLowerCase()}`;
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

/** Columns that only their author's key opens, each inside the server's encryption. `author` names the author's column. */
export function authoredTable<Table extends keyof Database>(
  author: keyof Database[Table] & string,
  sealed: Readonly<Record<string, SealedColumn>>,
): AuthoredTable {
  const columns = Object.values(sealed);
  const { table } = columns[0]!;
  const named = (name: string) => columns.find(({ column }) => column === name)!;
  return {
    table,
    author,
    columns: columns.map(({ column }) => column),
    seal(rings, key, row, name, text) {
      const column = named(name);
      return column.seal(rings[column.ring], row.id, encrypt(key, text, boundToAuthor(column, row)));
    },
    open(rings, key, row, name, text) {
      const column = named(name);
      const inner = column.open(rings[column.ring], row.id, text);
      return key ? decrypt(key, inner, boundToAuthor(column, row)) : inner;
    },
  };
}

function boundToAuthor({ table, column }: SealedColumn, { id, author }: AuthoredRow): string {
  return `${table}.${column}:${id}:${author}`;
}
