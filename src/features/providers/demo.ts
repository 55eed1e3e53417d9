import type { Ctx } from '#/platform/context.ts';
import { addTestimonial, createProvider, type NewProvider } from './commands.ts';

/** A demo specialist: their account, their directory entry, and how many have rated them. */
export interface DemoSpecialist extends Omit<NewProvider, 'userId'> {
  email: string;
  name: string;
  ratings: {
    count: number;
    /** Every so many-th rating is 4, all others 5. */
    fourEvery: number;
  };
}

/** The specialists of the demo; the landing page shows the first three. */
export const demoSpecialists: readonly DemoSpecialist[] = [
  {
    email: 'doctor@italk.example',
    name: 'Dr. Sarah Whitfield',
    kind: 'doctor',
    title: 'Clinical Psychologist',
    specialties: ['Anxiety', 'Depression', 'Trauma Recovery', 'Grief'],
    experience: '15 years',
    location: 'New York, NY',
    bio: 'Sarah has spent fifteen years beside people whose nights are long and whose thoughts will not rest. She joins the methods of clinical psychology to a quiet, steady faith, and she is known for explaining hard things in plain words. Her clients say that they leave with one step they can take the same day.',
    education: [
      'Doctor of Psychology (PsyD), clinical psychology',
      'Master of Arts, biblical studies',
      'Licensed psychologist',
    ],
    approach: 'Cognitive and trauma-informed therapy, with prayer and Scripture for those who wish it.',
    languages: ['English', 'Spanish'],
    phone: '+1 555 010 0142',
    timeZone: 'America/New_York',
    approvesFirst: false,
    serviceIds: ['individuals', 'couples', 'teens', 'grief'],
    ratings: { count: 64, fourEvery: 10 },
  },
  {
    email: 'pastor@italk.example',
    name: 'Pastor Daniel Reyes',
    kind: 'pastor',
    title: 'Pastoral Counsellor',
    specialties: ['Spiritual Direction', 'Marriage', 'Grief', 'Forgiveness', 'Prayer'],
    experience: '22 years',
    location: 'Chicago, IL',
    bio: 'Daniel led a parish on the west side of Chicago for two decades and still cooks for its soup kitchen on Saturdays. He walks with people through doubt, loss and reconciliation, and he is not in a hurry. Before a first session he reads what you write to him, and answers it himself.',
    education: ['Master of Divinity', 'Board-certified pastoral counsellor', 'Certificate in grief care'],
    approach: 'Listening first, then prayer, Scripture and small acts of reconciliation.',
    languages: ['English', 'Spanish', 'Portuguese'],
    phone: '+1 555 010 0177',
    timeZone: 'America/Chicago',
    approvesFirst: true,
    serviceIds: ['couples', 'families', 'grief', 'spiritual'],
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
    bio: 'Naomi grew up as the fourth of six children and has loved loud kitchens ever since. She helps couples and families to say what they mean without wounding each other, and to begin again when they have. She sees teens too, and asks them first what they would change.',
    education: [
      'Doctor of Philosophy, marriage and family therapy',
      'Licensed marriage and family therapist',
    ],
    approach: 'Emotionally focused therapy with practice at home, grounded in grace.',
    languages: ['English', 'French'],
    phone: '+1 555 010 0123',
    timeZone: 'America/Los_Angeles',
    approvesFirst: false,
    serviceIds: ['individuals', 'couples', 'families', 'teens'],
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
    bio: 'Samuel came to ministry by way of a basketball court, where he learned that young people talk more easily while something else is going on. He takes their questions seriously, also those that have no quick answer, and helps parents to hear what is said between the lines.',
    education: ['Master of Arts, youth ministry', 'Certificate in adolescent counselling'],
    approach: 'Honest conversation, practical steps and encouragement that lasts until next week.',
    languages: ['English', 'Yoruba'],
    phone: '+1 555 010 0168',
    timeZone: 'America/Denver',
    approvesFirst: false,
    serviceIds: ['individuals', 'families', 'teens', 'spiritual'],
    ratings: { count: 31, fourEvery: 9 },
  },
];

/** Lists the demo specialists in the directory, under the ids of their accounts. */
export async function seedSpecialists(ctx: Ctx, idOf: (email: string) => string): Promise<void> {
  for (const specialist of demoSpecialists) {
    await createProvider(ctx, { ...specialist, userId: idOf(specialist.email) });
  }
}

interface WrittenTestimonial {
  /** Whose session it was: the place in `demoSpecialists`. */
  of: number;
  serviceId: string;
  authorName: string;
  authorLocation: string;
  rating: number;
  text: string;
  featured: boolean;
}

