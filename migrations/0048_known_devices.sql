-- Browsers in which an account was signed in to: tries from them are counted apart from everybody else's.
create table known_devices (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  -- The SHA-256 of what the browser's cookie holds.
  token text not null unique,
  created_at timestamptz not null,
  used_at timestamptz not null
);
create index known_devices_user on known_devices (user_id);

-- Ending a session elsewhere ends what is known of its device, too.
alter table sessions add column device_id uuid references known_devices on delete set null;
create index sessions_device on sessions (device_id);
