-- The room of an online session that its provider has ended. A room is its appointment; nothing of what is said is kept.
create table video_rooms (
  appointment_id uuid primary key references appointments on delete cascade,
  ended_at timestamptz not null,
  ended_by uuid references users
);

-- Whom the provider has let in: they needn't wait again.
create table room_admissions (
  appointment_id uuid not null references appointments on delete cascade,
  person_id uuid not null references users,
  admitted_at timestamptz not null,
  primary key (appointment_id, person_id)
);
create index room_admissions_person on room_admissions (person_id);

-- One browser in a room, as long as its server process says that its socket is open.
create table room_peers (
  peer_id uuid primary key,
  appointment_id uuid not null references appointments on delete cascade,
  person_id uuid not null references users,
  process_id uuid not null,
  entered_at timestamptz not null,
  seen_at timestamptz not null
);
create index room_peers_appointment on room_peers (appointment_id);
create index room_peers_person on room_peers (person_id);