/** Newest first; the featured ones stand on the landing page, one for each service. */
const written: readonly WrittenTestimonial[] = [
  {
    of: 0,
    serviceId: 'individuals',
    authorName: 'Rebecca M.',
    authorLocation: 'Albany, NY',
    rating: 5,
    text: 'I had not slept through a night in months. Dr. Whitfield gave me tools that work at three in the morning, and she never once made me feel that my faith was too small.',
    featured: true,
  },
  {
    of: 2,
    serviceId: 'couples',
    authorName: 'James and Lydia P.',
    authorLocation: 'Pasadena, CA',
    rating: 5,
    text: 'We came with one foot out of the door. We learned to listen before answering. Last week we laughed at the same old quarrel, and then we prayed together for the first time in years.',
    featured: true,
  },
  {
    of: 1,
    serviceId: 'families',
    authorName: 'Marta G.',
    authorLocation: 'Oak Park, IL',
    rating: 5,
    text: 'Four of us on one sofa, and everybody got a turn. Pastor Reyes gave our children words for what they felt. Sunday dinner is a meal again and not a battle.',
    featured: true,
  },
  {
    of: 3,
    serviceId: 'teens',
    authorName: 'Ethan W., 17',
    authorLocation: 'Aurora, CO',
    rating: 5,
    text: 'I did not want to come. Now I put it on my calendar myself. He does not preach at me, he asks good questions, and he remembers what I said last time.',
    featured: true,
  },
  {
    of: 1,
    serviceId: 'grief',
    authorName: 'Helen D.',
    authorLocation: 'Evanston, IL',
    rating: 5,
    text: 'After my husband died people stopped saying his name. Here I could say it for an hour. The grief is still there, but I am no longer alone with it.',
    featured: true,
  },
  {
    of: 3,
    serviceId: 'spiritual',
    authorName: 'Joel K.',
    authorLocation: 'Boulder, CO',
    rating: 4,
    text: 'I thought that doubt was the end of my faith. It turned out to be the door to a more honest one. I wish the sessions were longer, which says enough.',
    featured: true,
  },
  {
    of: 0,
    serviceId: 'grief',
    authorName: 'Simon A.',
    authorLocation: 'Newark, NJ',
    rating: 5,
    text: 'She let me be angry, and then she let me be sad. That was the order in which I needed it.',
    featured: false,
  },
  {
    of: 2,
    serviceId: 'families',
    authorName: 'The Hollis family',
    authorLocation: 'Long Beach, CA',
    rating: 5,
    text: 'Two households, five children, one calendar: she helped us to agree on rules that everyone can live with.',
    featured: false,
  },
  {
    of: 0,
    serviceId: 'individuals',
    authorName: 'Grace T.',
    authorLocation: 'Hartford, CT',
    rating: 5,
    text: 'Clear, kind and well prepared. After six sessions I went back to work without the knot in my stomach.',
    featured: false,
  },
  {
    of: 1,
    serviceId: 'spiritual',
    authorName: 'Peter N.',
    authorLocation: 'Gary, IN',
    rating: 5,
    text: 'He taught me to pray in one sentence when I had no strength for two.',
    featured: false,
  },
  {
    of: 2,
    serviceId: 'teens',
    authorName: 'A mother',
    authorLocation: 'Glendale, CA',
    rating: 4,
    text: 'My daughter talks to us again. Evening times go quickly, so book early.',
    featured: false,
  },
  {
    of: 1,
    serviceId: 'couples',
    authorName: 'Ruth and Andrew',
    authorLocation: 'Naperville, IL',
    rating: 5,
    text: 'We prepared for our wedding with him and still use his questions every Friday evening.',
    featured: false,
  },
];

/** Writes the testimonials, a week apart, and the ratings without words that came before them, a few days apart. */
export async function seedTestimonials(ctx: Ctx, idOf: (email: string) => string): Promise<void> {
  const now = ctx.now();
  const daysAgo = (days: number): Ctx => ({ ...ctx, now: () => now.subtract({ hours: 24 * days }) });
  for (const [of, { email, serviceIds, ratings }] of demoSpecialists.entries()) {
    const providerId = idOf(email);
    const words = written.filter((one) => one.of === of);
    for (let index = ratings.count - words.length; index > 0; index--) {
      await addTestimonial(daysAgo(90 + 6 * index), {
        providerId,
        serviceId: serviceIds[index % serviceIds.length]!,
        authorName: 'iTalk client',
        authorLocation: '',
        rating: index % ratings.fourEvery === 0 ? 4 : 5,
        text: null,
        featured: false,
      });
    }
    for (const one of words) {
      await addTestimonial(daysAgo(4 + 7 * written.indexOf(one)), { ...one, providerId });
    }
  }
}
