import type { Ctx } from '#/platform/context.ts';
import { approveReview, publishEarlierReviews, writeReview, type EarlierReview } from './commands.ts';
import type { WriteInput } from './contract.ts';
import { approveReply, writeReply } from './reply/commands.ts';

export interface ReviewedSpecialist {
  id: string;
  serviceIds: readonly string[];
  /** Among `count` ratings without text, every `fourEvery`th has 4 stars, the others 5. */
  ratings: { count: number; fourEvery: number };
}

interface WrittenTestimonial extends Omit<EarlierReview, 'providerId' | 'writtenAt'> {
  of: number;
  text: string;
}

/** Newest first. */
const written: readonly WrittenTestimonial[] = [
  {
    of: 0,
    serviceId: 'individuals',
    authorName: 'Rebecca M.',
    authorPlace: 'Albany, NY',
    rating: 5,
    text: 'I hadn’t slept through the night in months. Dr. Whitfield gave me tools that work at three in the morning, and she never once made me feel like my faith was too small.',
    featured: true,
  },
  {
    of: 2,
    serviceId: 'couples',
    authorName: 'James and Lydia P.',
    authorPlace: 'Pasadena, CA',
    rating: 5,
    text: 'We came in with one foot out the door. We learned to listen before answering. Last week we laughed about the same old fight, and then we prayed together for the first time in years.',
    featured: true,
  },
  {
    of: 1,
    serviceId: 'families',
    authorName: 'Marta G.',
    authorPlace: 'Oak Park, IL',
    rating: 5,
    text: 'Four of us on one couch, and everyone got a turn. Pastor Reyes gave our kids words for what they felt. Sunday dinner is a meal again, not a battle.',
    featured: true,
  },
  {
    of: 3,
    serviceId: 'teens',
    authorName: 'A father',
    authorPlace: 'Colorado',
    rating: 5,
    text: 'Our son didn’t want to come. Now he puts it on his calendar himself. His counselor doesn’t preach at him, asks good questions, and remembers what he said last time.',
    featured: true,
  },
  {
    of: 1,
    serviceId: 'grief',
    authorName: 'Helen D.',
    authorPlace: 'Evanston, IL',
    rating: 5,
    text: 'After my husband died, people stopped saying his name. Here I could say it for an hour. The grief is still there, but I’m not alone with it anymore.',
    featured: true,
  },
  {
    of: 3,
    serviceId: 'spiritual',
    authorName: 'Joel K.',
    authorPlace: 'Boulder, CO',
    rating: 4,
    text: 'I thought doubt was the end of my faith. It turned out to be the door to a more honest one. My only wish is that the sessions were longer.',
    featured: true,
  },
  {
    of: 0,
    serviceId: 'grief',
    authorName: 'Simon A.',
    authorPlace: 'Newark, NJ',
    rating: 5,
    text: 'She let me be angry, and then she let me be sad. I needed both, in that order.',
    featured: false,
  },
  {
    of: 2,
    serviceId: 'families',
    authorName: 'The Hollis family',
    authorPlace: 'Long Beach, CA',
    rating: 5,
    text: 'Two households, five kids, one calendar. She helped us agree on rules everyone can live with.',
    featured: false,
  },
  {
    of: 0,
    serviceId: 'individuals',
    authorName: 'Grace T.',
    authorPlace: 'Hartford, CT',
    rating: 5,
    text: 'Clear, kind and well prepared. After six sessions I went back to work without the knot in my stomach.',
    featured: false,
  },
  {
    of: 1,
    serviceId: 'spiritual',
    authorName: 'Peter N.',
    authorPlace: 'Gary, IN',
    rating: 5,
    text: 'He taught me to pray in one sentence when I didn’t have the strength for two.',
    featured: false,
  },
  {
    of: 2,
    serviceId: 'teens',
    authorName: 'A mother',
    authorPlace: 'Glendale, CA',
    rating: 4,
    text: 'My daughter is talking to us again. Evening times go fast, so book early.',
    featured: false,
  },
  {
    of: 1,
    serviceId: 'couples',
    authorName: 'Ruth and Andrew',
    authorPlace: 'Naperville, IL',
    rating: 5,
    text: 'He helped us prepare for our wedding, and we still use his questions every Friday night.',
    featured: false,
  },
];

