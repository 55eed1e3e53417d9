-- The directory in its order, and what it is narrowed by.
create index providers_directory on providers (position, slug) where listed;
create index providers_traditions on providers using gin (traditions) where listed;
create index providers_languages on providers using gin (languages) where listed;
create index providers_location on providers (location) where listed;

-- For each specialist and length of a session: an instant before which nothing is free. It may be too early, never too
-- late: readers raise it to what they have found, and the triggers below lower it in the transaction of whatever frees
-- time. The version rises with each lowering, so that nobody raises it by what they had read before.
create table openings (
  provider_id uuid not null references providers on delete cascade,
  -- Holds for sessions of this length and longer ones.
  minutes smallint not null check (minutes in (15, 30, 60, 90)),
  -- Of sessions in person alone, which have fewer hours.
  in_person boolean not null,
  first_free_at timestamptz not null default to_timestamp(0),
  version bigint not null default 0,
  primary key (provider_id, minutes, in_person)
);
create index openings_soonest on openings (minutes, in_person, first_free_at, provider_id);

create function openings_begin(provider uuid) returns void language sql as $$
  insert into openings (provider_id, minutes, in_person)
  select provider, minutes, in_person
  from unnest('{15,30,60,90}'::smallint[]) minutes, unnest('{false,true}'::boolean[]) in_person
  on conflict do nothing
$$;
select openings_begin(id) from providers;

-- Once in a transaction is enough for a whole week's hours.
create function openings_forget(provider uuid) returns void language sql as $$
  update openings set first_free_at = to_timestamp(0), version = version + 1
  where provider_id = provider
    and (first_free_at <> to_timestamp(0) or xmin <> pg_current_xact_id()::xid)
$$;

create function openings_of_new() returns trigger language plpgsql as $$
begin
  perform openings_begin(new.id);
  return null;
end $$;
create trigger providers_openings_new after insert on providers for each row execute function openings_of_new();

create function openings_of_terms() returns trigger language plpgsql as $$
begin
  perform openings_forget(new.id);
  return null;
end $$;
create trigger providers_openings_changed
  after update of time_zone, session_lengths, buffer_minutes, notice_hours, daily_maximum,
    rest_kind, rest_latitude, rest_longitude, rest_time_zone, session_types on providers
  for each row execute function openings_of_terms();

create function openings_of_hours() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform openings_forget(old.provider_id); end if;
  if tg_op <> 'DELETE' then perform openings_forget(new.provider_id); end if;
  return null;
end $$;
create trigger weekly_hours_openings after insert or update or delete on weekly_hours
  for each row execute function openings_of_hours();
create trigger date_exceptions_openings after insert or update or delete on date_exceptions
  for each row execute function openings_of_hours();
create trigger places_openings after insert or update of closed or delete on places
  for each row execute function openings_of_hours();
create trigger time_blocks_openings after update or delete on time_blocks
  for each row execute function openings_of_hours();

-- What a session gives free lies on its day or shortly before it: by its place, or by the daily maximum. A day has at
-- most 25 hours, and a session with its buffer at most six.
create function openings_of_session() returns trigger language plpgsql as $$
begin
  update openings
  set first_free_at = least(first_free_at, old.starts_at - interval '26 hours'), version = version + 1
  where provider_id = old.provider_id;
  return null;
end $$;
create trigger appointments_openings_freed after update of status, starts_at, ends_at, blocked_until on appointments
  for each row when (
    old.status <> 'cancelled' and (
      old.starts_at <> new.starts_at or old.blocked_until > new.blocked_until
      or new.status not in ('pending', 'confirmed'))
  ) execute function openings_of_session();
create trigger appointments_openings_deleted after delete on appointments
  for each row when (old.status <> 'cancelled') execute function openings_of_session();

create function openings_of_site() returns trigger language plpgsql as $$
begin
  update openings set first_free_at = to_timestamp(0), version = version + 1;
  return null;
end $$;
create trigger site_settings_openings
  after update of booking_advance_notice, buffer_time_minutes, max_daily_bookings on site_settings
  for each row when (
    old.booking_advance_notice > new.booking_advance_notice
    or old.buffer_time_minutes > new.buffer_time_minutes
    or old.max_daily_bookings < new.max_daily_bookings
  ) execute function openings_of_site();
