-- A specialist's own terms within the site's, where null is the site's, and when they rest.
alter table providers
  -- Minutes; null: every length that the services have.
  add session_lengths integer[] check (session_lengths <> '{}' and 15 <= all (session_lengths) and 240 >= all (session_lengths)),
  add buffer_minutes integer check (buffer_minutes between 0 and 120),
  add notice_hours integer check (notice_hours between 0 and 720),
  add daily_maximum integer check (daily_maximum between 1 and 100),
  add rest_kind text not null default 'none' check (rest_kind in ('none', 'sunday', 'sabbath')),
  -- Where the sun is watched; without a zone of its own it has the specialist's.
  add rest_place text,
  add rest_latitude double precision check (rest_latitude between -90 and 90),
  add rest_longitude double precision check (rest_longitude between -180 and 180),
  add rest_time_zone text,
  -- Rises with each save of week, terms and rest.
  add availability_version integer not null default 1,
  add check ((rest_latitude is null) = (rest_place is null) and (rest_longitude is null) = (rest_place is null)),
  add check (rest_kind <> 'sabbath' or rest_place is not null);

-- Sessions in person are held at the place of their hours, if it isn't closed; dates' windows name theirs in the JSON.
alter table weekly_hours add place_id uuid references places on delete set null;
create index weekly_hours_place on weekly_hours (place_id) where place_id is not null;

alter table appointments add place_id uuid references places on delete set null;
create index appointments_place on appointments (place_id) where place_id is not null;

alter table date_exceptions
  add note text not null default '',
  -- The name of the holiday that the date was taken off for; null: the specialist said so themselves.
  add holiday text,
  -- Null: the weekly hours as ever, which keeps the holiday away.
  alter windows drop not null,
  add check (windows is not null or holiday is not null);

-- The holidays that a specialist keeps, by name; their dates stand among the exceptions, up to a date.
create table kept_holidays (
  provider_id uuid primary key references providers on delete cascade,
  region text not null,
  names text[] not null,
  filled_until date not null
);
create index kept_holidays_filled on kept_holidays (filled_until);

-- One-off spans in which nothing can be booked.
create table time_blocks (
  id uuid primary key,
  provider_id uuid not null references providers on delete cascade,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  note text not null default '',
  created_at timestamptz not null,
  check (starts_at < ends_at),
  unique (provider_id, starts_at, ends_at)
);

-- The cities of the world by which a place on earth is found; written by scripts/cities.ts.
create table cities (
  name text not null,
  region text not null,
  country text not null,
  search text not null,
  latitude double precision not null,
  longitude double precision not null,
  time_zone text not null,
  population integer not null,
  primary key (name, region, country)
);
create index cities_search on cities (search text_pattern_ops);
\load data/cities.tsv into cities sha256 d61150b854b42de56f6cdc68e051d252ecc1f7d496ee2cd3dc479a77e6df2889
