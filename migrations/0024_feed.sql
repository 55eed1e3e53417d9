-- A person's private calendar address. The token in it is nowhere: whoever reads the table can't read the calendar.
create table calendar_feeds (
  person_id uuid primary key references users on delete cascade,
  -- SHA-256 of the token, in hexadecimal digits.
  token_hash text not null unique,
  made_at timestamptz not null,
  -- When a program last fetched it, to the minute.
  read_at timestamptz
);

-- What a provider answers to a review; shown under it once an administrator has approved it.
create table review_replies (
  review_id uuid primary key references reviews on delete cascade,
  provider_id uuid not null references providers on delete cascade,
  -- The words as the provider last wrote them, and what became of them.
  text text not null check (length(text) between 1 and 1000),
  state text not null check (state in ('waiting', 'approved', 'rejected')),
  reason text check (length(reason) between 1 and 500),
  -- Rises with every change of the words.
  revision integer not null default 1 check (revision >= 1),
  -- The words that are public: those that were approved last, also while others wait.
  shown_text text check (length(shown_text) between 1 and 1000),
  written_at timestamptz not null,
  changed_at timestamptz not null,
  decided_at timestamptz,
  check ((state = 'waiting') = (decided_at is null)),
  check ((state = 'rejected') = (reason is not null)),
  check (state <> 'approved' or shown_text = text)
);
create index review_replies_provider on review_replies (provider_id);
create index review_replies_waiting on review_replies (changed_at, review_id) where state = 'waiting';
create index review_replies_decided on review_replies (state, decided_at desc, review_id desc) where state <> 'waiting';
