-- Sessions counted by the moment at which they begin, since there are many of them and few such moments.
create table session_counts (
  starts_at timestamptz primary key,
  -- Confirmed ones and those that took place, and their minutes.
  sessions integer not null,
  minutes integer not null,
  -- Minutes of all that hold or held their time: whatever wasn't cancelled.
  booked_minutes integer not null
);
insert into session_counts
  select starts_at, count(*) filter (where status in ('confirmed', 'completed')),
      coalesce(sum(extract(epoch from ends_at - starts_at) / 60) filter (where status in ('confirmed', 'completed')), 0),
      coalesce(sum(extract(epoch from ends_at - starts_at) / 60) filter (where status <> 'cancelled'), 0)
    from appointments group by starts_at;
create index appointments_start on appointments (starts_at) include (ends_at, status);

-- The moments that are to be counted anew. Whoever writes an appointment adds a row and waits for nobody.
create table session_counts_changed (starts_at timestamptz not null);
create index session_counts_changed_start on session_counts_changed (starts_at);
create function note_session_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into session_counts_changed values (old.starts_at);
  end if;
  if tg_op = 'INSERT' or (tg_op = 'UPDATE' and new.starts_at <> old.starts_at) then
    insert into session_counts_changed values (new.starts_at);
  end if;
  return null;
end $$;
create trigger appointments_counted after insert or delete or update of starts_at, ends_at, status on appointments
  for each row execute function note_session_change();

-- One row for each time that a specialist came into the directory (1) or left it (-1); whose it was isn't kept.
create table listing_changes (
  at timestamptz not null,
  change smallint not null check (change in (-1, 1))
);
create index listing_changes_at on listing_changes (at);
insert into listing_changes select created_at, 1 from providers where listed;
create function note_listing() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.listed then insert into listing_changes values (new.created_at, 1); end if;
  elsif tg_op = 'DELETE' then
    if old.listed then insert into listing_changes values (now(), -1); end if;
  elsif new.listed <> old.listed then
    insert into listing_changes values (now(), case when new.listed then 1 else -1 end);
  end if;
  return null;
end $$;
create trigger providers_listing after insert or delete or update of listed on providers
  for each row execute function note_listing();

-- Answers that failed on the server's side, by the minute, of every process.
create table failed_answers (
  minute timestamptz primary key,
  count integer not null
);

create index profiles_erased on profiles (erased_at) include (created_at) where erased_at is not null;
create index reviews_written on reviews (written_at) include (rating) where state = 'approved';
create index mails_unsent on mails (created_at) where sent_at is null;
