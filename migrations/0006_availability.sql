-- Wall-clock times in the provider's zone; weekday is ISO (1 Monday … 7 Sunday); '24:00' ends a day.
create table weekly_hours (
  provider_id uuid not null references providers on delete cascade,
  weekday smallint not null check (weekday between 1 and 7),
  from_time text not null check (from_time ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  to_time text not null check (to_time ~ '^(([01]\d|2[0-3]):[0-5]\d|24:00)$'),
  check (from_time < to_time),
  primary key (provider_id, weekday, from_time)
);

-- A date with an exception follows it alone; without windows the provider is off that day.
create table date_exceptions (
  provider_id uuid not null references providers on delete cascade,
  date date not null,
  windows jsonb not null default '[]',
  primary key (provider_id, date)
);
