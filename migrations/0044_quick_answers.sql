-- The log's indexes are made anew, however long it is.
set local statement_timeout = 0;

-- Of whoever acts, and of whomever it is about, the newest entries of a category are read from an index alone.
drop index audit_entries_actor, audit_entries_subject;
create index audit_entries_actor on audit_entries (actor_id, category, at desc, id desc) where actor_id is not null;
create index audit_entries_subject on audit_entries (subject_id, category, at desc, id desc) include (subject_kind)
  where subject_id is not null;
create index audit_actors_span on audit_actors (last_at, first_at);

-- Every letter and every two in a row: by them those words are found that are too short for trigrams.
create function pieces_of(words text) returns text[] language plpgsql immutable strict parallel safe as $$
declare
  letters text[] := string_to_array(words, null);
  pieces text[] := letters;
begin
  for place in 2 .. cardinality(letters) loop
    pieces[cardinality(letters) + place - 1] := letters[place - 1] || letters[place];
  end loop;
  return pieces;
end $$;
-- Kept as names are written, so that no search has to go through what waits.
create index users_pieces on users using gin (pieces_of(lower(name || ' ' || email))) with (fastupdate = off);
-- Whose name and address have all of them. To make the pieces of everybody anew takes far longer than to read the index,
-- which no estimate tells.
create function users_with(pieces text[]) returns setof uuid language sql stable rows 100 set enable_seqscan = off as $$
  select id from users where pieces_of(lower(name || ' ' || email)) @> pieces
$$;

-- What session_counts says of whole days of UTC.
create table session_days (
  day date primary key,
  sessions integer not null,
  minutes integer not null,
  booked_minutes integer not null
);
insert into session_days
  select (starts_at at time zone 'UTC')::date, sum(sessions), sum(minutes), sum(booked_minutes)
    from session_counts group by 1;
create function add_to_session_day() returns trigger language plpgsql as $$
begin
  insert into session_days as kept values (
    (coalesce(new.starts_at, old.starts_at) at time zone 'UTC')::date,
    coalesce(new.sessions, 0) - coalesce(old.sessions, 0),
    coalesce(new.minutes, 0) - coalesce(old.minutes, 0),
    coalesce(new.booked_minutes, 0) - coalesce(old.booked_minutes, 0))
  on conflict (day) do update set sessions = kept.sessions + excluded.sessions,
    minutes = kept.minutes + excluded.minutes, booked_minutes = kept.booked_minutes + excluded.booked_minutes;
  return null;
end $$;
create trigger session_counts_summed after insert or update or delete on session_counts
  for each row execute function add_to_session_day();
