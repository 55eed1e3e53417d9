-- What a specialist's page, the filters and the match need to know beside the listing itself.
alter table providers
  -- Their page's address: /therapists/{slug}.
  add slug text check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80),
  -- The Christian traditions in which they feel at home, as people write them.
  add traditions text[] not null default '{}',
  -- How much faith is part of a session: as the client wishes, woven in, or at its centre.
  add faith_part text not null default 'as_you_wish' check (faith_part in ('as_you_wish', 'woven_in', 'central')),
  add session_types text[] not null default '{online,phone,in-person}'
    check (session_types <> '{}' and session_types <@ '{online,phone,in-person}');
update providers set slug = 'specialist-' || id;
alter table providers alter slug set not null;
create unique index providers_slug on providers (slug);

-- Where they receive people in person; those without any do so at the listing's location, by arrangement.
create table places (
  id uuid primary key,
  provider_id uuid not null references providers on delete cascade,
  name text not null,
  address text not null,
  -- What the specialists page filters by, such as 'Chicago, IL'.
  town text not null,
  -- How to find the door.
  directions text not null default '',
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  position integer not null default 0,
  -- A place that sessions were booked at isn't deleted, only closed.
  closed boolean not null default false,
  created_at timestamptz not null default now(),
  check ((latitude is null) = (longitude is null))
);
create index places_provider on places (provider_id, position, id);
create index places_town on places (town) where not closed;
