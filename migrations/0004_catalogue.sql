create table services (
  id text primary key check (id ~ '^[a-z0-9][a-z0-9-]{0,59}$'),
  position integer not null,
  title text not null,
  category text not null check (category in
    ('Individual Healing', 'Strengthening Bonds', 'Community Support', 'Spiritual Guidance', 'Crisis Intervention')),
  description text not null,
  based_on text not null,
  support_offered text not null,
  issues_addressed text[] not null,
  -- [{ "verse": "Psalm 34:18", "quote": "…" }], World English Bible.
  spiritual_themes jsonb not null,
  related_resources text[] not null default '{}',
  duration_minutes integer not null check (duration_minutes between 15 and 240),
  price_cents integer not null check (price_cents >= 0),
  active boolean not null default true,
  created_at timestamptz not null default now()
);

create table testimonials (
  id uuid primary key,
  service_id text not null references services,
  provider_id uuid,
  author_name text not null,
  author_location text not null,
  rating integer not null check (rating between 1 and 5),
  -- Null: a rating without words.
  text text check (char_length(text) between 1 and 2000),
  featured boolean not null default false,
  created_at timestamptz not null
);
create index testimonials_provider on testimonials (provider_id);
create index testimonials_service on testimonials (service_id, created_at desc);

-- Base data: the six services that every installation begins with (client spec, section 3). The quotes are taken from
-- the World English Bible by scripts/verses.ts.
insert into services (id, position, title, category, description, based_on, support_offered, issues_addressed,
    spiritual_themes, related_resources, duration_minutes, price_cents) values
  ('individuals', 1, 'Individual Healing', 'Individual Healing',
    'One-to-one care for anxiety, low mood, stress and the questions that come with them. You bring what weighs on you; a Christian doctor or pastor listens, and together you find steps that fit your life and your faith.',
    'Psalms, Isaiah, Matthew',
    'Private sessions with one specialist who stays with you. Proven methods from counselling and psychology, and, as far as you wish, prayer and Scripture. You set the pace, and what you say is kept in confidence.',
    array[
      'Anxiety and worry',
      'Depression and low mood',
      'Stress and burnout',
      'Self-worth and identity',
      'Healing from past hurts',
      'Anger and difficult emotions',
      'Life changes and big decisions'],
    '[
      { "verse": "Psalm 34:18", "quote": "Yahweh is near to those who have a broken heart, and saves those who have a crushed spirit." },
      { "verse": "Isaiah 41:10", "quote": "Don’t you be afraid, for I am with you. Don’t be dismayed, for I am your God. I will strengthen you. Yes, I will help you. Yes, I will uphold you with the right hand of my righteousness." }]',
    array[
      'Quiet Before God: Seven Evenings of Rest',
      'When Worry Will Not Leave',
      'Breathing and Prayer: A Short Practice',
      'Writing Through the Psalms'],
    60, 12000),
  ('couples', 2, 'Strengthening Bonds', 'Strengthening Bonds',
    'For couples who are preparing for marriage, growing apart, or finding each other again. A calm hour and a half in which both of you are heard, and love gets something to work with.',
    'Colossians, Ecclesiastes, Ephesians, Song of Solomon',
    'Sessions for the two of you, and single ones where they help. You practise listening, speaking fairly and forgiving, and take home one small thing to try before you meet again.',
    array[
      'Communication that ends in arguments',
      'Trust after it was broken',
      'Preparing for marriage',
      'Growing distance and loneliness',
      'Money, work and shared decisions',
      'Differences in faith'],
    '[
      { "verse": "Colossians 3:14", "quote": "Above all these things, walk in love, which is the bond of perfection." },
      { "verse": "Ecclesiastes 4:9-10", "quote": "Two are better than one, because they have a good reward for their labor. For if they fall, the one will lift up his fellow; but woe to him who is alone when he falls, and doesn’t have another to lift him up." }]',
    array[
      'Ten Questions Before You Marry',
      'Listening Well: An Evening for Two',
      'Forgiving in Small Steps',
      'Praying Together Without Awkwardness'],
    90, 18000),
  ('families', 3, 'Uniting Families in Faith', 'Strengthening Bonds',
    'When home has become loud, silent or far away, we sit down with the whole family. Parents, children and grandparents each get a voice, and the family finds its way back to one table.',
    'Psalms, Ephesians, Proverbs, Joshua',
    'Sessions with everyone who belongs, in turns or together, by video or in person. Clear agreements, fair rules for hard conversations, and family habits of rest, thanks and prayer.',
    array[
      'Conflict between parents and children',
      'Blended families and new beginnings',
      'Separation and shared parenting',
      'Caring for ageing parents',
      'Faith across the generations',
      'Rules, screens and everyday quarrels'],
    '[
      { "verse": "Psalm 133:1", "quote": "See how good and how pleasant it is for brothers to live together in unity!" },
      { "verse": "Ephesians 4:32", "quote": "And be kind to one another, tender hearted, forgiving each other, just as God also in Christ forgave you." }]',
    array[
      'One Table: Family Evenings for a Month',
      'Fair Words in Hard Conversations',
      'Blessing Your Children',
      'A Sabbath Rest for Busy Homes'],
    75, 15000),
  ('teens', 4, 'Youth Guidance', 'Community Support',
    'A safe place for young people to say what they cannot say at home or at school. Our specialists take teens seriously, speak plainly, and help them find courage, good friends and a faith of their own.',
    '1 Timothy, Jeremiah, Ecclesiastes, Proverbs',
    'Sessions for teens by themselves, with parents joining when it helps. Honest answers, practical tools for school, friends and the phone, and someone who keeps cheering them on.',
    array[
      'Anxiety and pressure at school',
      'Bullying and loneliness',
      'Identity and self-worth',
      'Screens and social media',
      'Doubts and questions about faith',
      'Conflict at home',
      'Hopes and plans for the future'],
    '[
      { "verse": "1 Timothy 4:12", "quote": "Let no man despise your youth; but be an example to those who believe, in word, in your way of life, in love, in spirit, in faith, and in purity." },
      { "verse": "Jeremiah 29:11", "quote": "For I know the thoughts that I think toward you, says Yahweh, thoughts of peace, and not of evil, to give you hope and a future." }]',
    array[
      'Brave Enough: A Journal for Teens',
      'Questions God Can Take',
      'Offline for a Weekend',
      'For Parents: How to Listen to a Teenager'],
    60, 8000),
  ('grief', 5, 'Comfort & Healing', 'Crisis Intervention',
    'For anyone who has lost a person, a child not yet born, a marriage, a home or a hope. Grief is not hurried here. We stay beside you while it hurts, and while life slowly grows around it.',
    'Matthew, Psalms, John, Revelation',
    'Unhurried sessions with a specialist who knows grief. Room for tears, anger and silence, help with anniversaries and everyday life, and words of comfort when you have none of your own.',
    array[
      'Loss of a loved one',
      'Miscarriage and the loss of a child',
      'Divorce and broken relationships',
      'Serious illness and its losses',
      'Guilt and unanswered questions',
      'Holidays and anniversaries'],
    '[
      { "verse": "Matthew 5:4", "quote": "Blessed are those who mourn, for they shall be comforted." },
      { "verse": "Psalm 147:3", "quote": "He heals the broken in heart, and binds up their wounds." }]',
    array[
      'The First Year: A Companion in Grief',
      'Psalms of Lament, Read Slowly',
      'Helping Children Say Goodbye',
      'A Candle and a Prayer for Hard Days'],
    90, 8000),
  ('spiritual', 6, 'Faith Strengthening', 'Spiritual Guidance',
    'For seasons when God seems near, and for those when He seems silent. A pastor or counsellor walks with you through doubt, dryness, calling and prayer, without hurry and without judgement.',
    'Proverbs, Psalms, Hebrews, James',
    'Guided conversation, prayer and reading together. Honest room for doubt, help with discernment and decisions, and a simple rhythm of prayer that holds on ordinary days.',
    array[
      'Doubt and spiritual dryness',
      'Learning to pray',
      'Discerning a calling',
      'Guilt, shame and forgiveness',
      'Wounds from church life',
      'Returning to faith'],
    '[
      { "verse": "Proverbs 3:5-6", "quote": "Trust in Yahweh with all your heart, and don’t lean on your own understanding. In all your ways acknowledge him, and he will make your paths straight." },
      { "verse": "Psalm 42:11", "quote": "Why are you in despair, my soul? Why are you disturbed within me? Hope in God! For I shall still praise him, the saving help of my countenance, and my God." }]',
    array[
      'Praying When Words Are Missing',
      'A Rhythm of Prayer for Ordinary Days',
      'Doubt as a Companion',
      'Forty Days in the Gospel of Mark'],
    60, 6000);
