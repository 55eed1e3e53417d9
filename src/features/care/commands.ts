import { recordView } from '#/features/audit/commands.ts';
import type { Ctx } from '#/platform/context.ts';
import { requireServed, type Served } from './policies.ts';

/** Checks that the caller serves this client, and logs the access. */
export async function lookAt(
  ctx: Ctx,
  clientId: string,
  what: 'client' | 'notes' | 'private_notes',
): Promise<Served> {
  const served = await requireServed(ctx, clientId);
  await recordView(ctx, {
    action: `care.${what}_viewed`,
    category: 'security',
    subject: { kind: 'person', id: clientId },
  });
  return served;
}
