import { recordView } from '#/features/audit/commands.ts';
import type { Ctx } from '#/platform/context.ts';
import { servedBy, type Served } from './queries.ts';

/** Lets a provider look at what is known of a client of theirs; that they did stands in the log. */
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
