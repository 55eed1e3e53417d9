import type { Selectable } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import { sealedColumn as column } from '#/platform/sealed-column.ts';
import type { ProfilesTable } from '../tables.ts';

/** Encrypted `profiles` columns and their bindings. */
export const sealed = {
  tradition: column('profiles', 'sealed_tradition'),
  focus: column('profiles', 'sealed_focus'),
} as const;

const usualTradition = 'SDA';

type FaithRow = Pick<
  Selectable<ProfilesTable>,
  'id' | 'spiritual_tradition' | 'mental_health_focus' | 'sealed_tradition' | 'sealed_focus'
>;

export function faithOf({ keyring }: Pick<Ctx, 'keyring'>, row: FaithRow) {
  const { id, spiritual_tradition, mental_health_focus: clear } = row;
  const focus = sealed.focus.openIfAny(keyring, id, row.sealed_focus);
  return {
    tradition:
      sealed.tradition.openOrClear(keyring, id, row.sealed_tradition, spiritual_tradition) ?? usualTradition,
    focusAreas: clear.length > 0 || focus === null ? clear : (JSON.parse(focus) as string[]),
  };
}
