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
      'Three short stops a day, for anyone who has tried to pray for an hour and given up after four minutes.',
    body: `Most people who ask me how to pray have already tried the hard way. They got up an hour earlier, and it lasted until Thursday. What works on ordinary days is smaller, and it's tied to things you already do.

## Morning: one sentence

Before you reach for your phone, put your feet on the floor and say one sentence. It can be the same one every day. *Here I am, and here You are.* You don't have to feel it. Just say it, the way you'd say good morning to someone in the same house.

## Noon: one breath

Pick something that happens every day around noon: the kettle, the stairs, the office door. When it comes, take one slow breath and name one person. That's an intercession. Nobody will notice.

> Always rejoice. Pray without ceasing. In everything give thanks, for this is the will of God in Christ Jesus toward you.
> — 1 Thessalonians 5:16-18

I used to read these words as a demand I could never meet. Today I read them as a thread: thin, not impressive, and never quite broken.

## Evening: three questions

When the light is out, ask yourself:

1. Where was I glad today?
2. Where was I unkind?
3. What can I leave with God until morning?

You may fall asleep during the third one. That isn't failing. It's more or less the point.

## When you miss a day

You will. Start again at the next stop, not next Monday. This isn't a streak you can break. It's more like a dance: you lose the step and find it again while the music is still playing.`,
  },
  {
    of: 2,
    type: 'devotional',
    category: 'family-relationships',
    title: 'Listening Well: An Evening for Two',
    description:
      'A plan for ninety minutes at the kitchen table, for couples who talk a lot and hear little.',
    body: `You need a table, two glasses of something, a kitchen timer, and an evening when neither of you is too tired to be kind. Put the phones in another room. Both of them.

> So, then, my beloved brothers, let every man be swift to hear, slow to speak, and slow to anger;
> — James 1:19

## The first half hour: one speaks

Set the timer for ten minutes. One of you talks about something small that went wrong this week, not the thing that has been going wrong for years. The other listens, and only listens: no *but*, no *you do it too*, no sighing.

When the timer rings, the listener says back what they heard, starting with *You felt…*. Then they ask one question: **Did I get it?** If the answer is *almost*, they try again. Switch places only when the answer is *yes*.

## The second half hour: something good

Now each of you names three things the other did this week, however small, and what they meant to you. The coffee. The call to your mother. The morning you let me sleep in. It's harder than it sounds. Thanks that went unsaid for too long can turn into a grudge.

## The last half hour: one agreement

Agree on one thing you'll both try until next week. Not five. Write it down and put it next to the coffee. Make it so small you can't fail: *we say goodbye at the door*, *we ask before we give advice*.

## If it goes wrong

If voices rise, stop. Say: *I want to hear this, and I can't right now.* Pick another day, and stick to it. An evening you cut short isn't wasted. Couples who can stop are safer than couples who can win.`,
  },
  {
    of: 3,
    type: 'devotional',
    category: 'youth-teen-support',
    title: 'Offline for a Weekend',
    description:
      'Forty-eight hours without a feed: how to survive Friday night, and what tends to turn up on Sunday.',
    body: `Nobody here is going to tell you phones are evil. Yours has your friends in it. It also has a few hundred people who know exactly how to keep you scrolling, and it's worth finding out who you are when they're not in the room.

## Friday evening

Tell two people how to reach you: a landline, your mom's number, the doorbell. Set a status so nobody thinks you're mad at them. Then turn the phone off and give it to someone who won't hand it back just because you ask nicely.

The first evening is the worst. You'll reach for your pocket about eighty times. Count them. It's almost funny.

## Saturday

Make something with your hands that takes longer than an hour: bread, a shelf, a song, a bike that works again. Go outside without headphones. You'll hear your own thoughts, and some of them will be loud. That doesn't mean something is wrong with you. They were there all along, under the noise.

> He said to them, “You come apart into a deserted place, and rest awhile.” For there were many coming and going, and they had no leisure so much as to eat.
> — Mark 6:31

Jesus said that to friends who were doing *good* things. Rest isn't just for people who have failed.

## Sunday

Write down three things you noticed. Someone's face, maybe, or what you actually wanted to eat. Then write down which apps you missed and which ones you forgot about. The list is usually short, and it's yours. No one else can write it for you.

## If a thought got too loud

If the quiet brought up something that scares you, don't stay alone with it. Tell an adult you trust, or call or text 988. That's not weakness. It's the bravest message you can send this weekend.`,
  },
  {
    of: 2,
    type: 'devotional',
    category: 'family-relationships',
    title: 'Fair Words in Hard Conversations',
    description:
      'Sentences that start a conversation instead of ending it, for families who love each other loudly.',
    body: `In my family, nobody ever doubted we loved each other. We just did it at the top of our lungs. What I've learned since, in my practice and at my own table, fits on one page.

> He who answers before he hears, that is folly and shame to him.
> — Proverbs 18:13

## Begin with what you saw

*You never help* is a verdict. *The dishes were still there when I got home* is something two people can look at together. Describe it the way a camera would have caught it.

## Say what it did to you

*I felt alone with it.* Not *I felt like you were being lazy*. That's the same verdict, dressed up as a feeling.

## Ask for one thing, now

One request someone can meet by tomorrow night is worth ten that would take a new personality. *Could you do them before I get home on Tuesdays?*

## Three sentences for the heat

- **I want to understand this. Say it one more time.** It slows everyone down, including you.
- **You're right about that part.** There's almost always a part.
- **I need ten minutes, and I'll come back.** Then come back. Coming back is what makes it fair.

## Afterwards

A hard conversation needs an ending everyone can see. Wash a cup together. Put a hand on a shoulder. Children, especially, watch the ending more than the words. If they see you laugh about something small an hour later, they learn that a fight isn't the end of the world, and that love is bigger than the shouting.`,
  },
  {
    of: 0,
    type: 'devotional',
    category: 'individual-healing',
    title: 'When Worry Will Not Leave',
    description:
      'What to do at three in the morning, when the same thought keeps coming back and faith doesn’t seem to help.',
    featured: true,
    body: `It's three in the morning and you're awake. The thought was up before you were, and it brought its relatives. You've prayed about it, and it's still here. Maybe you also think someone with more faith would be asleep.

Let me start with that last one, because it's the heaviest and the least true. Worry is not a verdict on your faith. It's an alarm, and some alarms are set too sensitive. You can believe in God with your whole heart and still have a nervous system that goes off at every breeze.

> In nothing be anxious, but in everything, by prayer and petition with thanksgiving, let your requests be made known to God. And the peace of God, which surpasses all understanding, will guard your hearts and your thoughts in Christ Jesus.
> — Philippians 4:6-7

These verses are often quoted as an order. Look at what's in the middle: let your requests be *made known*. Not solved, not silenced. Made known.

## Tonight: four steps

1. **Sit up.** A thought has the upper hand when you're lying down. Turn on a light, a small one.
2. **Breathe out longer than in.** Count four in and six out, ten times. A long breath out tells your body nothing is chasing you.
3. **Write it down.** One sentence per worry, no explaining. Next to each, write *mine today*, *mine later* or *not mine*.
4. **Make it known.** Read the list out loud to God, just as it is. Then close the notebook and put it in another room.

## In the daytime: a place for it

Give your worry an appointment: fifteen minutes, same time every day, same chair, not in bed. When it shows up at any other time, say: *I'll see you at five.* It sounds silly, and it works surprisingly often. A thought with a place to go doesn't have to shout.

## What doesn't help

- Arguing with it. A worry always has one more *what if* than you have answers.
- Searching the internet at night.
- Promising God you'll stop. It only gives you one more thing to be afraid of.

## When it is more than worry

If you've slept badly for weeks, if your heart races for no reason, if you avoid more and more, trying harder isn't the answer. This has a name, and good treatment. Talk with a doctor or one of our specialists. Asking for help is one way requests are made known.

> casting all your worries on him, because he cares for you.
> — 1 Peter 5:7

Casting is something you do over and over. Fishermen know that. So do people who pray at three in the morning.`,
  },
  {
    of: 1,
    type: 'devotional',
    category: 'grief-support',
    title: 'Psalms of Lament, Read Slowly',
    description:
      'Three evenings with psalms that complain to God, for people who have lost someone and can’t sing yet.',
    body: `More than a third of the psalms are laments. They didn't get in by accident. They're the heart of the book, and people who weren't fine sang them in the temple. If you can't say thank you right now, you're in very old company.

## The first evening: how long?

> How long, Yahweh? Will you forget me forever? How long will you hide your face from me?
> — Psalm 13:1

Read it out loud, slowly, twice. Notice that nobody corrects the speaker. Then write down your own *how long*. One line is enough. You don't need to soften it.

## The second evening: day and night

> Yahweh, the God of my salvation, I have cried day and night before you. Let my prayer enter into your presence. Turn your ear to my cry.
> — Psalm 88:1-2

This is the only psalm that ends in the dark. It never turns, never says *but I will trust*. I'm grateful someone left it in. It means a prayer can stop in the middle and still be a prayer.

Tonight, light a candle and say the name of the person you miss. Say something about them that nobody else would know.

## The third evening: your tears

> You count my wanderings. You put my tears into your container. Aren’t they in your book?
> — Psalm 56:8

Someone is counting them. Not one of your tears was wasted or overlooked.

Sit quietly until the candle has burned down a finger's width. If words come, say them. If they don't, you have still prayed.

## Afterwards

Read these three again in a month. They won't have changed, and you will have. That's how you can tell something has moved.`,
  },
  {
    of: 3,
    type: 'devotional',
    category: 'youth-teen-support',
    title: 'Questions God Can Take',
    description:
      'Why do bad things happen, is anyone there, and am I allowed to ask? A pastor’s honest answers, with gaps.',
    featured: true,
    body: `I keep a shoebox in my office. Anyone can drop in a question, no name needed. These three come up every month, so here's what I say, and where I stop.

## “Am I even allowed to ask this?”

Yes. The Bible is full of people asking things that would get you stared at on a Sunday.

> Yahweh, how long will I cry, and you will not hear? I cry out to you “Violence!” and will you not save?
> — Habakkuk 1:2

That's a prophet. He's angry, and it's in print. God didn't tell him to watch his tone.

## “Why does God let it happen?”

I don't know. There are books that explain it, and I've read some. None of them would have helped me at my cousin's bedside. What I can tell you is where God was in the story I trust most: not above the suffering with an explanation, but inside it, with nail marks.

Here's what I don't believe: that it was a lesson, a punishment, or part of a plan you'd understand if you were better. If someone tells you that, you can change the subject.

## “What if I don't feel anything?”

Feelings are weather. I've been a pastor for nine years, and some weeks it just drizzles. What I do then is small. I keep showing up. I sit with people. I read one page. Usually the sky clears at some point, when I'm looking somewhere else.

> Immediately the father of the child cried out with tears, “I believe. Help my unbelief!”
> — Mark 9:24

Both in one sentence. And it was enough.

## Your turn

Write your own question on a piece of paper, the real one. Then choose: keep it, burn it, or bring it to someone who won't be shocked. We're here for the third.`,
  },
  {
    of: 1,
    type: 'devotional',
    category: 'family-relationships',
    title: 'Blessing Your Children',
    description:
      'Ten seconds at the bedside: an old custom even teenagers put up with, and why it outlasts most sermons.',
    body: `My grandmother drew a small cross on our foreheads before we went to sleep. She never explained it, and she did it even on days when she was angry with us, and there were plenty of those. I've forgotten most of what I was taught at that age. I haven't forgotten her thumb.

> ‘Yahweh bless you, and keep you. Yahweh make his face to shine on you, and be gracious to you. Yahweh lift up his face toward you, and give you peace.’
> — Numbers 6:24-26

## How to begin

With small children it's easy. When the light is out, lay a hand on their head and say these words, or shorter ones. *God bless you and keep you. I'm glad you're mine.*

With older ones, ask first. *May I?* Some will roll their eyes and bow their head at the same time. A hand on the shoulder at the door works too.

## Why it works

A blessing asks for nothing. It isn't praise for something they did or a reminder of something they didn't. It tells them someone looked at them kindly today, just because they're here. Children hear a lot about what they should become. Here they hear what they are.

## On bad days

Those are the days it matters most. You don't have to settle the argument first. You can say so: *We're not done with this, and I bless you anyway.* They'll remember the second half.`,
  },
  {
    of: 0,
    type: 'devotional',
    category: 'grief-support',
    title: 'Helping Children Say Goodbye',
    description:
      'What children understand about death at different ages, what to say, and what’s better left unsaid.',
    body: `Parents often ask me whether they should keep a death from their children for a while. I understand why. But children notice that something has happened, and what they imagine alone is usually worse than what we'd tell them.

## Use the real word

Say *died*. Not *fell asleep*, which makes bedtime scary. Not *went away*, which makes children wait. Not *we lost him*, because lost things can be found. A simple sentence is enough: *Grandpa's heart stopped working, and the doctors couldn't help it anymore. He died. I am very sad.*

## What they understand

- **Up to about five**, death isn't forever. Tomorrow they'll ask again when Grandpa is coming. Answer again, calmly, with the same words.
- **From six to nine**, they want to know how things work, including things that make adults gulp. Answer what they ask, no more.
- **From ten on**, they understand what you do, and often hide it to protect you. Show them you can cry and cook dinner on the same day.

## Grief in puddles

Adults wade through grief like a river. Children jump in and out of it like puddles: five minutes of bitter tears, then *can I go play?* That isn't coldness. It's how a small heart carries something big.

## Let them take part

Ask if they'd like to come to the funeral, tell them exactly what will happen, and let them choose a job: a drawing for the casket, a flower, a song. Ask someone to sit with them who can step out if it gets to be too much.

> Jesus wept.
> — John 11:35

The shortest verse is a good one for children. Jesus knew how the story would end, and he cried anyway.

## When to ask for help

If after a few weeks a child isn't sleeping, doesn't want to leave the house, or talks about wanting to die too, please don't wait. Talk to a specialist, and in danger call 988 or 911.`,
  },
  {
    of: 1,
    type: 'devotional',
    category: 'spiritual-struggles',
    title: 'Praying When Words Are Missing',
    description:
      'For dry seasons: five ways to pray when you can’t find the words, from breathing to borrowing someone else’s.',
    featured: true,
    body: `Sometimes praying feels like talking into a phone with nobody on the other end. I've had years like that. Most of what I know about them I learned from people who sat across from me and couldn't pray either.

> In the same way, the Spirit also helps our weaknesses, for we don’t know how to pray as we ought. But the Spirit himself makes intercession for us with groanings which can’t be uttered.
> — Romans 8:26

It says *we*. And this is Paul writing, of all people. Not knowing how is where it starts.

## Breathe

Sit down. Breathe in on *Lord* and out on *have mercy*. Ten times. You don't have to think about it. You're breathing anyway.

## Borrow

Use other people's words: a psalm, a hymn, the prayer Jesus taught. You aren't a hypocrite for saying what you don't feel. You're leaning on a wall other people built, and that's what it's for.

## Hold something

A stone, a cross, a cup that belonged to someone who died. Hands can remember what the head has lost.

## Walk

Say one name for every lamppost. That's all.

## Be silent

> My soul, wait in silence for God alone, for my expectation is from him.
> — Psalm 62:5

Five minutes. Put the timer where you can't see it. You'll be bored, then restless, and then, maybe for a moment, neither.

## One more thing

If the dryness has become heavy, if nothing makes you glad and you'd rather not wake up, it may be more than a spiritual season. Tell someone today. God isn't offended when help has a doctor's face.`,
  },
  {
    of: 2,
    type: 'devotional',
    category: 'family-relationships',
    title: 'Forgiving in Small Steps',
    description:
      'Forgiveness isn’t forgetting, and it doesn’t mean you have to go back. What it is, one step at a time.',
    body: `Many people come to me because they *should* forgive and can't. Usually someone told them so, often in church, often too soon. So let's start with what forgiveness isn't.

It isn't forgetting. It isn't saying it wasn't so bad. It doesn't mean you trust someone again, or go back to a place where you aren't safe. If someone is hurting you today, your next step isn't forgiveness. It's help.

> bearing with one another, and forgiving each other, if any man has a complaint against any; even as Christ forgave you, so you also do.
> — Colossians 3:13

Even here, a complaint comes first. Someone has one, and it gets called what it is.

## The first step: say what it was

Write it down as if for a judge: what was done, and what it cost you. Don't be fair yet.

## The second step: feel what it weighs

Be angry. Be sad. It may take months. Nobody can forgive what they haven't looked at.

## The third step: put down the bill

At some point, many people notice they're still waiting for a payment that will never come: an apology, an explanation, a different childhood. To forgive is to stop collecting. Not because the debt was small, but because collecting has already taken enough of your life.

One sentence can do it: *You owe me this, and I'm done waiting for it.* Say it to God, to a chair, to a piece of paper. You'll probably have to say it more than once. Seventy times seven is less a number than a description.

## The fourth step: decide what comes now

Near or far, in touch or not, a letter or silence. Forgiveness frees you to choose. It doesn't choose for you.

Go as slowly as you need to. One small, true step takes you further than a big one you have to take back.`,
  },
  {
    of: 1,
    type: 'devotional',
    category: 'grief-support',
    title: 'The First Year: A Companion in Grief',
    description:
      'What often comes in the weeks and months after a death, season by season, and what may help you through.',
    featured: true,
    body: `Nobody can tell you how your grief will go. But it helps to know what others have been through, so you don't think you're losing your mind when it's only grief. Read what fits today and leave the rest.

## The first weeks

You get through the day. There are forms, calls, casseroles. Some people feel nothing at all, as if they were behind glass. Others can't stop crying. Both are normal. Eat something warm once a day. Let someone else answer the door.

> It is because of Yahweh’s loving kindnesses that we are not consumed, because his compassion doesn’t fail. They are new every morning. Great is your faithfulness.
> — Lamentations 3:22-23

These famous lines come in the middle of a book of tears. Nothing was good again yet when they were written.

## The third month

The cards have stopped coming. This is often the hardest time. The world has moved on, and it hits you for the first time that this is forever. You may hear the key in the door. You may reach for the phone to tell them something.

Do one thing each week with another person, even if you don't feel like it. Tell your friends what helps: *please say her name*, *please just come and sit*.

## The holidays

Birthdays, Christmas, the wedding anniversary. The days before are usually worse than the day itself. Make a plan, and a backup in case you can't face the first one. You're allowed to leave early. You're allowed to laugh.

## Six months

Guilt often comes now: what you said, what you didn't, the call you didn't take. Write a letter to the person who died and say it there. Read it to someone who won't rush to comfort you.

## The first anniversary

Many people think they should be over it by now. You don't have to be. Grief doesn't shrink so much as your life grows around it. Light a candle, cook what they loved, visit the grave or stay home.

> For everything there is a season, and a time for every purpose under heaven:
> — Ecclesiastes 3:1

## When it is too much

If after months you still can't sleep, work or care for yourself, or if you wish you were dead, please don't carry that alone. In the United States you can call or text 988 at any hour. And we are here.`,
  },
];
