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
