-- A client's rating of a completed session, with words or without; public once an administrator has approved it.
create table reviews (
  id uuid primary key,
  -- Null, as the client's: it is older than the appointments that are kept here.
  appointment_id uuid unique references appointments,
  client_id uuid references users,
  provider_id uuid not null references providers,
  service_id text not null references services,
  rating integer not null check (rating between 1 and 5),
  -- Null: a rating without words.
  text text check (char_length(text) between 1 and 2000),
  named text not null check (named in ('initial', 'full', 'anonymous')),
  -- As the client was called when they wrote it; null where they chose not to be named.
  author_name text,
  author_place text not null default '',
  state text not null check (state in ('waiting', 'approved', 'rejected')),
  -- Why it isn't published; the client reads it.
  reason text,
  featured boolean not null default false,
  -- Rises with every change of the words, so that nobody approves what they haven't read.
  revision integer not null default 1,
  written_at timestamptz not null,
  changed_at timestamptz not null,
  decided_at timestamptz,
  check ((named = 'anonymous') = (author_name is null)),
  check ((state = 'rejected') = (reason is not null)),
  check ((state = 'waiting') = (decided_at is null)),
  check (not featured or (state = 'approved' and text is not null))
);
create index reviews_client on reviews (client_id);
-- Whatever its state, for the provider's own export and erasure.
create index reviews_of_provider on reviews (provider_id);
create index reviews_provider on reviews (provider_id, written_at desc, id desc) where state = 'approved';
create index reviews_provider_words on reviews (provider_id, written_at desc, id desc)
  where state = 'approved' and text is not null;
create index reviews_service_words on reviews (service_id, written_at desc, id desc)
  where state = 'approved' and text is not null;
create index reviews_featured on reviews (written_at desc, id desc) where featured;
create index reviews_waiting on reviews (changed_at, id) where state = 'waiting';
create index reviews_decided on reviews (state, decided_at desc, id desc) where state <> 'waiting';

-- What was published before stays published. All of it names its provider, whom nothing could remove until now; words
-- about nobody, which only a hand in the database can have left, have no place among a provider's reviews.
insert into reviews (id, provider_id, service_id, rating, text, named, author_name, author_place, state, featured,
    written_at, changed_at, decided_at)
  select id, provider_id, service_id, rating, text, 'full', author_name, author_location, 'approved',
      featured and text is not null, created_at, created_at, created_at
    from testimonials where provider_id is not null;
drop table testimonials;
