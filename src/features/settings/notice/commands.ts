import { roles } from '#/kernel/actor.ts';
import type { TxCtx } from '#/platform/context.ts';
import { forgetPages, publish } from '#/platform/realtime/publish.ts';

/** Tells all who are signed in that the site is another one now, and every process to forget its pages, once the transaction commits. */
export async function tellSite(tx: TxCtx): Promise<void> {
  await publish(
    tx,
    roles.map((role) => `role:${role}`),
    { type: 'site.changed', id: '' },
  );
  await forgetPages(tx);
}
