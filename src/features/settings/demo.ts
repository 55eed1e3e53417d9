import type { Ctx } from '#/platform/context.ts';
import { changeSettings } from './commands.ts';

/** Matches the hint on the demo's sign-in screen. */
export async function seedSettings(ctx: Ctx): Promise<void> {
  await changeSettings(ctx, { passwordMinLength: 6 });
}
