import type { Ctx } from '#/platform/context.ts';
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

/** Demo providers; the landing page shows the first three. */
export const demoSpecialists: readonly DemoSpecialist[] = [
  {
    email: 'doctor@italk.example',
    name: 'Dr. Sarah Whitfield',
    kind: 'doctor',
    title: 'Clinical Psychologist',
    specialties: ['Anxiety', 'Depression', 'Trauma Recovery', 'Grief'],
    experience: '15 years',
    location: 'New York, NY',
    bio: 'Sarah has spent fifteen years helping people whose nights are long and whose thoughts won’t rest. She combines clinical psychology with a quiet, steady faith, and she’s known for explaining hard things in plain words. Clients say they leave with one step they can take the same day.',
    education: [
      'Doctor of Psychology (PsyD), clinical psychology',
      'Master of Arts, biblical studies',
      'Licensed psychologist',
    ],
    approach: 'Cognitive and trauma-informed therapy, with prayer and Scripture for those who want it.',
    languages: ['English', 'Spanish'],
    traditions: ['Anglican', 'Non-denominational'],
    faithPart: 'as_you_wish',
    sessionTypes: ['online', 'phone', 'in-person'],
    phone: '+1 555 010 0142',
    timeZone: 'America/New_York',
    approvesFirst: false,
    serviceIds: ['individuals', 'couples', 'teens', 'grief'],
    credentials: [
      {
        kind: 'licence',
        number: 'PSY-DEMO-014207',
        issuer: 'New York State Board for Psychology',
        region: 'New York',
        years: 2,
      },
    ],
    ratings: { count: 64, fourEvery: 10 },
  },
  {
    email: 'pastor@italk.example',
    name: 'Pastor Daniel Reyes',
    kind: 'pastor',
    title: 'Pastoral Counselor',
    specialties: ['Spiritual Direction', 'Marriage', 'Grief', 'Forgiveness', 'Prayer'],
    experience: '22 years',
    location: 'Chicago, IL',
    bio: 'Daniel led a parish on Chicago’s West Side for two decades and still cooks for its soup kitchen on Saturdays. He walks with people through doubt, loss and reconciliation, and he’s never in a hurry. Before a first session, he reads what you write to him and answers it himself.',
    education: ['Master of Divinity', 'Board-certified pastoral counselor', 'Certificate in grief care'],
    approach: 'Listening first, then prayer, Scripture and small acts of reconciliation.',
    languages: ['English', 'Spanish', 'Portuguese'],
    traditions: ['SDA', 'Evangelical'],
    faithPart: 'central',
    sessionTypes: ['online', 'phone', 'in-person'],
    phone: '+1 555 010 0177',
    timeZone: 'America/Chicago',
    approvesFirst: true,
    serviceIds: ['couples', 'families', 'grief', 'spiritual'],
    credentials: [
      {
        kind: 'ordination',
        number: 'DEMO-1999-311',
        issuer: 'Illinois Conference of Churches',
        region: 'Illinois',
        years: null,
      },
    ],
    ratings: { count: 47, fourEvery: 8 },
  },
  {
    email: 'naomi.bennett@italk.example',
    name: 'Dr. Naomi Bennett',
    kind: 'doctor',
    title: 'Marriage and Family Therapist',
    specialties: ['Couples', 'Parenting', 'Blended Families'],
    experience: '11 years',
    location: 'Los Angeles, CA',
    bio: 'Naomi grew up the fourth of six children and has loved loud kitchens ever since. She helps couples and families say what they mean without hurting each other, and start over when they have. She also sees teens, and the first thing she asks is what they would change.',
    education: [
      'Doctor of Philosophy, marriage and family therapy',
      'Licensed marriage and family therapist',
    ],
    approach: 'Emotionally focused therapy with practice at home, grounded in grace.',
    languages: ['English', 'French'],
    traditions: ['Presbyterian', 'Non-denominational'],
    faithPart: 'woven_in',
    sessionTypes: ['online', 'phone'],
    phone: '+1 555 010 0123',
    timeZone: 'America/Los_Angeles',
    approvesFirst: false,
    serviceIds: ['individuals', 'couples', 'families', 'teens'],
    credentials: [
      {
        kind: 'licence',
        number: 'LMFT-DEMO-90311',
        issuer: 'California Board of Behavioral Sciences',
        region: 'California',
        years: 1,
      },
    ],
    ratings: { count: 52, fourEvery: 11 },
  },
  {
    email: 'samuel.adeyemi@italk.example',
    name: 'Pastor Samuel Adeyemi',
    kind: 'pastor',
    title: 'Youth and Family Pastor',
    specialties: ['Teens', 'Identity and Faith', 'Young Adults', 'Family Conflict'],
    experience: '9 years',
    location: 'Denver, CO',
    bio: 'Samuel came to ministry by way of a basketball court, where he learned that young people talk more easily when something else is going on. He takes their questions seriously, even the ones with no quick answer, and helps parents hear what’s said between the lines.',
    education: ['Master of Arts, youth ministry', 'Certificate in adolescent counseling'],
    approach: 'Honest conversation, practical steps, and enough encouragement to last until next week.',
    languages: ['English', 'Yoruba'],
    traditions: ['Pentecostal', 'Baptist'],
    faithPart: 'woven_in',
    sessionTypes: ['online', 'phone', 'in-person'],
    phone: '+1 555 010 0168',
    timeZone: 'America/Denver',
    approvesFirst: false,
    serviceIds: ['individuals', 'families', 'teens', 'spiritual'],
    credentials: [
      {
        kind: 'ordination',
        number: 'DEMO-2016-088',
        issuer: 'Rocky Mountain Fellowship of Churches',
        region: 'Colorado',
        years: 1,
      },
    ],
    places: [
      {
        name: 'The Parish House',
        address: '210 Larimer Street',
        town: 'Denver, CO',
        directions: 'Use the side door by the bike racks. Ring the bell marked “Counseling.”',
      },
      {
        name: 'The Youth Room',
        address: '48 Colfax Avenue, lower floor',
        town: 'Denver, CO',
        directions: '',
      },
    ],
    ratings: { count: 31, fourEvery: 9 },
  },
];

const days = { listed: 170, approved: 160, waiting: 2 };

/** Lists the demo providers with their credentials; the last one has a pending change. */
export async function seedSpecialists(ctx: Ctx, idOf: (email: string) => string): Promise<void> {
  const ago = (number: number): Ctx => {
    const then = ctx.now().subtract({ hours: 24 * number });
    return { ...ctx, now: () => then };
  };
  for (const specialist of demoSpecialists) {
    const { credentials, places = [], email, kind: role } = specialist;
    const userId = idOf(email);
    const self = (at: Ctx): Ctx => ({
      ...at,
      actor: { kind: 'person', id: userId, role, sessionId: userId },
    });
    await createProvider(ago(days.listed), { ...specialist, userId });
    for (const { years, ...words } of credentials) {
      const then = ago(days.approved);
      const expiresOn = years === null ? undefined : endAfter(ctx, years);
      const { id } = await submitCredential(self(then), { ...words, expiresOn });
      await approveCredential(then, id);
      if (specialist === demoSpecialists.at(-1)) {
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