/** Only the first is published. */
const recent: readonly (Pick<WriteInput, 'rating' | 'named' | 'place'> & { text: string; by: number })[] = [
  {
    by: 0,
    rating: 5,
    named: 'initial',
    place: 'Queens, NY',
    text: 'I came with a knot in my chest and left with one small step for the week. It was the right size.',
  },
  {
    by: 2,
    rating: 5,
    named: 'initial',
    place: 'Milwaukee, WI',
    text: 'I felt heard, never rushed, and was prayed for without having to pretend.',
  },
  {
    by: 4,
    rating: 4,
    named: 'anonymous',
    place: '',
    text: 'Honest and warm. I would have liked a reminder about the exercise afterward.',
  },
  {
    by: 7,
    rating: 5,
    named: 'full',
    place: 'San Diego, CA',
    text: 'We finally talked about what we’d been avoiding for a year.',
  },
];

export async function seedReviews(
  ctx: Ctx,
  specialists: readonly ReviewedSpecialist[],
  clients: readonly { id: string }[],
): Promise<void> {
  const now = ctx.now();
  const daysAgo = (days: number) => now.subtract({ hours: 24 * days });
  const published = await writeRecent(ctx, clients);
  const earlier: EarlierReview[] = [];
  for (const [of, { id: providerId, serviceIds, ratings }] of specialists.entries()) {
    const words = written.filter((one) => one.of === of);
    const others = words.length + published.filter((id) => id === providerId).length;
    for (let index = ratings.count - others; index > 0; index--) {
      earlier.push({
        providerId,
        serviceId: serviceIds[index % serviceIds.length]!,
        authorName: 'iTalk client',
        authorPlace: '',
        rating: index % ratings.fourEvery === 0 ? 4 : 5,
        text: null,
        featured: false,
        writtenAt: daysAgo(90 + 6 * index),
      });
    }
    for (const one of words) {
      earlier.push({ ...one, providerId, writtenAt: daysAgo(4 + 7 * written.indexOf(one)) });
    }
  }
  await publishEarlierReviews(ctx, earlier);
  await writeReplies(ctx, specialists);
}

/** Only the first is published. */
const answers: readonly { of: number; text: string }[] = [
  {
    of: 0,
    text: 'Thank you for these words, and for the courage they took. May your nights stay quiet.',
  },
  { of: 1, text: 'It’s good to read this. Peace to your home.' },
];

async function writeReplies(ctx: Ctx, specialists: readonly ReviewedSpecialist[]): Promise<void> {
  for (const [index, { of, text }] of answers.entries()) {
    const { id } = specialists[of]!;
    const review = await ctx.db
      .selectFrom('reviews')
      .select('id')
      .where('provider_id', '=', id)
      .where('state', '=', 'approved')
      .where('text', 'is not', null)
      .where('appointment_id', 'is', null)
      .orderBy('written_at', 'desc')
      .executeTakeFirstOrThrow();
    const provider: Ctx = {
      ...ctx,
      actor: { kind: 'person', id, role: 'doctor', sessionId: ctx.newId() },
    };
    await writeReply(provider, { reviewId: review.id, text });
    if (index === 0) await approveReply(ctx, { reviewId: review.id, revision: 1 });
  }
}

async function writeRecent(ctx: Ctx, clients: readonly { id: string }[]): Promise<string[]> {
  const published: string[] = [];
  for (const [index, { by, ...words }] of recent.entries()) {
    const { id } = clients[by]!;
    const session = await ctx.db
      .selectFrom('appointments')
      .select(['id', 'provider_id', 'ends_at'])
      .where('client_id', '=', id)
      .where('status', '=', 'completed')
      .orderBy('starts_at', 'desc')
      .executeTakeFirst();
    if (!session) continue;
    const end = Temporal.Instant.fromEpochMilliseconds(session.ends_at.getTime());
    const client: Ctx = {
      ...ctx,
      actor: { kind: 'person', id, role: 'client', sessionId: ctx.newId() },
      now: () => end,
    };
    await writeReview(client, { ...words, appointmentId: session.id });
    if (index > 0) continue;
    const { id: reviewId, revision } = await ctx.db
      .selectFrom('reviews')
      .select(['id', 'revision'])
      .where('appointment_id', '=', session.id)
      .executeTakeFirstOrThrow();
    await approveReview({ ...ctx, now: () => end }, { reviewId, revision, featured: false });
    published.push(session.provider_id);
  }
  return published;
}
