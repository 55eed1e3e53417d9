import { recordView } from '#/features/audit/commands.ts';
import type { Ctx } from '#/platform/context.ts';
import { servedBy, type Served } from './queries.ts';

/** Checks that the caller serves this client, and logs the access. */
export async function lookAt(
  ctx: Ctx,
  clientId: string,
  what: 'client' | 'notes' | 'private_notes',
): Promise<Served> {
  const served = await servedBy(ctx, clientId);
  await recordView(ctx, {
    action: `care.${what}_viewed`,
    category: 'security',
    subject: { kind: 'person', id: clientId },
  });
  return served;
}
