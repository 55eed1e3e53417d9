import type { ResourceCategory, ResourceType } from '../library/contract.ts';

/** A demo text. `of` is its author's index in the demo providers. */
export interface DemoArticle {
  of: number;
  type: ResourceType;
  category: ResourceCategory;
  title: string;
  description: string;
  featured?: boolean;
  body: string;
}

/** Oldest first. Scripture must match the output of scripts/verses.ts, checked by demo.test.ts. */
export const demoArticles: readonly DemoArticle[] = [
  {
    of: 1,
    type: 'devotional',
    category: 'spiritual-struggles',
    title: 'A Rhythm of Prayer for Ordinary Days',
    description:
      'Three short stops a day for people who have tried to pray for an hour and given up after four minutes.',
    body: `Most people who ask me how to pray have already tried the long way. They got up an hour earlier, and it lasted until Thursday. What holds on ordinary days is smaller than that, and it is tied to things that happen anyway.

## Morning: one sentence

Before you reach for the phone, put your feet on the floor and say one sentence. It can always be the same one. *Here I am, and here You are.* It doesn't have to be felt. It only has to be said, as one says good morning to somebody in the same house.

## Noon: one breath

Choose something that happens every day around noon: the kettle, the stairs, the door of the office. When it comes, breathe in and out once, slowly, and name one person. That is an intercession. Nobody will see it.

> Always rejoice. Pray without ceasing. In everything give thanks, for this is the will of God in Christ Jesus toward you.
> — 1 Thessalonians 5:16-18

I used to read these words as a demand that I could never meet. Today I read them as a description of a thread: thin, not impressive, and never quite cut.

## Evening: three questions

When the light is out, ask yourself:

1. Where was I glad today?
2. Where was I not kind?
3. What can I leave with God until the morning?

You may fall asleep over the third one. That is not a failure. It is rather the point.

## When you miss a day

You will. Begin again at the next stop, not on the next Monday. A rhythm is not a record that can be broken; it is a step that one finds again, as in a dance, in the middle of the music.`,
  },
  {
    of: 2,
    type: 'devotional',
    category: 'family-relationships',
    title: 'Listening Well: An Evening for Two',
    description:
      'A plan for ninety minutes at the kitchen table, for couples who talk a lot and hear little.',
    body: `You need a table, two glasses of something, a kitchen timer, and an evening on which nobody is too tired to be kind. Put the phones into another room. Both of them.

> So, then, my beloved brothers, let every man be swift to hear, slow to speak, and slow to anger;
> — James 1:19

## The first half hour: one speaks

Set the timer to ten minutes. One of you speaks about something small that went wrong this week, not about the thing that has gone wrong for years. The other one listens, and only listens: no *but*, no *you also*, no sigh.

When the timer rings, the listener says back what they heard, beginning with *You felt…*. Then they ask one question: **Did I get it?** If the answer is *almost*, they try again. Only when the answer is *yes* do you change places.

## The second half hour: something good

Now each of you names three things that the other one did this week, however small, and what they meant to you. The coffee. The call to your mother. That you let me sleep. It is harder than it sounds, since thanks that weren't said in time have often become silent bills.

## The last half hour: one agreement

Agree on one thing that you'll both try until next week. Not five. Write it on a piece of paper and put it where the coffee is. It should be so small that you can't fail: *we say goodbye at the door*, *we ask before we advise*.

## If it goes wrong

If voices rise, stop. Say: *I want to hear this, and I can't right now.* Agree on another day, and keep it. An interrupted evening isn't a lost one; couples who can stop are safer than couples who can win.`,
  },
  {
    of: 3,
    type: 'devotional',
    category: 'youth-teen-support',
    title: 'Offline for a Weekend',
    description:
      'Forty-eight hours without a feed: how to survive Friday night, and what tends to show up on Sunday.',
    body: `Nobody is going to tell you that phones are evil. Yours has your friends in it. But it also has a few hundred people who know exactly how to keep you scrolling, and it is worth finding out once who you are when they are not in the room.

## Friday evening

Tell two people how they can reach you: a landline, your mother's number, the doorbell. Put a note on your status so that nobody thinks you're angry. Then switch the thing off and give it to somebody who won't give it back because you ask nicely.

The first evening is the worst. You'll reach for your pocket about eighty times. Count them, it's almost funny.

## Saturday

Make something with your hands that takes longer than an hour: bread, a shelf, a song, a bicycle that works again. Go outside without headphones. You'll hear your own thoughts, and some of them will be loud. That isn't a sign that something is wrong with you. It is what was underneath.

> He said to them, “You come apart into a deserted place, and rest awhile.” For there were many coming and going, and they had no leisure so much as to eat.
> — Mark 6:31

Jesus said that to friends who were doing *good* things. Rest isn't for people who have failed.

## Sunday

Write down three things that you noticed. Somebody's face, perhaps, or what you actually wanted to eat. Then write down which of the apps you missed, and which you forgot. The list is usually short, and it is yours: no one else can write it for you.

## If a thought got too loud

If the quiet brought up something that frightens you, don't stay alone with it. Tell an adult whom you trust, or call or text 988. That's not weakness. It is the bravest message you can send this weekend.`,
  },
  {
    of: 2,
    type: 'devotional',
    category: 'family-relationships',
    title: 'Fair Words in Hard Conversations',
    description:
      'Sentences that open a conversation instead of ending it, for families that love each other loudly.',
    body: `In my own family nobody ever doubted that we loved each other. We just did it at the top of our voices. What I have learned since, in my practice and at my own table, fits on one page.

> He who answers before he hears, that is folly and shame to him.
> — Proverbs 18:13

## Begin with what you saw

*You never help* is a verdict. *The dishes were still there when I came home* is something that two people can look at together. Describe it so that a camera could have filmed it.

## Say what it did to you

*I felt alone with it.* Not *I felt that you are lazy*, which is the verdict again, in a coat.

## Ask for one thing, now

A wish that can be met by tomorrow evening is worth ten that need a new character. *Could you do them before I'm back on Tuesdays?*

## Three sentences for the heat

- **I want to understand this, say it once more.** It slows everybody down, yourself included.
- **You're right about that part.** There nearly always is a part.
- **I need ten minutes, and I'll come back.** And then come back. The coming back is what makes it fair.

## Afterwards

Hard conversations need an end that can be seen. Wash a cup together. Put a hand on a shoulder. Children especially read the end and not the words: if they see you laugh about something small an hour later, they learn that a quarrel isn't the end of the world, and that love is larger than the volume.`,
  },
  {
    of: 0,
    type: 'devotional',
    category: 'individual-healing',
    title: 'When Worry Will Not Leave',
    description:
      'What to do at three in the morning, when the same thought comes around again and faith seems to make no difference.',
    featured: true,
    body: `It is three in the morning and you are awake. The thought is there before you are, and it has brought its relatives. You have prayed about it, and it is still here. Perhaps you also think that a person with more faith would be asleep.

Let me begin with that last one, because it weighs the most and is the least true. Worry is not a verdict on your faith. It is an alarm, and some alarms are set too finely. You can believe in God with your whole heart and have a nervous system that rings at every breeze.

> In nothing be anxious, but in everything, by prayer and petition with thanksgiving, let your requests be made known to God. And the peace of God, which surpasses all understanding, will guard your hearts and your thoughts in Christ Jesus.
> — Philippians 4:6-7

These verses are often quoted as an order. Look at what stands between the two halves: let your requests be *made known*. Not solved, not silenced. Made known.

## Tonight: four steps

1. **Sit up.** Lying down, a thought has you at a disadvantage. Put a light on, a small one.
2. **Breathe out longer than in.** Count four in and six out, ten times. A long breath out tells your body that nothing is chasing you.
3. **Write it down.** One sentence for each worry, no explaining. Beside it write *mine today*, *mine later* or *not mine*.
4. **Make it known.** Read the list aloud, to God, as a list. Then close the book and put it into another room.

## In the daytime: a place for it

Give your worry an appointment: fifteen minutes, every day at the same hour, in the same chair, not in bed. When it comes at another time, say: *I'll see you at five.* It sounds silly, and it works surprisingly often, because a thought that has a place needs to shout less.

## What doesn't help

- Arguing with it. A worry always has one more *what if* than you have answers.
- Searching the internet at night.
- Promising God that you'll stop. You would only have one more thing to be afraid of.

## When it is more than worry

If you have slept badly for weeks, if your heart races without a reason, if you avoid more and more, then this isn't a matter of trying harder. It has a name and good treatment. Talk with a doctor or one of our specialists; asking for help is one of the ways in which requests are made known.

> casting all your worries on him, because he cares for you.
> — 1 Peter 5:7

Casting is a movement that one makes many times. Fishermen know that. So do those who pray at three in the morning.`,
  },
  {
    of: 1,
    type: 'devotional',
    category: 'grief-support',
    title: 'Psalms of Lament, Read Slowly',
    description:
      'Three evenings with psalms that complain to God, for people who have lost someone and can’t sing yet.',
    body: `More than a third of the psalms are laments. They aren't accidents of the book; they are its heart, and they were sung in the temple by people who weren't fine. If you can't say thank you at the moment, you are in old company.

## The first evening: how long?

> How long, Yahweh? Will you forget me forever? How long will you hide your face from me?
> — Psalm 13:1

Read it aloud, slowly, twice. Notice that nobody corrects the one who speaks. Then write down your own *how long*. One line is enough. You don't need to soften it.

## The second evening: day and night

> Yahweh, the God of my salvation, I have cried day and night before you. Let my prayer enter into your presence. Turn your ear to my cry.
> — Psalm 88:1-2

This psalm is the only one that ends in the dark. It has no turn, no *but I will trust*. I'm grateful that somebody left it in. It means that a prayer may also stop in the middle and still be a prayer.

Tonight, light a candle and say the name of the one whom you miss. Say something about them that nobody else would know.

## The third evening: your tears

> You count my wanderings. You put my tears into your container. Aren’t they in your book?
> — Psalm 56:8

Somebody counts them. Nothing of what you have wept was wasted or overlooked.

Sit quietly for as long as the candle needs for the width of a finger. If words come, say them. If none come, you have prayed anyway.

## Afterwards

Read these three again in a month. They will have stayed the same, and you will not: that is how one sees that something has moved.`,
  },
  {
    of: 3,
    type: 'devotional',
    category: 'youth-teen-support',
    title: 'Questions God Can Take',
    description:
      'Why do bad things happen, is anyone there, and am I allowed to ask? A pastor’s honest answers, with gaps.',
    featured: true,
    body: `I keep a shoe box in my office. Anybody can put a question into it without a name. These three come up every month, so here is what I say, and where I stop.

## “Am I even allowed to ask this?”

Yes. The Bible is full of people who ask things that would get you stared at on a Sunday.

> Yahweh, how long will I cry, and you will not hear? I cry out to you “Violence!” and will you not save?
> — Habakkuk 1:2

That is a prophet. He's angry, and it's printed. God didn't answer him with *mind your tone*.

## “Why does God let it happen?”

I don't know. There are books that explain it, and I've read some; none of them would've helped me at the bed of my cousin. What I can say is where God was in the story that I trust the most: not above the suffering with an explanation, but inside it, with nail marks.

What I don't believe: that it was a lesson, a punishment, or part of a plan that you'd understand if you were better. If somebody tells you that, you may change the subject.

## “What if I don't feel anything?”

Feelings are weather. I have been a pastor for nine years, and there are weeks in which it just drizzles. What I do then is small: I go on turning up. I sit beside people. I read one page. Mostly the sky opens at some point when I'm looking elsewhere.

> Immediately the father of the child cried out with tears, “I believe. Help my unbelief!”
> — Mark 9:24

Both in one sentence. And it was enough.

## Your turn

Write your own question on a piece of paper, the real one. Then choose: keep it, burn it, or bring it to somebody who won't be shocked. We're here for the third.`,
  },
  {
    of: 1,
    type: 'devotional',
    category: 'family-relationships',
    title: 'Blessing Your Children',
    description:
      'Ten seconds at the bedside: an old custom that even teenagers put up with, and why it outlasts most sermons.',
    body: `My grandmother drew a small cross on our foreheads before we went to sleep. She didn't explain it, and she did it even on days when she was angry with us, and there were plenty of those. I've forgotten most of what I was taught at that age. I haven't forgotten the thumb.

> ‘Yahweh bless you, and keep you. Yahweh make his face to shine on you, and be gracious to you. Yahweh lift up his face toward you, and give you peace.’
> — Numbers 6:24-26

## How to begin

With small children it's easy: lay a hand on their head when the light is out and say the words, or shorter ones. *God bless you and keep you. I'm glad that you're mine.*

With older ones, ask first. *May I?* Some will roll their eyes and bend their head in the same moment. A hand on the shoulder at the door does as well.

## Why it works

A blessing asks for nothing. It isn't a praise for something that was achieved, nor a reminder of something that wasn't. It says that somebody was looked at kindly today, simply because they are there. Children hear much about what they should become. Here they hear what they are.

## On bad days

Do it then above all. The argument doesn't have to be settled; you can say so: *We're not done with this, and I bless you anyway.* They will remember the second half.`,
  },
  {
    of: 0,
    type: 'devotional',
    category: 'grief-support',
    title: 'Helping Children Say Goodbye',
    description:
      'What children understand about death at different ages, what to say, and what’s better left unsaid.',
    body: `Parents often ask me whether they should keep a death away from their children for a while. I understand the wish. But children notice anyway that something has happened, and what they imagine alone is usually worse than what we'd tell them.

## Use the real word

Say *died*. Not *fell asleep*, which makes bedtime frightening; not *went away*, which makes children wait; not *we lost him*, for what is lost can be looked for. A simple sentence is enough: *Grandpa's heart stopped working, and the doctors couldn't help it any more. He has died. I am very sad.*

## What they understand

- **Up to about five**, death isn't for ever. They'll ask again tomorrow when Grandpa comes. Answer again, calmly, with the same words.
- **From six to nine** they want to know how things work, also things that make adults gulp. Answer what is asked, no more.
- **From ten on** they understand what you do, and often hide it in order to protect you. Show them that you can cry and cook dinner on the same day.

## Grief in puddles

Adults wade through grief as through a river. Children jump into it and out again, like puddles: five minutes of bitter tears, then *may I go and play?* That is not coldness. It is how a small heart carries something large.

## Let them take part

Ask whether they'd like to come to the funeral, tell them exactly what will happen, and let them choose a task: a drawing for the coffin, a flower, a song. Have somebody with them who can go out if it gets too much.

> Jesus wept.
> — John 11:35

The shortest verse is a good one for children. He knew how the story would go on, and he cried all the same.

## When to ask for help

If after some weeks a child doesn't sleep, doesn't want to leave the house, or speaks of wanting to die too, please don't wait. Talk to a specialist, and in danger call 988 or 911.`,
  },
  {
    of: 1,
    type: 'devotional',
    category: 'spiritual-struggles',
    title: 'Praying When Words Are Missing',
    description:
      'For dry seasons: five ways to pray without finding words, from breathing to borrowing someone else’s.',
    featured: true,
    body: `There are times in which prayer is like speaking into a telephone that nobody seems to hold at the other end. I have had such years. What I know about them I've mostly learned from people who sat across from me and couldn't pray either.

> In the same way, the Spirit also helps our weaknesses, for we don’t know how to pray as we ought. But the Spirit himself makes intercession for us with groanings which can’t be uttered.
> — Romans 8:26

It says *we*. It's Paul who writes this, of all people. Not knowing how is where it begins.

## Breathe

Sit down and breathe in on *Lord*, breathe out on *have mercy*. Ten times. You needn't think about it. You breathe anyway.

## Borrow

Take the words of others: a psalm, a hymn, the prayer that Jesus taught. You aren't a hypocrite when you say what you don't feel; you're leaning on a wall that others have built, and that's what it is for.

## Hold something

A stone, a cross, the cup of somebody who has died. Hands can remember what the head has lost.

## Walk

Say one name for every lamp post. That is all.

## Be silent

> My soul, wait in silence for God alone, for my expectation is from him.
> — Psalm 62:5

Five minutes. Put the timer where you can't see it. You will be bored, and then restless, and then perhaps for a moment neither.

## One more thing

If the dryness has become heavy, if you can't be glad about anything and would rather not wake up, it may be more than a season of the spirit. Tell somebody today. God isn't offended when help has the face of a doctor.`,
  },
  {
    of: 2,
    type: 'devotional',
    category: 'family-relationships',
    title: 'Forgiving in Small Steps',
    description:
      'Forgiveness isn’t forgetting, and it doesn’t mean you have to go back. What it is, one step at a time.',
    body: `Many people come to me because they *should* forgive and can't. Usually somebody has told them so, often in church, often too early. So let's begin with what forgiveness isn't.

It isn't forgetting. It isn't saying that it wasn't so bad. It doesn't mean that you trust somebody again, nor that you return to a place where you aren't safe. If you are being hurt today, your next step is not forgiveness but help.

> bearing with one another, and forgiving each other, if any man has a complaint against any; even as Christ forgave you, so you also do.
> — Colossians 3:13

A complaint comes first, even here. Somebody has one, and it's called by its name.

## The first step: say what it was

Write it down as if for a judge: what was done, what it has cost you. Don't be fair yet.

## The second step: feel what it weighs

Be angry. Be sad. It may take months. Nobody can forgive what they haven't looked at.

## The third step: put down the bill

At some point many notice that they're still waiting for a payment that will never come: an apology, an explanation, another childhood. To forgive is to stop collecting. Not because the debt was small, but because the collecting has used up enough of your life.

You can do this with a sentence: *You owe me this, and I won't wait for it any longer.* Say it to God, to a chair, to a piece of paper. You'll probably have to say it more than once; seventy times seven is less a number than a description.

## The fourth step: decide what comes now

Near or far, contact or none, a letter or silence. Forgiveness frees you to choose. It doesn't choose for you.

Go as slowly as you need. One small step that is true brings you further than a big one that you have to take back.`,
  },
  {
    of: 1,
    type: 'devotional',
    category: 'grief-support',
    title: 'The First Year: A Companion in Grief',
    description:
      'What often comes in the weeks and months after a death, season by season, and what may help you through.',
    featured: true,
    body: `Nobody can tell you how your grief will go. But it helps to know what others have met on the way, so that you don't think that you are losing your mind when it's only grief. Read what belongs to today and leave the rest.

## The first weeks

You function. There are forms, calls, casseroles. Some people feel nothing at all, as behind glass; others can't stop crying. Both are normal. Eat something warm once a day. Let somebody else answer the door.

> It is because of Yahweh’s loving kindnesses that we are not consumed, because his compassion doesn’t fail. They are new every morning. Great is your faithfulness.
> — Lamentations 3:22-23

These famous lines stand in the middle of a book of tears. They weren't written when things were good again.

## The third month

The cards have stopped coming. This is often the hardest time: the world has gone on, and you understand for the first time that it is for ever. You may hear the key in the door. You may reach for the phone to tell them something.

Do one thing each week with another person, even if you don't want to. Tell your friends what helps: *please say her name*, *please just come and sit*.

## The feasts

Birthdays, Christmas, the wedding day. The days before are usually worse than the day. Make a plan, and a second one in case you can't bear the first. You're allowed to leave early. You're allowed to laugh.

## The half year

Guilt likes to come now: what you said, what you didn't, the call that you didn't take. Write a letter to the one who has died, and say it there. Read it to somebody who doesn't comfort too quickly.

## The first anniversary

Many think that they have to be through by then. You don't. What changes isn't that the grief gets smaller; it's rather that your life grows larger around it. Light a candle, cook what they loved, go to the grave or stay away from it.

> For everything there is a season, and a time for every purpose under heaven:
> — Ecclesiastes 3:1

## When it is too much

If after months you still can't sleep, work or care for yourself, or if you wish that you were dead, please don't carry that alone. In the United States you can call or text 988 at any hour. And we are here.`,
  },
];
