import type { Core } from './core.ts'
import type { Team, User } from './directory.ts'

export type People = Readonly<
  Record<'admin' | 'owner' | 'member' | 'guest' | 'ultraGuest' | 'stranger' | 'bot' | 'deleted', User>
>

/** One person of each kind that an app has to tell apart. */
export function addPeople(core: Core, team: Team): People {
  const person = (name: string, fields: Partial<User> = {}) =>
    core.directory.addPerson({ name, ...fields }, team)
  return {
    admin: person('admin', { is_admin: true }),
    owner: person('owner', { is_admin: true, is_owner: true, is_primary_owner: true }),
    member: person('member'),
    guest: person('guest', { is_restricted: true }),
    ultraGuest: person('ultra-guest', { is_restricted: true, is_ultra_restricted: true }),
    stranger: person('stranger', { is_stranger: true, team_id: 'T0ELSEWHERE' }),
    bot: person('some-bot', { is_bot: true }),
    deleted: person('deleted', { deleted: true }),
  }
}
