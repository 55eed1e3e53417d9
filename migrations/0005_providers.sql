create table providers (
  id uuid primary key references users on delete cascade,
  kind text not null check (kind in ('doctor', 'pastor')),
  title text not null,
  specialties text[] not null,
  experience text not null,
  location text not null,
  bio text not null,
  education text[] not null default '{}',
  approach text not null default '',
  languages text[] not null default '{English}',
  phone text,
  time_zone text not null,
  approves_first boolean not null default false,
  listed boolean not null default true,
  -- The landing page shows the three that stand first.
  position integer not null default 0,
  -- Kept up to date with the rows that they summarise.
  rating_sum integer not null default 0,
  rating_count integer not null default 0,
  created_at timestamptz not null default now()
);
create index providers_listed on providers (position, id) where listed;
alter table testimonials add foreign key (provider_id) references providers on delete set null;

create table provider_services (
  provider_id uuid not null references providers on delete cascade,
  service_id text not null references services on delete cascade,
  primary key (provider_id, service_id)
);
create index provider_services_service on provider_services (service_id);
