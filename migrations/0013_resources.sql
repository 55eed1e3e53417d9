-- The library: what is read in the app (body), stored (file_id, of the bucket resources), or stands elsewhere (url).
create table resources (
  id uuid primary key,
  title text not null check (char_length(title) between 1 and 200),
  author text not null check (char_length(author) between 1 and 200),
  type text not null check (type in ('book', 'video', 'audio', 'devotional')),
  category text not null check (category in
    ('individual-healing', 'family-relationships', 'youth-teen-support', 'grief-support', 'spiritual-struggles')),
  description text not null check (char_length(description) <= 1000),
  duration_minutes integer check (duration_minutes between 1 and 1440),
  form text not null check (form in ('article', 'file', 'link')),
  body text not null default '' check (char_length(body) <= 20000),
  url text check (url like 'https://%'),
  file_id uuid references files,
  file_name text,
  file_type text,
  file_size bigint,
  -- An uploaded picture; without one the cover is drawn.
  cover_id uuid references files on delete set null,
  status text not null default 'draft' check (status in ('draft', 'submitted', 'published', 'rejected')),
  reject_reason text check (char_length(reject_reason) <= 500),
  featured boolean not null default false,
  -- Rises with every change of what is shown: what was read is what is approved.
  version integer not null default 1,
  -- Null: the site's own, or of somebody whose account is gone.
  created_by uuid references users on delete set null,
  rating_sum integer not null default 0,
  rating_count integer not null default 0,
  download_count integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  submitted_at timestamptz,
  published_at timestamptz,
  search tsvector not null generated always as (
    setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', author), 'B')
    || setweight(to_tsvector('english', description), 'C') || setweight(to_tsvector('english', body), 'D')) stored,
  check (status <> 'published' or published_at is not null),
  check ((file_id is null) = (file_name is null) and (file_id is null) = (file_type is null)
    and (file_id is null) = (file_size is null))
);
create index resources_search on resources using gin (search);
create index resources_published on resources (published_at desc, id desc) where status = 'published';
create index resources_published_category on resources (category, published_at desc, id desc) where status = 'published';
create index resources_featured on resources (published_at desc, id desc) where status = 'published' and featured;
create index resources_title on resources (title) where status = 'published';
create index resources_waiting on resources (submitted_at, id) where status = 'submitted';
create index resources_file on resources (file_id) where file_id is not null;
create index resources_cover on resources (cover_id) where cover_id is not null;
create index resources_author on resources (created_by, updated_at desc, id desc);

-- The words of what is published, and in how many works each stands. A word that was mistyped is found by what is left of both when up to two of their
-- letters are taken out, which needs no comparison with every word.
create table resource_words (
  word text primary key,
  traces text[] not null,
  uses integer not null check (uses > 0)
) with (fillfactor = 80);
create index resource_words_traces on resource_words using gin (traces);

create table resource_gets (
  person_id uuid not null references users on delete cascade,
  resource_id uuid not null references resources on delete cascade,
  first_at timestamptz not null,
  last_at timestamptz not null,
  times integer not null default 1,
  primary key (person_id, resource_id)
);
create index resource_gets_latest on resource_gets (person_id, last_at desc, resource_id desc);
create index resource_gets_resource on resource_gets (resource_id);

create table resource_favourites (
  person_id uuid not null references users on delete cascade,
  resource_id uuid not null references resources on delete cascade,
  created_at timestamptz not null,
  primary key (person_id, resource_id)
);
create index resource_favourites_latest on resource_favourites (person_id, created_at desc, resource_id desc);
create index resource_favourites_resource on resource_favourites (resource_id);

create table resource_ratings (
  person_id uuid not null references users on delete cascade,
  resource_id uuid not null references resources on delete cascade,
  rating integer not null check (rating between 1 and 5),
  rated_at timestamptz not null,
  primary key (person_id, resource_id)
);
create index resource_ratings_resource on resource_ratings (resource_id);
