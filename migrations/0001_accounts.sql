create extension if not exists btree_gist;

-- The identity library's tables, under the names and columns that accounts/commands.ts maps.
create table users (
  id uuid primary key,
  name text not null,
  email text not null unique check (email = lower(email)),
  email_verified boolean not null default false,
  image text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_user on sessions (user_id);

create table credentials (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id)
);
create index credentials_user on credentials (user_id);

create table verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verifications_identifier on verifications (identifier);

-- Every account has a profile from sign-up on.
create table profiles (
  id uuid primary key references users on delete cascade,
  role text not null default 'client' check (role in ('super_admin', 'doctor', 'pastor', 'client')),
  full_name text not null check (char_length(full_name) between 1 and 200),
  spiritual_tradition text not null default 'SDA',
  mental_health_focus text[] not null default '{}',
  time_zone text,
  keep_discreet boolean not null default false,
  created_at timestamptz not null default now()
);
create index profiles_role on profiles (role);

-- Counted in PostgreSQL so that every server process sees the same number.
create table rate_limits (
  key text primary key,
  window_start timestamptz not null,
  hits integer not null
);
