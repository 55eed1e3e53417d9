import type { Ctx } from '#/platform/context.ts';
import { actAs, demoContent } from '#/platform/demo.ts';
import { createProvider, type NewProvider } from './practice/commands.ts';
import { approveCredential, submitCredential } from './credentials/commands.ts';
import type { SubmitInput } from './credentials/contract.ts';
import { addPlace } from './places/commands.ts';
import type { PlaceInput } from './places/contract.ts';

export interface DemoSpecialist extends Omit<NewProvider, 'userId'> {
  email: string;
  name: string;
  /** Approved credentials; each expires in `years`, or never. */
  credentials: readonly (Omit<SubmitInput, 'expiresOn' | 'replaces'> & { years: number | null })[];
  places?: readonly PlaceInput[];
  ratings: {
    count: number;
    /** Every nth rating is 4, all others 5. */
    fourEvery: number;
  };
}

/** The landing page shows the first three. */
export function demoSpecialists(): readonly DemoSpecialist[] {
  return demoContent('specialists');
}

const days = { listed: 170, approved: 160, waiting: 2 };

/** Lists the demo providers with their credentials; the last one has a pending change. */
export async function seedSpecialists(ctx: Ctx, idOf: (email: string) => string): Promise<void> {
  const specialists = demoSpecialists();
  const ago = (number: number): Ctx => {
    const then = ctx.now().subtract({ hours: 24 * number });
    return { ...ctx, now: () => then };
  };
  for (const specialist of specialists) {
    const { credentials, places = [], email, kind: role } = specialist;
    const userId = idOf(email);
    const self = (at: Ctx) => actAs(at, { id: userId, role });
    await createProvider(ago(days.listed), { ...specialist, userId });
    for (const { years, ...words } of credentials) {
      const then = ago(days.approved);
      const expiresOn = years === null ? undefined : endAfter(ctx, years);
      const { id } = await submitCredential(self(then), { ...words, expiresOn });
      await approveCredential(then, id);
      if (specialist === specialists.at(-1)) {
        const renewed = { ...words, expiresOn: endAfter(ctx, (years ?? 0) + 3), replaces: id };
        await submitCredential(self(ago(days.waiting)), renewed);
      }
    }
    for (const place of places) await addPlace(self(ctx), place);
  }
}

function endAfter(ctx: Ctx, years: number): string {
  return `${ctx.now().toZonedDateTimeISO('UTC').year + years}-12-31`;
}
