import type { Ctx } from '#/platform/context.ts';
import { changeSettings } from './commands.ts';

/** Shown on the demo's sign-in screen. */
export async function seedSettings(ctx: Ctx): Promise<void> {
  await changeSettings(ctx, { passwordMinLength: 6 });
}
