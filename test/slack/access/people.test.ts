import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Slack, startSlack } from '../../../dev/slack/slack.ts'
import { createLog, slackLogger } from '../../../src/log.ts'
import { createPersonCache, People } from '../../../src/slack/access/people.ts'
import { SlackWebApi } from '../../../src/slack/api/web-api.ts'
import { tenantKey } from '../../../src/store/tenant.ts'

let slack: Slack
let people: People
beforeEach(async () => {
  slack = await startSlack()
  const logger = slackLogger(createLog('silent').log)
  const webApi = new SlackWebApi(slack.apiUrl, { timeout: 2500, logger, fetch })
  people = new People(webApi, createPersonCache(Date.now))
})
afterEach(() => slack.close())

const find = (id: string, options?: { afresh: boolean }) => {
  const { botToken, teamId, enterpriseId } = slack.workspace
  const installation = { botToken, administrator: undefined, hasSlackRoles: true, ids: [] }
  return people.find(installation, { enterpriseId, teamId }, id, options)
}
const asked = () => slack.callsTo('users.info').length

it.each([
  [{ display_name: 'Shown', real_name: 'Real' }, 'Shown'],
  [{ display_name: '', real_name: 'Real' }, 'Real'],
  [{ display_name: '', real_name: '' }, 'User Real'],
  [{ display_name: '', real_name: '' }, 'handle', ''],
])('uses the name that other people see: %j', async (names, name, real_name = 'User Real') => {
  const profile = { ...names, team: slack.workspace.teamId }
  const user = slack.addPerson({ name: 'handle', real_name, profile })
  const person = { id: user.id, name, isMember: true, isAdmin: false, zone: user.tz }
  expect(await find(user.id)).toMatchObject(person)
})

it.each(['is_admin', 'is_owner', 'is_primary_owner'])('treats a member with %s as an admin', async (role) => {
  const { id } = slack.addPerson({ name: 'manager', [role]: true })
  expect(await find(id)).toMatchObject({ isMember: true, isAdmin: true })
})

it("doesn't treat an unknown person as a member", async () => {
  const nobody = { id: 'U0NOBODY', name: 'U0NOBODY', isMember: false, isAdmin: false, zone: undefined }
  expect(await find('U0NOBODY')).toEqual(nobody)
  for (const error of ['user_not_visible', 'users_not_found']) {
    slack.failNext('users.info', { body: { ok: false, error } })
    expect(await find('U0NOBODY')).toEqual(nobody)
  }
})

it.each(['deleted', 'is_bot', 'is_restricted', 'is_ultra_restricted', 'is_stranger'])(
  "doesn't treat an admin with %s as a member or an admin",
  async (field) => {
    const { teamId: team_id } = slack.workspace
    const { id } = slack.addPerson({ name: 'former', team_id, is_admin: true, [field]: true })
    expect(await find(id)).toMatchObject({ isMember: false, isAdmin: false })
  },
)

it('forgets a person who left the workspace', async () => {
  const { id } = slack.people.member
  await find(id)
  slack.failNext('users.info', { body: { ok: false, error: 'user_not_visible' } })
  await find(id, { afresh: true })
  await find(id)
  expect(asked()).toBe(3)
})

it('keeps cached people while Slack fails, but not those of a deleted workspace', async () => {
  const { id } = slack.people.admin
  await find(id)
  slack.failNext('users.info', { status: 500 })
  await expect(find(id, { afresh: true })).rejects.toThrow('Slack: users.info failed')
  expect(await find(id)).toMatchObject({ isAdmin: true })
  expect(asked()).toBe(2)
  people.forget(tenantKey({ teamId: 'T0ANOTHER' }))
  await find(id)
  expect(asked()).toBe(2)
  people.forget(tenantKey(slack.workspace))
  await find(id)
  expect(asked()).toBe(3)
})
