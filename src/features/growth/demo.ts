import type { KeyObject } from 'node:crypto';
import type { Role } from '#/kernel/actor.ts';
import type { Ctx } from '#/platform/context.ts';
import { actAs } from '#/platform/demo.ts';
import { achieveGoal, addGoal, tickStep } from './goals/commands.ts';
import { writeEntry } from './journal/commands.ts';
import { askPrayer, markPrayed, setPrayerState } from './prayers/commands.ts';

export interface DemoGrowth {
  client: { id: string; timeZone: string; visit: { sessionId: string; sessionKey: KeyObject } };
  doctor: { id: string };
  pastor: { id: string };
}

export async function seedGrowth(ctx: Ctx, { client, doctor, pastor }: DemoGrowth): Promise<void> {
  const today = ctx.now().toZonedDateTimeISO(client.timeZone).toPlainDate();
  const as = (id: string, role: Role, daysAgo: number, time: string): Ctx => {
    const then = today
      .subtract({ days: daysAgo })
      .toZonedDateTime({ timeZone: client.timeZone, plainTime: time })
      .toInstant();
    // Never in the future.
    const at = Temporal.Instant.compare(then, ctx.now()) < 0 ? then : ctx.now();
    return actAs(ctx, { id, role }, at);
  };
  const hannah = (daysAgo: number, time = '07:40') => as(client.id, 'client', daysAgo, time);
  const date = (days: number) => today.add({ days }).toString();

  const rest = await addGoal(hannah(40), {
    title: 'Keep one evening a week for rest',
    why: 'To make room again for the people I love.',
    dueOn: date(25),
    steps: [
      { text: 'Choose the evening with Mark', dueOn: date(-38) },
      { text: 'Leave the phone in the kitchen', dueOn: date(-20) },
      { text: 'Keep it four weeks in a row', dueOn: date(20) },
    ],
  });
  for (const [index, daysAgo] of [37, 19].entries()) {
    await tickStep(hannah(daysAgo, '20:15'), { goalId: rest.id, stepId: rest.steps[index]!.id, done: true });
  }
  const psalms = await addGoal(hannah(60), {
    title: 'Read one psalm each morning for a month',
    why: 'To start the day listening.',
    dueOn: date(-12),
    steps: [{ text: 'Put my Bible next to the kettle' }, { text: 'Two weeks' }, { text: 'The whole month' }],
  });
  for (const [index, daysAgo] of [59, 44, 14].entries()) {
    await tickStep(hannah(daysAgo, '06:50'), {
      goalId: psalms.id,
      stepId: psalms.steps[index]!.id,
      done: true,
    });
  }
  await achieveGoal(hannah(14, '06:55'), psalms.id, true);

  const author = (daysAgo: number, time: string): Ctx => ({
    ...hannah(daysAgo, time),
    actor: { kind: 'person', id: client.id, role: 'client', sessionId: client.visit.sessionId },
    sessionKey: client.visit.sessionKey,
  });
  await writeEntry(author(33, '21:30'), {
    title: 'After the first session',
    text: 'I was afraid I’d have to explain everything at once. I didn’t. We talked about sleep, and about Mom, and for the first time in weeks I could say out loud that I’m tired.',
    mood: 3,
  });
  await writeEntry(author(12, '22:05'), {
    text: 'A heavy day. The house was quiet, and the quiet was loud. I lit the candle anyway and read Psalm 34 twice.',
    mood: 2,
  });
  await writeEntry(author(2, '20:45'), {
    title: 'A walk by the river',
    text: 'Mark came along. We hardly talked, and it was good. I noticed I was looking at the trees again instead of my feet.',
    mood: 4,
  });

  const mother = await askPrayer(hannah(9, '22:10'), {
    text: 'For my mother, who goes into the hospital on Thursday, and for patience for all of us around her.',
    audience: 'pastors',
    showName: true,
  });
  await markPrayed(
    as(pastor.id, 'pastor', 8, '08:20'),
    mother.id,
    'We prayed for your mother and all of you this morning.',
  );
  const sleep = await askPrayer(hannah(26, '23:10'), {
    text: 'For sleep.',
    audience: 'counsellor',
    providerId: doctor.id,
    showName: true,
  });
  await markPrayed(as(doctor.id, 'doctor', 25, '07:30'), sleep.id, undefined);
  await setPrayerState(hannah(15, '07:10'), sleep.id, 'answered');
}
