import { expect, it } from 'vitest'
import { accessText } from '../../../src/features/access/words.ts'
import { isAllowed } from '../../../src/slack/access/access-rules.ts'
import type { AccessRecord, AccessRule } from '../../../src/store/workspaces.ts'

const everyone: AccessRule = { who: 'everyone', people: [] }
const admins: AccessRule = { who: 'admins', people: [] }
const people = (...ids: string[]): AccessRule => ({ who: 'people', people: ids })
const installation = { botToken: '', administrator: 'U0INSTALLER', hasSlackRoles: true, ids: [] }
const person = { id: 'U0VIEWER', name: 'Viewer', isMember: true, isAdmin: true, zone: undefined }

it.each<[billing: AccessRule, text: string, exports?: AccessRecord['exports']]>([
  [everyone, 'Everyone: calls, agents, billing, exports. Administrators: recordings.'],
  [everyone, 'Everyone: calls, agents, billing. Administrators: recordings, exports.', 'admins'],
  [people('U0VIEWER', 'U1'), 'Administrators and <@U1>: billing.'],
  [people('U1', 'U2', 'U3'), 'Administrators, <@U1>, <@U2> and <@U3>: billing.'],
  [people('U1', 'U2', 'U3', 'U4', 'U0INSTALLER'), 'Administrators, <@U1>, <@U2>, <@U3> and 1 more: billing.'],
  [{ who: 'admins', people: ['U1'] }, 'Administrators: recordings, billing.'],
  [people(), 'Administrators: recordings, billing.'],
  [people('U0VIEWER', 'U0INSTALLER'), 'Administrators: recordings, billing.'],
])('groups the areas by who sees them, where billing is for %j', (billing, text, exports = 'everyone') => {
  const others = { calls: everyone, recordings: admins, agents: everyone, administrators: [] }
  const rules = { ...others, billing, exports }
  expect(accessText(rules, { installation, person })).toContain(text)
  const member = { ...person, id: 'U1', isAdmin: false }
  expect(isAllowed('billing', member, rules)).toBe(/Everyone:.*billing|<@U1>/.test(text))
})
