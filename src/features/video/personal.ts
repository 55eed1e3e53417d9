import type { PersonalPart } from '#/platform/personal.ts';

export const videoPersonal: PersonalPart = {
  name: 'video',
  async collect({ db }, personId) {
    const [video_rooms, room_admissions, room_peers] = await Promise.all([
      db
        .selectFrom('video_rooms')
        .selectAll()
        .where('ended_by', '=', personId)
        .orderBy('ended_at')
        .orderBy('appointment_id')
        .execute(),
      db
        .selectFrom('room_admissions')
        .selectAll()
        .where('person_id', '=', personId)
        .orderBy('admitted_at')
        .orderBy('appointment_id')
        .execute(),
      db
        .selectFrom('room_peers')
        .selectAll()
        .where('person_id', '=', personId)
        .orderBy('entered_at')
        .orderBy('peer_id')
        .execute(),
    ]);
    return { tables: { video_rooms, room_admissions, room_peers } };
  },
  async erase({ db }, personId) {
    await db.updateTable('video_rooms').set({ ended_by: null }).where('ended_by', '=', personId).execute();
    await db.deleteFrom('room_admissions').where('person_id', '=', personId).execute();
    await db.deleteFrom('room_peers').where('person_id', '=', personId).execute();
  },
};
