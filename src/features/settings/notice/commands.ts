import { roles } from '#/kernel/actor.ts';
import type { TxCtx } from '#/platform/context.ts';
import { clearPageCache, publish } from '#/platform/realtime/publish.ts';

/** On commit, notifies everyone signed in and clears cached pages in every process. */
export async function notifySite(tx: TxCtx): Promise<void> {
  await publish(
    tx,
    roles.map((role) => `role:${role}`),
    { type: 'site.changed', id: '' },
  );
  await clearPageCache(tx);
}
