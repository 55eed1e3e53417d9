import type { Ctx } from '#/platform/context.ts';
import { changeSettings } from './commands.ts';

/** Sets the shortest password to 6 characters, as the demo's hint on the sign-in screen says. */
export async function seedSettings(ctx: Ctx): Promise<void> {
  await changeSettings(ctx, { passwordMinLength: 6 });
}
