-- A specialist has one time zone, that of their practice, so that no two screens or emails tell different times of a session.
create function keep_practice_zone() returns trigger language plpgsql as $$
begin
  update profiles set time_zone = new.time_zone
  where id = new.id and role in ('doctor', 'pastor') and time_zone is distinct from new.time_zone;
  return null;
end $$;
create trigger providers_zone after insert or update of time_zone on providers
  for each row execute function keep_practice_zone();

create function take_practice_zone() returns trigger language plpgsql as $$
begin
  new.time_zone := coalesce((select time_zone from providers where id = new.id), new.time_zone);
  return new;
end $$;
create trigger profiles_zone before update of role, time_zone on profiles
  for each row when (new.role in ('doctor', 'pastor')) execute function take_practice_zone();

update profiles set time_zone = providers.time_zone from providers
where providers.id = profiles.id and role in ('doctor', 'pastor');
