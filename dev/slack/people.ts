/** A user in users.info. Tests change fields to change a person's role. */
export interface User {
  id: string
  team_id: string
  name: string
  real_name: string
  deleted: boolean
  tz: string
  tz_label: string
  tz_offset: number
  profile: { real_name: string; display_name: string; team: string }
  is_admin: boolean
  is_owner: boolean
  is_primary_owner: boolean
  is_restricted: boolean
  is_ultra_restricted: boolean
  is_bot: boolean
  is_app_user: boolean
  is_stranger?: boolean
  enterprise_user?: {
    id: string
    enterprise_id: string
    enterprise_name: string
    is_admin: boolean
    is_owner: boolean
    teams: string[]
  }
  updated: number
}

/** Any field of users.info may be set. */
export type NewUser = Partial<User> & { name: string }

export type People = Readonly<
  Record<'admin' | 'owner' | 'member' | 'guest' | 'ultraGuest' | 'stranger' | 'bot' | 'deleted', User>
>

export function addPeople(add: (fields: NewUser) => User): People {
  return {
    admin: add({ name: 'admin', is_admin: true }),
    owner: add({ name: 'owner', is_admin: true, is_owner: true, is_primary_owner: true }),
    member: add({ name: 'member' }),
    guest: add({ name: 'guest', is_restricted: true }),
    ultraGuest: add({ name: 'ultra-guest', is_restricted: true, is_ultra_restricted: true }),
    stranger: add({ name: 'stranger', is_stranger: true, team_id: 'T0ELSEWHERE' }),
    bot: add({ name: 'some-bot', is_bot: true }),
    deleted: add({ name: 'deleted', deleted: true }),
  }
}

/**
 * Returns a user of users.info. For an organization's token, the roles are those in the organization, and no argument
 * requests a workspace's (https://github.com/slackapi/bolt-js/issues/1566).
 */
export function userJson(user: User, isEnterpriseInstall: boolean): User {
  const copy = structuredClone(user)
  const { enterprise_user } = copy
  if (!isEnterpriseInstall || !enterprise_user) return copy
  const { is_admin, is_owner } = enterprise_user
  return { ...copy, is_admin, is_owner, is_primary_owner: false }
}
