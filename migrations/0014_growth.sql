-- A person's goals. Their words are sealed, as everything is that only its author reads.
create table goals (
  id uuid primary key,
  person_id uuid not null references users on delete cascade,
  title text not null,
  why text,
  due_on date,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  achieved_at timestamptz,
  -- Removed, and deleted for good a day later; until then it can be brought back.
  archived_at timestamptz
);
create index goals_person on goals (person_id, created_at desc, id desc);
create index goals_archived on goals (archived_at) where archived_at is not null;

create table goal_steps (
  id uuid primary key,
  goal_id uuid not null references goals on delete cascade,
  person_id uuid not null references users on delete cascade,
  position smallint not null check (position >= 0),
  text text not null,
  due_on date,
  done_at timestamptz
);
create index goal_steps_goal on goal_steps (goal_id, position);
create index goal_steps_person on goal_steps (person_id, done_at) where done_at is not null;

-- Only its author ever reads it: no query of the product asks for another's.
create table journal_entries (
  id uuid primary key,
  person_id uuid not null references users on delete cascade,
  title text,
  text text not null,
  mood smallint check (mood between 1 and 5),
  -- The day that it is about, in the person's own zone.
  entry_date date not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index journal_entries_person on journal_entries (person_id, entry_date desc, id desc);

create table prayer_requests (
  id uuid primary key,
  client_id uuid not null references users on delete cascade,
  text text not null,
  audience text not null check (audience in ('counsellor', 'pastors')),
  provider_id uuid references providers,
  -- Whether who is asked reads the client's name.
  show_name boolean not null,
  state text not null check (state in ('open', 'answered', 'closed')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (case when audience = 'pastors' then provider_id is null else provider_id is not null or state = 'closed' end)
);
create index prayer_requests_client on prayer_requests (client_id, created_at desc, id desc);
create index prayer_requests_provider on prayer_requests (provider_id, state, created_at desc, id desc)
  where provider_id is not null;
create index prayer_requests_pastors on prayer_requests (state, created_at desc, id desc) where audience = 'pastors';

-- That somebody prayed, with a note if they left one.
create table prayer_answers (
  id uuid primary key,
  request_id uuid not null references prayer_requests on delete cascade,
  person_id uuid not null references users on delete cascade,
  note text,
  prayed_at timestamptz not null,
  unique (request_id, person_id)
);
create index prayer_answers_person on prayer_answers (person_id, prayed_at);
