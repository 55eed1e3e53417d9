import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import type { OpenedMail } from './contract.ts';
import { mailInTray } from './queries.ts';

/** Throws `not_found` (`no_such_route`) outside demo mode, as for an unknown address. */
export function requireMailTray(isOpen: boolean): void {
  if (!isOpen) throw new AppError('not_found', 'no_such_route');
}

/** Returns an email in the tray. Throws `not_found` (`mail`) for other IDs. */
export async function requireTrayMail(ctx: Ctx, id: string): Promise<OpenedMail> {
  const mail = await mailInTray(ctx, id);
  if (!mail) throw new AppError('not_found', 'mail');
  return mail;
}
