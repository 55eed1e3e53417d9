import type { Ctx } from '#/platform/context.ts';
import { passkeysOf, type Passkey } from '../webauthn/queries.ts';
import type { PasskeyView } from './contract.ts';

export async function passkeyViews(ctx: Ctx, personId: string): Promise<PasskeyView[]> {
  return (await passkeysOf(ctx, personId)).map(passkeyView);
}

export function passkeyView(passkey: Passkey): PasskeyView {
  return {
    id: passkey.id,
    name: passkey.name,
    synced: passkey.backed_up,
    createdAt: passkey.created_at.toISOString(),
    usedAt: passkey.used_at?.toISOString() ?? null,
    opensWords: passkey.author_key !== null,
  };
}
